// What the analysis asks of agents, by a socket for the position and one for the whole game, and what
// becomes of the answers.

import { failure } from "../messages.js";
import { connect } from "../socket.js";
import { tokensOf } from "../tokens.js";

const RETRY_SECONDS = 2; // for the evaluation of a move that is tried again
const SETTLED = 200; // milliseconds at a position before it is thought about anew

/** A socket for requests, of which a newer one takes the place of the last; it is opened for the first one.
 *  `kind` is that of the request under way, which is sent again after the connection was lost. */
class Channel {
  /** `hear(message)` gets the answers, `onstate` is as of `connect`. */
  constructor(hear, onstate) {
    this.kind = "";
    this.id = 0; // of the newest request
    this.open = () => connect("/ws/analysis", { onstate, onopen: () => this.kind && this.again(),
      onmessage: (message) => {
        if (message.id === undefined || message.id === this.id) hear(message);
      } });
  }

  close() {
    this.socket?.close();
  }

  again() {
    this.socket.send(this.message);
  }

  send(kind, message) {
    const { table } = message.source;
    this.kind = kind;
    this.message = { ...message, id: ++this.id, tokens: table ? tokensOf(table) : [] };
    if (this.socket) this.again();
    else this.socket = this.open();
  }

  stop() {
    if (this.kind) this.socket.send({ type: "stop", id: ++this.id });
    this.kind = "";
  }
}

export class Requests {
  /** `desk`: the analysis; see `views/analysis.js` for its state and parts. */
  constructor(desk) {
    this.desk = desk;
    const state = (now) => desk.set({ offline: !["open", "connecting"].includes(now) });
    // Of kinds "thought", "beside", "retry" and "games"; and "value" and "second".
    this.position = desk.own(new Channel((message) => this.hear(message), state));
    this.game = desk.own(new Channel((message) => this.hearOfGame(message), state));
    this.live = true; // whether an agent thinks about each position that is shown
    desk.own(() => clearTimeout(this.later));
  }

  /** Whether an agent thinks about the position, or about the next one. */
  get thinks() {
    return this.live && !this.desk.retry.active;
  }

  // ------------------------------------------------------------ the position

  /** Another position: it is thought about soon. */
  arrived() {
    this.stop();
    const reviews = this.game.kind === "value"; // which evaluates the positions of the game as well
    if (this.thinks && !reviews && !this.desk.scene.setup) {
      this.later = setTimeout(() => this.think(), SETTLED);
    }
  }

  think() {
    const { desk } = this;
    const { scene, thoughts } = desk;
    clearTimeout(this.later);
    if (!scene || scene.over || scene.to_move < 0) return;
    this.position.send("thought", { type: "analyse", source: desk.here, ply: desk.ply, ...thoughts.wish });
    thoughts.state("waiting");
  }

  start() {
    this.live = true;
    if (this.desk.retry.active) this.desk.retry.end(); // which hid what is found
    else this.think();
  }

  pause() {
    this.live = false;
    this.stop();
  }

  /** Evaluates the position after a tried move, without showing what is found. */
  evaluate() {
    const { here: source, ply, thoughts } = this.desk;
    const { spec } = thoughts.wish;
    const wish = { type: "analyse", source, ply, seconds: RETRY_SECONDS };
    this.position.send("retry", spec ? { ...wish, spec } : wish);
  }

  /** Has the position evaluated by a second agent as well. */
  compare(spec) {
    const { here: source, ply, thoughts } = this.desk;
    this.position.send("beside", { type: "analyse", source, ply, spec, seconds: thoughts.seconds });
  }

  quickGames(action) {
    const { here: source, ply, thoughts } = this.desk;
    this.position.send("games", { type: "games", source, ply, action });
    thoughts.state("idle");
  }

  stop() {
    clearTimeout(this.later);
    this.position.stop();
    this.desk.opening.running = "";
    this.desk.thoughts.state("idle");
  }

  hear(message) {
    const { desk, position: { kind } } = this;
    const { opening, retry, thoughts } = desk;
    if (message.type === "thought" && retry.active) retry.evaluate(message);
    else if (kind === "beside" && message.type === "thought") thoughts.showSecond(message);
    else if (message.type === "thought") desk.showThought(message);
    else if (message.type === "games") opening.hear(message);
    else if (message.type === "done") {
      if (kind === "thought" && thoughts.thought) thoughts.state("done");
      this.position.kind = "";
    } else if (message.type === "error") {
      this.position.kind = "";
      this.live = false;
      opening.running = "";
      thoughts.state("idle");
      desk.app.say(failure(message), "error");
    }
  }

  // ------------------------------------------------------------ the game

  /** Reviews the game, or by `second` beside that; `ready` takes the review made when it ended. */
  sweep({ ready = false, second = "" } = {}) {
    const { curve, source, thoughts } = this.desk;
    const spec = second ? { spec: second } : thoughts.wish;
    if (!second) curve.clear();
    this.game.send(second ? "second" : "value",
      { type: "sweep", source, ...spec, seconds: curve.seconds, ready });
    curve.state("waiting");
  }

  stopReview() {
    this.game.stop();
    this.desk.curve.state("idle");
  }

  hearOfGame(message) {
    const { curve, app } = this.desk;
    const second = this.game.kind === "second";
    if (second && ["value", "review"].includes(message.type)) curve.hearSecond(message);
    else if (message.type === "value") curve.add(message);
    else if (message.type === "review") curve.finish(message);
    else if (["done", "error"].includes(message.type)) {
      this.game.kind = "";
      curve.state("idle");
      if (!this.position.kind && this.thinks) this.think();
      if (message.type === "error") app.say(failure(message), "error");
    }
  }
}
