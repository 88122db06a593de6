// The texts of the page in the visitor's language: a choice that the browser keeps, or else the first
// of the browser's languages that there is a folder for.

import { recall, Recent, remember } from "./storage.js";

/** The languages' names in themselves, by their codes: the page lists the folders of `languages/`. */
export const LANGUAGES = JSON.parse(document.getElementById("languages")?.textContent ?? "{}");
const FOLDER = new URL("../languages/", import.meta.url).href;
const KEY = "meeple.language";
const PLACE = /\{(\w+)[^{}]*\}/; // with the format of a number in English, which the language decides
const MAX_HEARD = 20_000;
/** @typedef {{code: string, fields: Object<string, any>, text?: string}} Sentence */

const language = [recall(KEY), ...navigator.languages.map((one) => one.split("-")[0])]
  .find((one) => one in LANGUAGES) ?? "en";
/** The language with its region, for numbers and dates. */
export const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;
const plurals = new Intl.PluralRules(language);
const heard = new Recent(MAX_HEARD); // sentences of the server by their English texts

document.documentElement.lang = language;
const files = ["server", "declared", "errors", "page"];
const [ofServer, ofThings, errors, texts] = await Promise.all(files.map((name) => load(name)));
const sentences = { ...ofServer, ...ofThings }; // of the server, by their codes

/** Takes another language, from the next load of the page on. */
export function setLanguage(name) {
  remember(KEY, name);
  location.reload();
}

/** Adds the texts of the file NAME.json of a folder with a folder for each language.
 *  @param {string} name
 *  @param {string} [folder] its address
 *  @param {string[]} [languages] those that the folder has */
export async function extend(name, folder, languages) {
  Object.assign(texts, await load(name, folder, languages));
}

