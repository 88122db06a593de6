// The page that asks for the server's password.

import { ended, failure, t } from "./messages.js";

const form = document.getElementById("login");
document.title = t("login.title");
form.querySelector("label").textContent = t("login.label");
form.querySelector("button").textContent = t("login.enter");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = document.getElementById("said");
  const field = /** @type {HTMLInputElement} */ (document.getElementById("password"));
  said.textContent = "";
  let words = t("common.silent");
  try {
    const answer = await fetch("/api/login", { method: "POST",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify({ password: field.value }) });
    if (answer.ok) {
      location.replace(`/${location.hash}`); // where one wanted to go at first
      return;
    }
    words = failure(await answer.json());
  } catch {
    // the sentence above says it
  }
  said.textContent = ended(words);
  field.select();
});
