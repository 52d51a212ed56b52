/* Looking back without reloads: the slider, and moves that play by themselves. What is shown is changed by hikyaku.js,
   which is asked for another moment and says when it is there. */
(() => {
  "use strict";
  const STEP_MS = 1200; /* a move that plays by itself */

  const turnTo = (href) => new Promise((there) => {
    document.dispatchEvent(new CustomEvent("turn-to", { detail: { href, there } }));
  });

  function moveTo(move) {
    const form = document.querySelector("form[data-replay]");
    const asked = new URLSearchParams(new FormData(form));
    asked.set("move", move);
    return turnTo(`${form.action}?${asked}`);
  }

  document.addEventListener("input", (event) => { if (event.target.id === "move") moveTo(event.target.value); });

  let playing = null;

  function stop() {
    clearTimeout(playing);
    playing = null;
    document.querySelector("[data-play]")?.setAttribute("aria-pressed", "false");
  }

  /* The next move once this one is there, however long it takes to come. */
  async function playOn() {
    const slider = document.getElementById("move");
    if (!slider || Number(slider.value) >= Number(slider.max)) { stop(); return; }
    await moveTo(Number(slider.value) + 1);
    if (playing) playing = setTimeout(playOn, STEP_MS);
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-play]");
    if (!button) return;
    if (playing) { stop(); return; }
    const slider = document.getElementById("move");
    button.setAttribute("aria-pressed", "true");
    playing = true;
    if (slider.value === slider.max) await moveTo(0); /* from the beginning */
    if (playing) playing = setTimeout(playOn, 0);
  });
})();