async function load(name, folder = FOLDER, languages = [language]) {
  const file = async (tongue) => {
    const answer = await fetch(`${folder}${tongue}/${name}.json`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.json();
  };
  return file(languages.includes(language) ? language : "en").catch(() => file("en"));
}

/** The value for the visitor's language, or else for English. */
export function inLanguage(values) {
  return values[language] ?? values.en;
}

/** The text of a message; `values` fill its places, and the number `n` chooses its plural form.
 *  @param {string} id
 *  @param {Object<string, any>} [values] */
export function t(id, values = {}) {
  return rich(id, values).join("");
}

/** The same in parts, for a template: values may be templates.
 *  @param {string} id
 *  @param {Object<string, any>} values
 *  @returns {any[]} */
export function rich(id, values) {
  const found = texts[id];
  const text = typeof found === "string" ? found : found[plurals.select(values.n)] ?? found.other;
  return text.split(PLACE).map((part, at) => (at % 2 ? values[part] : part));
}

/** A choice of [value, text] for each of {value: id of its text}. */
export function choices(ids) {
  return Object.entries(ids).map(([value, id]) => [value, t(id)]);
}

/** Takes notice of the sentences in an answer of the server, and returns it.
 *  @template {any} A
 *  @param {A} answer
 *  @returns {A} */
export function hear(answer) {
  const said = /** @type {{sentences?: Object<string, Sentence>}} */ (answer ?? {}).sentences;
  for (const [text, one] of Object.entries(said ?? {})) {
    if (Object.hasOwn(sentences, one.code)) heard.set(text, one);
  }
  return answer;
}

/** The code of a text of the server, if it is known. */
export const codeOf = (text) => heard.get(text)?.code;

/** A text that belongs to a thing with a name, such as the help of the option "size" of Hex, by its code
 *  "option.hex.size". */
export function declared(code, text) {
  return Object.hasOwn(sentences, code) ? sentences[code] : translate(text);
}

/** A sentence in the visitor's language; in English if its language has none with this code.
 *  @param {Sentence} said
 *  @param {(said: Sentence) => string | null} [instead] */
export function worded(said, instead) {
  const { code, text, fields } = said;
  const own = instead?.(said) ?? null;
  if (own !== null) return own;
  if (!Object.hasOwn(sentences, code)) return text;
  const parts = sentences[code].split(PLACE);
  return parts.map((part, at) => (at % 2 ? field(fields[part], instead) : part)).join("");
}

function field(value, instead) {
  if (Array.isArray(value)) return value.map((one) => field(one, instead)).join(", ");
  if (typeof value === "number") return value.toLocaleString(locale, { maximumFractionDigits: 3 });
  return typeof value === "object" ? worded(value, instead) : value;
}

/** The field of a sentence of the server in the visitor's language; "" if it has none.
 *  @param {string} text
 *  @param {string} code
 *  @param {string} name */
export function partOf(text, code, name) {
  const said = heard.get(text);
  return said?.code === code ? field(said.fields[name]) : "";
}

/** A text of the server in the visitor's language, in which some sentences have other words.
 *  @param {string} text
 *  @param {(said: Sentence) => string | null} [instead] the words for a sentence or one in it, if
 *    they are others here */
export function translateWith(text, instead) {
  return heard.has(text) ? worded({ ...heard.get(text), text }, instead) : translate(text);
}

/** A text of the server in the visitor's language; one without a code stays as it is. Only the first argument
 *  counts, so that `map` may call it.
 *  @param {string} text */
export function translate(text) {
  if (heard.has(text)) return worded({ ...heard.get(text), text });
  const name = `name.${text.replaceAll(" ", "_")}`;
  return Object.hasOwn(sentences, name) ? sentences[name] : text;
}

/** The sentence of an error that the server answers or sends: by its code, if a table has it.
 *  @param {{error?: string, text?: string, code?: string, fields?: Object<string, any>}} answer */
export function failure({ error = "", text = error, code = "", fields = {} }) {
  const words = errors[code] ?? texts[code]; // texts: of a plug-in
  if (typeof words !== "string") return translate(text);
  const shown = (value) => (typeof value === "string" ? translate(value) : field(value));
  return words.split(PLACE).map((part, at) => (at % 2 ? shown(fields[part]) : part)).join("");
}

/** A number with the separators of the language.
 *  @param {number} value
 *  @param {number} [digits] after the decimal point */
export function number(value, digits = 0) {
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The sentence on the agent that evaluated a position, and its measured strength. */
export function evaluatedBy({ judge, strength }) {
  return t("common.evaluated_by", { by: [judge, strength].filter(Boolean).map(translate).join("; ") });
}

/** A text as a sentence begins: with a capital. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** A text as a whole sentence: with a capital and a full stop. */
export function ended(text) {
  return text && `${sentence(text)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** The players of a game: "Ann against Bob"; of more than two "Ann, Bob, 2 × Casual". */
export function versus(players) {
  const names = players.map(translate);
  if (names.length === 2) return t("common.against", { one: names[0], other: names[1] });
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(", ");
}

/** A share as text: "63 %"; "<1 %" for a small share that is not 0; "" without a share. */
export function percent(share) {
  if (typeof share !== "number" || !Number.isFinite(share)) return "";
  if (share > 0 && share < 0.005) return "<1 %";
  if (share < 1 && share >= 0.995) return ">99 %";
  return `${Math.round(100 * share)} %`;
}

/** An interval of shares: "40 to 63 %". */
export function span([low, high]) {
  return t("common.interval", { low: Math.round(100 * low), high: percent(high) });
}

/** A time span: "40 s", "3 min", "2 h 5 min". */
export function duration(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long ago a time (seconds since the epoch) is. */
export function ago(time) {
  const seconds = Math.max(0, Date.now() / 1000 - time);
  if (seconds < 10) return t("common.now");
  if (seconds < 86_400) return t("common.ago", { time: duration(10 * Math.round(seconds / 10)) });
  return new Date(1000 * time).toLocaleDateString(locale);
}

/** What the action at a place of a search result is called: the offer that it begins, or its name. */
export function wordsOf({ labels, names }, at) {
  return labels?.[at] ?? names[at];
}
