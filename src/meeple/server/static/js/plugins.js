// What plug-ins add to a page: views with an entry in the navigation, and boards of games. Their files lie
// below `plugins/NAME/` beside the folder of this module; `server/pages.py` describes them.

import { extend, inLanguage } from "./messages.js";

/** @type {{name: string, folder: string, view: string, title: Object<string, string>, style: string,
 *    boards: Object<string, string>, languages: string[]}[]} */
const PLUG_INS = JSON.parse(document.getElementById("plug-ins")?.textContent ?? "[]");
const ready = new Map(); // promises of their texts, by name

/** The views of plug-ins by name, as `shell.js` takes them. */
export function pluginViews() {
  return Object.fromEntries(PLUG_INS.filter(({ view }) => view).map((plugIn) => {
    const { name, view, title } = plugIn;
    return [name, { file: name, nav: name, title: inLanguage(title) ?? name,
      load: async () => (await load(plugIn, view)).show }];
  }));
}

/** A board of a game from the plug-in that draws it; null if there is none, or it fails. */
export async function pluginBoard(game, container, options) {
  const plugIn = PLUG_INS.find(({ boards }) => Object.hasOwn(boards, game));
  if (!plugIn) return null;
  try {
    return (await load(plugIn, plugIn.boards[game])).makeBoard(container, options);
  } catch (error) {
    console.error(error);
    return null;
  }
}

async function load(plugIn, module) {
  if (!ready.has(plugIn.name)) ready.set(plugIn.name, prepare(plugIn));
  await ready.get(plugIn.name);
  return import(plugIn.folder + module);
}

/** Adds the style sheet and the texts of a plug-in. */
async function prepare({ name, folder, style, languages }) {
  if (style) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = folder + style;
    document.head.append(link);
  }
  if (languages.length) await extend(name, `${folder}languages/`, languages);
}
