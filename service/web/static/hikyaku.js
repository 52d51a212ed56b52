/* Hikyaku in the browser. Every page works without this file; with it, choices do not reload the page, a waiting
   table follows by itself, and times and zones are the reader's own. No dependencies, no inline handlers. */
(() => {
  "use strict";
  const root = document.documentElement;
  const PULSE_MS = 15000;
  const SEEN_MS = 6000;
  const EAGER_MS = 3000;
  let busy = false;
  let followed = null;

  root.classList.add("js");

  /* ---------------------------------------------------------------- swapping <main> */

  const main = () => document.getElementById("main");

  /* Where the page lets itself be heard. It also carries the few words this script has to say, in its language. */
  const said = document.getElementById("said");

  function say(text) {
    if (said && text) { said.textContent = ""; requestAnimationFrame(() => { said.textContent = text; }); }
  }

  /* What has the focus, told so that it can be found again in another version of the page. */
  function focusKey() {
    const el = document.activeElement;
    if (!el || el === document.body || el === main()) return null;
    if (el.id) return "#" + CSS.escape(el.id);
    const href = el.getAttribute("formaction") || el.getAttribute("href");
    if (href) return `[${el.hasAttribute("href") ? "href" : "formaction"}="${CSS.escape(href)}"]`;
    if (el.name && el.value) return `${el.localName}[name="${CSS.escape(el.name)}"][value="${CSS.escape(el.value)}"]`;
    return null;
  }

  function keepFolds(from, to) {
    for (const old of from.querySelectorAll("details[data-keep]")) {
      const now = to.querySelector(`details[data-keep="${CSS.escape(old.dataset.keep)}"]`);
      if (now) now.open = old.open;
    }
  }

  function swap(html, { hadFocus, toPrompt }) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh) return false;
    const old = main();
    const at = window.scrollY;
    keepFolds(old, fresh);
    if (toPrompt) { const bar = fresh.querySelector('.bar details[data-keep="bar"]'); if (bar) bar.open = true; }
    old.replaceWith(document.adoptNode(fresh));
    document.title = page.title;
    for (const part of [".top", ".foot"]) {
      const now = page.querySelector(part), was = document.querySelector(part);
      if (now && was) was.replaceWith(document.adoptNode(now));
    }
    const icon = document.querySelector('link[rel="icon"]'), next = page.querySelector('link[rel="icon"]');
    if (icon && next && icon.getAttribute("href") !== next.getAttribute("href")) icon.replaceWith(document.adoptNode(next));
    dress(main());
    window.scrollTo({ top: at, behavior: "instant" });
    if (hadFocus) {
      const again = main().querySelector(hadFocus);
      const target = again && !again.disabled ? again : document.getElementById("prompt") || main();
      target.focus({ preventScroll: true });
    }
    return true;
  }

  function announce() {
    const notice = document.querySelector("main .notice");
    const prompt = document.getElementById("prompt") || document.querySelector(".clock h1");
    say([notice, prompt].map((el) => el && el.textContent.trim()).filter(Boolean).join(" "));
  }

  /* ---------------------------------------------------------------- acting */

  function plainSubmit(form, button) {
    form.dataset.plain = "yes";
    for (const el of form.elements) el.classList.remove("busy");
    form.requestSubmit(button);
  }

  async function submitQuietly(form, button) {
    const action = (button && button.getAttribute("formaction")) || form.getAttribute("action") || location.href;
    const body = new URLSearchParams(new FormData(form));
    if (button && button.name) body.set(button.name, button.value);
    const hadFocus = focusKey() || "#prompt";
    busy = true;
    if (button) button.classList.add("busy");
    try {
      const answer = await fetch(action, { method: "POST", body, credentials: "same-origin", headers: { Accept: "text/html" } });
      const html = await answer.text();
      if (answer.status >= 500 || new URL(answer.url).pathname !== location.pathname || !swap(html, { hadFocus, toPrompt: true })) {
        /* Another page, or trouble: let the browser show it as it would without us. Acting twice is harmless, since
           the server compares the version and the step that the form carries. */
        if (answer.ok && answer.redirected) { location.assign(answer.url); return; }
        plainSubmit(form, button);
        return;
      }
      announce();
    } catch (_) {
      say(said.dataset.unreachable);
      plainSubmit(form, button);
    } finally {
      busy = false;
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.plain === "yes") { delete form.dataset.plain; return; }
    if (form.dataset.swap !== undefined) {
      event.preventDefault();
      if (!busy) submitQuietly(form, event.submitter);
    } else if (form.dataset.sent === "yes") {
      event.preventDefault();
    } else if ((form.method || "get") === "post") {
      form.dataset.sent = "yes";
      if (event.submitter) event.submitter.classList.add("busy");
    }
  });
  /* A page brought back by the back button may be clicked again. */
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    for (const el of document.querySelectorAll("button.busy")) el.classList.remove("busy");
  });

  /* ---------------------------------------------------------------- following */

  async function pulse() {
    const here = main();
    const url = here && here.dataset.pulse;
    if (!url || document.hidden || busy) return;
    try {
      if (here.dataset.eager === undefined) {
        const beat = await (await fetch(url, { credentials: "same-origin", headers: { Accept: "application/json" } })).json();
        const version = String(beat.version);
        /* The page may name the version it was asked at, which can be older than the newest: follow each but once. */
        if (version === here.dataset.version || version === followed || busy || main() !== here) return;
        followed = version;
      }
      const page = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
      const html = await page.text();
      if (!page.ok || busy || main() !== here) return;
      const before = document.title + here.querySelector(".clock")?.textContent;
      swap(html, { hadFocus: focusKey() });
      if (before !== document.title + main().querySelector(".clock")?.textContent) announce();
    } catch (_) {
      return; /* Out of reach for now: the next beat tries again. */
    }
  }
  setInterval(pulse, PULSE_MS);
  /* A turn that was sent and not yet played: the word comes in seconds. */
  setInterval(() => { const here = main(); if (here && here.dataset.eager !== undefined) pulse(); }, EAGER_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) pulse(); });

  /* ---------------------------------------------------------------- small comforts */

  function guessZone(part) {
    let zone;
    try { zone = Intl.DateTimeFormat().resolvedOptions().timeZone; } catch (_) { return; }
    if (!zone) return;
    for (const form of part.querySelectorAll("form[data-guess-zone]")) {
      const field = form.elements[form.dataset.guessZone || "zone"];
      if (!field || (field.value && field.value !== "UTC" && field.type !== "hidden")) continue;
      if (field.localName !== "select" || [...field.options].some((o) => o.value === zone)) field.value = zone;
    }
  }

  function localTimes(part) {
    const how = new Intl.DateTimeFormat(root.lang || undefined, {
      weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
    });
    for (const el of part.querySelectorAll("time[datetime][data-local]")) {
      const when = new Date(el.dateTime);
      if (isNaN(when)) continue;
      el.title = el.title || el.textContent.trim();
      el.textContent = how.format(when);
    }
  }

  /* What changed since the last turn keeps its edge until it has been looked at for a while. */
  const eyes = "IntersectionObserver" in window && new IntersectionObserver((looks) => {
    for (const look of looks) {
      if (!look.isIntersecting) continue;
      eyes.unobserve(look.target);
      setTimeout(() => look.target.classList.add("seen"), SEEN_MS);
    }
  }, { threshold: 0.9 });

  function dress(part) {
    guessZone(part);
    localTimes(part);
    if (eyes) for (const el of part.querySelectorAll(".changed")) eyes.observe(el);
  }

  /* Links that name a key (data-key="ArrowLeft") can be followed with it, when nobody is typing. */
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [tabindex='0']")) return;
    const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = button.dataset.copy.startsWith("#") ? document.querySelector(button.dataset.copy) : null;
    const text = source ? source.value || source.textContent : button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch (_) {
      if (!source || !source.select) return;
      source.select();
      document.execCommand("copy");
    }
    const label = button.textContent;
    button.textContent = said.dataset.copied;
    say(said.dataset.copied);
    setTimeout(() => { button.textContent = label; }, 2000);
  });

  dress(document);
})();
