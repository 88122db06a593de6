// A WebSocket of JSON messages that connects again by itself.

import { hear } from "./messages.js";
/** @import {FromTable, ToAnalysis, ToTable} from "./types.d.ts" */

const FIRST_WAIT = 300; // milliseconds; doubled after each failure
const LONGEST_WAIT = 2000;
// Closed with one of these, trying again would not help: not allowed, or no such thing.
const REFUSED = [1008, 4400, 4401, 4403, 4404];

/** Opens a socket. `onopen()` is called after each connection, `onstate(state, reason)` with
 *  "connecting", "open", "waiting" (to try again) or "refused". Returns {send(object), close()};
 *  `send` says whether the message left.
 *  @template {string} P
 *  @param {P} path
 *  @param {{onopen?: () => void,
 *    onmessage?: (message: P extends "/ws/table" ? FromTable : any) => void,
 *    onstate?: (state: string, reason?: string) => void}} [calls]
 *  @returns {{send(message: P extends "/ws/table" ? ToTable : ToAnalysis): boolean, close(): void}} */
export function connect(path, { onopen, onmessage, onstate } = {}) {
  let socket = null;
  let timer = null;
  let wait = FIRST_WAIT;
  let closed = false;
  const over = new AbortController(); // ends what listens

  function open() {
    clearTimeout(timer);
    timer = null;
    onstate?.("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const fresh = new WebSocket(`${scheme}//${location.host}${path}`);
    socket = fresh;
    fresh.onopen = () => {
      if (fresh !== socket || closed) return;
      onstate?.("open");
      onopen?.();
    };
    fresh.onmessage = (event) => {
      if (fresh !== socket || closed) return;
      wait = FIRST_WAIT; // only a server that speaks counts as back
      onmessage?.(hear(JSON.parse(event.data)));
    };
    fresh.onclose = (event) => {
      if (fresh !== socket || closed) return;
      if (REFUSED.includes(event.code)) {
        release();
        onstate?.("refused", event.reason);
        return;
      }
      onstate?.("waiting", event.reason);
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }

  function hurry() {
    if (timer !== null && document.visibilityState !== "hidden") {
      wait = FIRST_WAIT;
      open();
    }
  }

  function release() {
    closed = true;
    clearTimeout(timer);
    timer = null;
    over.abort();
  }

  addEventListener("online", hurry, over);
  document.addEventListener("visibilitychange", hurry, over);
  open();
  return {
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    close() {
      release();
      socket?.close();
    },
  };
}
