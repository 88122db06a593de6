// Words that every view needs.

/** A text as a sentence begins: with a capital. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}`;
}
