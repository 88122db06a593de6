// Training: the runs of the server's folder, one run as it learns, and the form that begins one.

import { poll } from "../again.js";
import { get } from "../api.js";
import { ago, extend, rich, t, translate } from "../messages.js";
import { showForm } from "../training/form.js";
import { showRun } from "../training/run.js";
import { badge, doneWords, gainWords } from "../training/words.js";
import { Controller, heads, html, nothing, repeat } from "../view.js";

const NEW = "+new"; // no run can be called so
const EVERY = 6000; // milliseconds between two looks at the list

/** `params.id`: a run's name, or "+new". */
export async function show(root, params, app) {
  await extend("training");
  if (params.id === NEW) return showForm(root, app);
  if (params.id) return showRun(root, params.id, app);
  const list = new RunList(root);
  await list.look();
  return poll(list, () => EVERY);
}

class RunList extends Controller {
  runs = [];
  fault = "";

  async look() {
    const { runs } = await get("/api/runs");
    this.set({ runs, fault: "" });
  }

  template() {
    const { runs, fault } = this;
    return html`<div class="line spread"><h1>${t("training.title")}</h1>
        <a class="button primary" href="#/training/${NEW}">${t("training.begin_run")}</a></div>
      <p class="quiet">${t("training.about")}</p>
      <p class="warn" role="status">${fault}</p>
      ${runs.length ? html`<table class="panel runs">
        ${heads([t("training.run"), t("common.game"), t("common.state"), t("training.progress"),
          t("training.gain"), t("training.changed")])}
        <tbody>${repeat(runs, ({ name }) => name, row)}</tbody></table>` : html`<section class="panel">
        <p>${rich("training.none", { command: html`<code>meeple train nim</code>`,
          begin: html`<a href="#/training/${NEW}">${t("training.begin_one")}</a>` })}</p></section>`}`;
  }
}

function row(run) {
  const link = html`<a href="#/training/${encodeURIComponent(run.name)}">${run.name}</a>`;
  if (run.problem) { // a run that can be read in part still has its page
    return html`<tr><th scope="row">${run.title ? link : run.name}</th>
      <td colspan="5" class="bad">${translate(run.problem)}</td></tr>`;
  }
  return html`<tr><th scope="row">${link}</th><td>${translate(run.title)}</td>
    <td>${badge(run)}${run.place ? html`<div class="small">${
      t("training.on", { place: run.place })}</div>` : nothing}</td>
    <td class="numbers">${doneWords(run)}<progress
      ?hidden=${run.of === null} max=${run.of ?? 1} .value=${run.episodes} aria-hidden="true"></progress></td>
    <td class="numbers">${run.gain ? gainWords(run.gain)
      : html`<span class="quiet">${t("training.not_rated")}</span>`}</td>
    <td class="quiet">${ago(run.changed)}</td></tr>`;
}
