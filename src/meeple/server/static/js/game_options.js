// The options that a game is played with, in words.

import { get } from "./api.js";
import { t, translate } from "./messages.js";

const LONG = 60; // letters of an option that is not worth telling

let asked = null; // the server's games

/** The defaults of a game's options by name; null where they are not known. */
export async function defaultsOf(game) {
  asked ??= get("/api/games");
  const { games } = await asked.catch(() => {
    asked = null;
    return { games: [] };
  });
  const found = games.find(({ name }) => name === game);
  return found ? Object.fromEntries(found.options.map((one) => [one.name, one.default])) : null;
}

/** A few words on options: the size, and what differs from the defaults, where those are known. */
export function optionWords(options, defaults) {
  return Object.entries(options).map(([name, value]) => {
    if (name === "size") return `${value}×${value}`;
    if (!defaults || value === defaults[name] || value === "") return "";
    const words = translate(name.replaceAll("_", " "));
    if (value === true) return words;
    return value === false ? t("common.without", { name: words })
      : t("common.pair", { name: words, value: translate(String(value)) });
  }).filter((words) => words && words.length < LONG).join(", ");
}
