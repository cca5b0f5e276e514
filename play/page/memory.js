// What the browser remembers for this page: nothing where it is not allowed to.
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the page then forgets with its last tab.
  }
}
