// The line to a table: messages both ways, and a new line when one is lost (gipfelsturm.play.realtime_messages).
const TAKEN_OVER = 4000;
const NO_SEAT = 4004;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

/**
 * Connect to the seat of a token, and again whenever the line is lost.
 * `hear` is called with each message, `lost` with "lost", "taken" or "none" when there is no line any more.
 */
export function connect(token, hear, lost) {
  let socket = null;
  let pause = FIRST_PAUSE_MS;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws/${token}`);
    const mine = socket;
    socket.addEventListener("message", (event) => {
      pause = FIRST_PAUSE_MS;
      if (mine === socket) hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", ({ code }) => mine === socket && closed(code));
  }

  function closed(code) {
    socket = null;
    lost({ [TAKEN_OVER]: "taken", [NO_SEAT]: "none" }[code] ?? "lost");
    if (code === TAKEN_OVER || code === NO_SEAT) return;
    timer = setTimeout(open, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  function openNow() {
    if (!socket && timer) open();
  }

  window.addEventListener("online", openNow);
  document.addEventListener("visibilitychange", () => document.hidden || openNow());
  open();
  return {
    /** Send a message if there is a line; whether there is one. */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    reopen: open,
  };
}
