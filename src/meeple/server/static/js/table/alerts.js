// A sound and a notification when it is one's turn, for those who want them.

import { t } from "../messages.js";
import { recall, remember } from "../storage.js";
import { checkbox, html } from "../view.js";

const SOUND = "meeple.sound"; // the keys of the settings, which are kept
const NOTICE = "meeple.notice";
const TONE = { hertz: 660, loudness: 0.15, seconds: 0.3 };

let audio = null;

function isOn(key) {
  return recall(key) === "on";
}

/** The settings, for the help of a table; `refused(text)` tells why one cannot be chosen. */
export function alertSettings(refused) {
  const sound = (on) => {
    remember(SOUND, on ? "on" : "off");
    if (on) beep();
  };
  return html`<div>${checkbox(t("alerts.sound"), isOn(SOUND), sound)}
    ${checkbox(t("alerts.notice"), isOn(NOTICE), (on) => ask(on, refused))}
  </div>`;
}

async function ask(on, refused) {
  const permission = !on ? "" : "Notification" in window ? await Notification.requestPermission() : "missing";
  const granted = permission === "granted";
  remember(NOTICE, granted ? "on" : "off");
  if (on && !granted) refused(t("alerts.refused"));
}

/** Tells that it is one's turn; `text` says what happened. */
export function alertTurn(title, text) {
  if (isOn(SOUND)) beep();
  if (!document.hidden || !isOn(NOTICE) || window.Notification?.permission !== "granted") return;
  const notice = new Notification(t("alerts.turn", { game: title }), { body: text, tag: "meeple-turn" });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}

function beep() {
  audio ??= new AudioContext();
  audio.resume();
  const [tone, level] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.frequency.value = TONE.hertz;
  level.gain.setValueAtTime(TONE.loudness, now);
  level.gain.exponentialRampToValueAtTime(0.001, now + TONE.seconds);
  tone.connect(level).connect(audio.destination);
  tone.start(now);
  tone.stop(now + TONE.seconds);
}
