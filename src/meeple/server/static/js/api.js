// Requests to the server. A refusal throws an Error whose message is the server's sentence in the
// visitor's language; `english` is the sentence as the server wrote it.

import { saveAs } from "./view.js";
import { failure, hear, t } from "./messages.js";
/** @import {Answers, Bodies} from "./types.d.ts" */

/** `tokens`: of seats, for what only they may see.
 *  @template {string} P
 *  @param {P} path
 *  @param {{tokens?: string[]}} [more]
 *  @returns {Promise<P extends keyof Answers ? Answers[P] : any>} */
export function get(path, { tokens = [] } = {}) {
  return request(path, { headers: seats(tokens) });
}

/** @template {string} P
 *  @param {P} path
 *  @param {P extends keyof Bodies ? Bodies[P] : object} [body]
 *  @param {{tokens?: string[]}} [more]
 *  @returns {Promise<any>} */
export function post(path, body = /** @type {any} */ ({}), { tokens = [] } = {}) {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json", ...seats(tokens) },
    body: JSON.stringify(body) });
}

/** The bytes of a file in base64: the server finds out the encoding of a text.
 *  @param {Blob} file */
export function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(new Error(t("library.unreadable")));
    reader.readAsDataURL(file);
  });
}

/** The address of a view, to be copied. */
export function linkTo(view) {
  return `${location.origin}${location.pathname}#/${view}`;
}

// Saves an answer as a file of that name.
export async function download(path, name, { tokens = [] } = {}) {
  const response = await ask(path, { headers: seats(tokens) });
  const address = URL.createObjectURL(await response.blob());
  saveAs(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function request(path, terms) {
  const response = await ask(path, terms);
  return response.status === 204 ? null : hear(await response.json());
}

async function ask(path, terms) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...terms });
  } catch {
    throw new Error(t("common.silent"));
  }
  if (response.status === 401) location.assign(`/login${location.hash}`); // asks for a password
  if (!response.ok) {
    const answer = await refused(response);
    throw Object.assign(new Error(failure(answer)), { status: response.status, english: answer.error });
  }
  return response;
}

async function refused(response) {
  const answer = await response.json().catch(() => null);
  if (typeof answer?.error === "string") return hear(answer);
  return { error: t("common.refused", { status: `${response.status} ${response.statusText}` }) };
}

function seats(tokens) {
  return tokens.length ? { "X-Seat-Tokens": tokens.join(",") } : {};
}
