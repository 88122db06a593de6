// The page that asks for the server's password.

const form = document.getElementById("login");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = document.getElementById("said");
  const field = /** @type {HTMLInputElement} */ (document.getElementById("password"));
  said.textContent = "";
  let error = "The server does not answer; is it still running?";
  try {
    const answer = await fetch("/api/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ password: field.value }),
    });
    if (answer.ok) {
      location.replace(`/${location.hash}`); // where one wanted to go at first
      return;
    }
    ({ error } = await answer.json());
  } catch {
    // the sentence above says it
  }
  said.textContent = `${error[0].toUpperCase()}${error.slice(1)}.`.replace(/([.?!])\.$/, "$1");
  field.select();
});
