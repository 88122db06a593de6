// Words that every view needs.

/** The sentence on the agent that evaluated a position, and its measured strength. */
export function evaluatedBy({ judge, strength }) {
  return `Evaluated by ${[judge, strength].filter(Boolean).join("; ")}.`;
}

/** A text as a sentence begins: with a capital. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** A text as a whole sentence: with a capital and a full stop. */
export function ended(text) {
  return text && `${sentence(text)}${/[.!?…]$/.test(text) ? "" : "."}`;
}
