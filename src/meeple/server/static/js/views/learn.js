// A lesson: a game explained on its own board, step by step.

import { get, post } from "../api.js";
import { Board } from "../boards/board.js";
import { declared, ended, sentence, t, translate } from "../messages.js";
import { button, Controller, h, html, nothing } from "../view.js";

/** `params.id`: the game. */
export async function show(root, params, app) {
  const lesson = await get(`/api/lessons/${encodeURIComponent(params.id ?? "")}`);
  if (!lesson.steps) throw new Error(t("learn.none"));
  const learn = new Learn(root, app, lesson);
  await learn.load({ step: 0 });
  return learn;
}

class Learn extends Controller {
  constructor(root, app, lesson) {
    super(root);
    this.app = app;
    this.lesson = lesson; // {game, title, rules, steps}
    this.at = 0; // the step that was asked for
    this.step = null; // the one that is shown, as the server sent it, with its number
    this.reply = null; // to the last action: {is_right, text}
    this.place = h("div", { class: "board-area" });
    this.board = this.own(new Board(this.place, { onAction: (id) => this.act(id),
      label: t("learn.board", { game: translate(lesson.title) }) }));
    app.title(t("lobby.learn", { game: translate(lesson.title) }));
  }

  /** Shows a step from its beginning. */
  async go(at) {
    this.set({ at, reply: null });
    await this.load({ step: at });
  }

  async act(action) {
    await this.load({ step: this.at, action });
    if (this.reply?.is_right) this.root.querySelector(".next").focus();
  }

  async load(wanted) {
    try {
      const step = await this.newest(post(`/api/lessons/${this.lesson.game}`, wanted));
      if (!step) return;
      this.step = { ...step, number: wanted.step };
      this.reply = step.reply;
    } catch (error) {
      this.reply = { is_right: false, text: error.message, refused: true };
    }
    this.draw();
  }

  /** The code of the text of the step that is shown. */
  get code() {
    return `lesson.${this.lesson.game}.${this.step?.number ?? this.at}`;
  }

  replied({ is_right: right, text, refused }) {
    return refused ? translate(text) : declared(`${this.code}.${right ? "praise" : "refusal"}`, text);
  }

  draw() {
    super.draw();
    if (!this.step) return;
    const { scene, actions, mover, players } = this.step;
    this.board.update({ scene, actions, mover, players: players.map((name) => sentence(translate(name))) });
  }

  template() {
    const { lesson: { game, title, steps }, at, step, reply, place } = this;
    const last = (step?.number ?? at) + 1 === steps;
    const done = reply?.is_right || (step && !step.is_task);
    return html`<div class="table-page learn-page">
      <header class="table-head"><h1>${t("lobby.learn", { game: translate(title) })}</h1>
        <p class="quiet turn-words">${t("learn.step", { n: at + 1, all: steps })}</p></header>
      <div class="table-main">${place}</div>
      <aside class="table-side"><section class="panel lesson-step" aria-label=${t("learn.the_step")}>
        <p class="lesson-text">${step ? declared(this.code, step.text) : ""}</p></section>
      <section class="panel stack lesson-answer" aria-label=${t("learn.answer")}>
        <p class="lesson-reply ${reply?.is_right ? "good" : "bad"}" role="status"
          ?hidden=${!reply}>${reply ? ended(this.replied(reply)) : ""}</p>
        <div class="line">${button(t("learn.back"), () => this.go(at - 1), { disabled: at === 0 })}${
          reply?.is_right ? button(t("learn.again"), () => this.go(at)) : nothing}${
          last && done ? html`<a class="button primary next" href="#/?game=${game}">${
            t("claim.play", { game: translate(title) })}</a>`
            : button(t(step?.is_task && !done ? "learn.skip" : "learn.next"), () => this.go(at + 1),
              { kind: done ? "next primary" : "next", disabled: last })}</div></section></aside></div>`;
  }
}
