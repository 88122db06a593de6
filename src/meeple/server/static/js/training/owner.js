// The token with which this browser may stop and resume a run that it started.

import { recall, remember } from "../storage.js";

const key = (name) => `meeple.run.${name}`;

export function keepToken(name, { token }) {
  if (token) remember(key(name), token);
}

/** @returns {string[]} */
export function tokensOf(name) {
  const token = recall(key(name));
  return token ? [token] : [];
}
