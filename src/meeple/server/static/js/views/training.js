// Training: the runs of the server's folder, one run as it learns, and the form that begins one.

import { clear, h } from "../dom.js";
import { again } from "../again.js";
import { get } from "../api.js";
import { showForm } from "../training/form.js";
import { showRun } from "../training/run.js";
import { ago, badge, count, gainWords } from "../training/words.js";

const NEW = "+new"; // no run can be called so
const EVERY = 3000; // milliseconds between two looks at the list

// `params.id`: a run's name, or "+new".
export async function show(root, params, app) {
  if (params.id === NEW) return showForm(root, app);
  if (params.id) return showRun(root, params.id, app);
  return showList(root, app);
}

async function showList(root, app) {
  const place = h("div", {});
  const fault = h("p", { class: "warn", role: "status" });
  root.append(
    h("div", { class: "line spread" },
      h("h1", {}, "Training"),
      h("a", { class: "button primary", href: `#/training/${NEW}` }, "Begin a run")),
    h("p", { class: "quiet" }, "A network learns a game by playing against itself: a search looks "
      + "ahead from every position, and the network learns to guess what the search would find. "
      + "Here are the runs in the server's folder, the last changed first."),
    fault,
    place,
  );
  let shown = null;
  async function look() {
    const { runs } = await get("/api/runs");
    const key = JSON.stringify(runs);
    if (key === shown) return; // so that a link keeps the focus
    shown = key;
    const at = [...place.querySelectorAll("a")].indexOf(document.activeElement);
    clear(place).append(runs.length ? table(runs) : nothing());
    if (at >= 0) place.querySelectorAll("a")[at]?.focus();
  }
  await look();
  return again(() => look().then(() => { fault.textContent = ""; }), () => EVERY, (error) => {
    fault.textContent = error.message;
  });
}

function nothing() {
  return h("section", { class: "panel" },
    h("p", {}, "There is no run here yet. Nim is learned perfectly within seconds, Hex on a small "
      + "board within a minute: ",
    h("a", { href: `#/training/${NEW}` }, "begin one"), ", or train in a terminal with ",
    h("code", {}, "meeple train nim"), "."));
}

function table(runs) {
  return h("table", { class: "panel runs" },
    h("thead", {}, h("tr", {}, ["Run", "Game", "State", "Progress", "Gain by training", "Changed"]
      .map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, runs.map(row)));
}

function row(run) {
  const link = h("a", { href: `#/training/${encodeURIComponent(run.name)}` }, run.name);
  if (run.problem) { // a run that can be read in part still has its page
    return h("tr", {}, h("th", { scope: "row" }, run.title ? link : run.name),
      h("td", { colspan: 5, class: "bad" }, run.problem));
  }
  const done = h("progress", { max: run.of, value: run.episodes, "aria-hidden": "true" });
  return h("tr", {},
    h("th", { scope: "row" }, link),
    h("td", {}, run.title),
    h("td", {}, badge(run), run.place ? h("div", { class: "small" }, `on ${run.place}`) : null),
    h("td", { class: "numbers" }, `${count(run.episodes)} of ${count(run.of)} ${run.unit}s`, done),
    h("td", { class: "numbers" }, run.gain ? gainWords(run.gain)
      : h("span", { class: "quiet" }, "not rated yet")),
    h("td", { class: "quiet" }, ago(run.changed)));
}
