// The page that asks for the server's password.

const form = document.getElementById("login");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = document.getElementById("said");
  const password = document.getElementById("password").value;
  const answer = await fetch("/api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password }),
  });
  if (answer.ok) location.replace("/");
  else said.textContent = (await answer.json()).error;
});
