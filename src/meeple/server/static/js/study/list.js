// The list of one's own studies, and the form that makes one from a text.

import { base64 } from "../api.js";
import { ago, ended, rich, t, translate } from "../messages.js";
import { button, Controller, field, html, instead } from "../view.js";
import { makeStudy, ownStudies } from "./own.js";

/** The studies of this browser, and a text that becomes one. */
export class Studies extends Controller {
  constructor(root, app) {
    super(root);
    this.app = app;
    app.title(t("analysis.studies"));
  }

  template() {
    const all = ownStudies();
    return html`<h1>${t("analysis.studies")}</h1>
      <section class="panel" aria-label=${t("study.yours")}>${all.length ? html`<ul class="study-list">${
        all.map(({ link, title, game, at }) => html`<li><a href="#/study/${link}">${title}</a>
          <span class="quiet small">${translate(game)}, ${ago(at / 1000)}</span></li>`)}</ul>`
        : html`<p>${rich("study.none", { button: html`<em>${t("common.save_as_study")}</em>`,
          analysis: html`<a href="#/analysis">${t("study.none_analysis")}</a>` })}</p>`}</section>
      <section class="panel" aria-label=${t("study.from_text_label")}>
        <h2>${t("study.from_text")}</h2>
        <form class="stack" @submit=${instead(() => this.make())}>
        ${field("study-name", t("common.title"),
          html`<input type="text" id="study-name" maxlength="100" required>`)}
        ${field("study-text", t("study.text"),
          html`<textarea id="study-text" rows="6" required spellcheck="false"></textarea>`)}
        <div class="line">${button(t("study.open_file"),
          () => this.root.querySelector("#study-file").click())}
          <input type="file" id="study-file" hidden accept=".sgf,.jsonl,.json,.ggf,.psq,.txt"
            @change=${({ target }) => this.read(target.files[0])}>
          <button type="submit" class="primary">${t("study.make")}</button></div></form></section>`;
  }

  async read(file) {
    if (!file) return;
    const text = this.root.querySelector("#study-text");
    text.value = await file.text();
    this.file = { shown: text.value, data: await base64(file) };
    const name = this.root.querySelector("#study-name");
    name.value ||= file.name.replace(/\.\w+$/, "").slice(0, 100);
  }

  async make() {
    const value = (id) => this.root.querySelector(`#${id}`).value.trim();
    await this.app.attempt(async () => {
      const { shown, data } = this.file ?? {}; // sent as it is, unless its text was changed
      const asIs = shown === this.root.querySelector("#study-text").value;
      const { key, notices } = await makeStudy(value("study-name"),
        asIs ? { data } : { text: value("study-text") });
      this.app.go(`#/study/${key}`);
      for (const notice of notices) this.app.say(ended(translate(notice)));
    });
  }
}
