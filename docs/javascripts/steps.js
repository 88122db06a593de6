// Pictures with steps: a slider shows one group `.step` of the picture at a time.

for (const figure of document.querySelectorAll("figure.steps")) {
  const steps = [...figure.querySelectorAll(".step")];
  const slider = Object.assign(document.createElement("input"), {
    type: "range", min: "0", max: String(steps.length - 1), value: String(steps.length - 1),
  });
  const words = document.createElement("output");
  const show = () => {
    steps.forEach((step, number) => {
      step.style.display = number === Number(slider.value) ? "" : "none";
    });
    words.textContent = steps[Number(slider.value)].dataset.words;
    slider.setAttribute("aria-valuetext", words.textContent);
  };
  slider.setAttribute("aria-label", figure.getAttribute("aria-label") ?? "step");
  slider.addEventListener("input", show);
  const label = document.createElement("label");
  label.append(slider, words);
  figure.append(label);
  show();
}
