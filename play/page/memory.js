// What the browser remembers for this page: where it is not allowed to, the page remembers until it is left.
const kept = new Map();

export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return kept.get(key) ?? null;
  }
}

export function remember(key, value) {
  kept.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse.
  }
}
