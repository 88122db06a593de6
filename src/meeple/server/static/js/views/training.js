// Training: the runs of the server's folder, one run as it learns, and the form that begins one.

import { again } from "../again.js";
import { get } from "../api.js";
import { heads } from "../controls.js";
import { showForm } from "../training/form.js";
import { showRun } from "../training/run.js";
import { badge, count, gainWords } from "../training/words.js";
import { Controller, html, nothing } from "../view.js";
import { ago } from "../words.js";

const NEW = "+new"; // no run can be called so
const EVERY = 3000; // milliseconds between two looks at the list

/** `params.id`: a run's name, or "+new". */
export async function show(root, params, app) {
  root.lang = "en"; // it has no other texts
  if (params.id === NEW) return showForm(root, app);
  if (params.id) return showRun(root, params.id, app);
  const list = new RunList(root);
  await list.look();
  return again(() => list.look(), () => EVERY, (error) => list.set({ fault: error.message }));
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
    return html`<div class="line spread"><h1>Training</h1>
        <a class="button primary" href="#/training/${NEW}">Begin a run</a></div>
      <p class="quiet">A network learns a game by playing against itself: a search looks ahead from
        every position, and the network learns to guess what the search would find. Here are the runs
        in the server's folder, the last changed first.</p>
      <p class="warn" role="status">${fault}</p>
      ${runs.length ? html`<table class="panel runs">
        ${heads(["Run", "Game", "State", "Progress", "Gain by training", "Changed"])}
        <tbody>${runs.map(row)}</tbody></table>` : html`<section class="panel">
        <p>There is no run here yet. Nim is learned perfectly within seconds, Hex on a small board
          within a minute: <a href="#/training/${NEW}">begin one</a>, or train in a terminal with
          <code>meeple train nim</code>.</p></section>`}`;
  }
}

function row(run) {
  const link = html`<a href="#/training/${encodeURIComponent(run.name)}">${run.name}</a>`;
  if (run.problem) { // a run that can be read in part still has its page
    return html`<tr><th scope="row">${run.title ? link : run.name}</th>
      <td colspan="5" class="bad">${run.problem}</td></tr>`;
  }
  return html`<tr><th scope="row">${link}</th><td>${run.title}</td>
    <td>${badge(run)}${run.place ? html`<div class="small">on ${run.place}</div>` : nothing}</td>
    <td class="numbers">${count(run.episodes)} of ${count(run.of)} ${run.unit}s<progress
      max=${run.of} .value=${run.episodes} aria-hidden="true"></progress></td>
    <td class="numbers">${run.gain ? gainWords(run.gain)
      : html`<span class="quiet">not rated yet</span>`}</td>
    <td class="quiet">${ago(run.changed)}</td></tr>`;
}
