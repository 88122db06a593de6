// The texts of the page in the visitor's language: a choice that the browser keeps, or else the first
// of the browser's languages that there is a table for.

import { messages } from "./messages/en.js";
import { Recent } from "./recent.js";
import { recall, remember } from "./storage.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };
const KEY = "meeple.language";
const PLACE = /\{(\w+)\}/;
// What a place of a text of the server may hold; any text where its name is not listed. `cards` are
// amounts such as "2 wood, 1 ore".
const NUMBER = "[\\d.,]+";
const CARDS = "(?:\\d+ [a-z]+, )*\\d+ [a-z]+|nothing";
const HOLDS = { n: NUMBER, n2: NUMBER, n3: NUMBER, cards: CARDS, cards2: CARDS };
const MAX_KNOWN = 2000; // texts of the server that are remembered
const LOADERS = { de: () => import("./messages/de.js"), fr: () => import("./messages/fr.js") };

const language = [recall(KEY), ...navigator.languages.map((one) => one.split("-")[0])]
  .find((one) => one in LANGUAGES) ?? "en";
/** The language with its region, for numbers and dates. */
export const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;
const { messages: texts, server } = await LOADERS[language]?.().catch(() => null)
  ?? { messages, server: {} };
const plurals = new Intl.PluralRules(language);
const patterns = Object.keys(server).filter((text) => PLACE.test(text)).map(patternOf);
const known = new Recent(MAX_KNOWN); // texts of the server with their translations

document.documentElement.lang = language;

/** Takes another language, from the next load of the page on. */
export function setLanguage(name) {
  remember(KEY, name);
  location.reload();
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

/** A text of the server in the visitor's language; one that the table lacks stays as it is. */
export function translate(text) {
  if (!patterns.length) return text;
  if (!known.has(text)) known.set(text, Object.hasOwn(server, text) ? server[text] : byPattern(text));
  return known.get(text);
}

function byPattern(text) {
  for (const { pattern, result } of patterns) {
    const { groups } = pattern.exec(text) ?? {};
    if (groups) {
      return result.split(PLACE).map((part, at) => (at % 2 ? filled(part, groups[part]) : part)).join("");
    }
  }
  return text;
}

function filled(name, text) {
  if (HOLDS[name] === CARDS) return text.replace(/[a-z]+/g, translate);
  if (HOLDS[name] !== NUMBER) return translate(text);
  return Number(text.replaceAll(",", "")).toLocaleString(locale, { maximumFractionDigits: 3 });
}

/** A number with the separators of the language.
 *  @param {number} value
 *  @param {number} [digits] after the decimal point */
export function number(value, digits = 0) {
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function patternOf(text) {
  const source = text.split(PLACE).map((part, at) => (at % 2 ? `(?<${part}>${HOLDS[part] ?? ".+"})`
    : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return { result: server[text], pattern: new RegExp(`^${source.join("")}$`) };
}
