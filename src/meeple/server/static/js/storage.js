// Texts that this browser keeps for the page, under keys that begin with "meeple."; and maps of limited
// size.

const memory = new Map(); // where the browser keeps nothing for pages

/** The text of a key, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

/** The value that is stored as JSON under a key; `none` if it is missing or damaged. */
export function recallJson(key, none) {
  try {
    return JSON.parse(recall(key)) ?? none;
  } catch {
    return none;
  }
}

export function remember(key, text) {
  memory.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // then it lasts as long as the page
  }
}

/** The random token of a key, which this browser makes once. */
export function secret(key) {
  const known = recall(key);
  if (known) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(18))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  remember(key, made);
  return made;
}

/** A map that holds the newest entries alone. */
export class Recent extends Map {
  constructor(max) {
    super();
    this.max = max;
  }

  set(key, value) {
    if (this.size >= this.max) this.delete(this.keys().next().value);
    return super.set(key, value);
  }
}
