/* Hikyaku in the browser. Every page works without this file; with it, choices do not reload the page, a waiting
   table follows by itself. No dependencies, no inline handlers. */
(() => {
  "use strict";
  const root = document.documentElement;
  const PULSE_MS = 15000;
  const SEEN_MS = 6000;
  const EAGER_MS = 3000;
  const EDGE = 8; /* px that stay free around what is laid or brought somewhere */
  const MOTION = { duration: 200, easing: "ease-out" };
  const LIT = ".stage button.place.lit, .stage details.place.lit > summary";
  const HAVE = "Hikyaku-Have"; /* names the parts this page has; the answer leaves them out */
  let busy = false;
  let followed = null;

  root.classList.add("js");

  /* ---------------------------------------------------------------- changing what is shown, and only that */

  const main = () => document.getElementById("main");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

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
    if (el.dataset.spot) return `[data-spot="${CSS.escape(el.dataset.spot)}"]`;
    const href = el.getAttribute("formaction") || el.getAttribute("href");
    if (href) return `[${el.hasAttribute("href") ? "href" : "formaction"}="${CSS.escape(href)}"]`;
    if (el.name && el.value) return `${el.localName}[name="${CSS.escape(el.name)}"][value="${CSS.escape(el.value)}"]`;
    return null;
  }

  /* The name by which an element is the same in two versions of a page. */
  const keyOf = (el) => el.nodeType === 1 &&
    (el.id || (el.dataset.part && el.dataset.part.split(".")[0]) || el.dataset.spot || el.dataset.piece || el.dataset.keep);

  /* What the reader has set, and not the page: it outlives every answer. */
  const OWN = { INPUT: ["checked", "value"], DETAILS: ["open"], BUTTON: ["aria-pressed"] };

  function copyAttributes(old, fresh) {
    const own = old.dataset.keep !== undefined || old.localName === "input" ? OWN[old.tagName] || [] : [];
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && name !== "style" && !own.includes(name)) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value && !own.includes(name)) old.setAttribute(name, value);
    }
    if (old.type === "hidden" || old.type === "range") old.value = fresh.getAttribute("value");
  }

  /* A part that was not sent again is the one this page had, also where the answer has put it somewhere else. */
  function refill(had) {
    for (const part of document.querySelectorAll("[data-same]")) {
      const mine = had.get(part.dataset.part);
      if (mine) part.replaceChildren(...(mine.isConnected ? mine.cloneNode(true) : mine).childNodes);
      delete part.dataset.same;
    }
  }

  /* The first of these siblings that an element without a name may go on as: something may have come before it. */
  function likeIt(next, at) {
    const like = (el) => el.nodeName === next.nodeName && !keyOf(el) && el.classList[0] === next.classList[0];
    while (at && !(at.nodeType === 1 && like(at))) at = at.nextSibling;
    return at;
  }

  /* Make the old element what the fresh one is, touching nothing that is the same already. */
  function become(old, fresh) {
    if (old.isEqualNode(fresh) || old.dataset.unkept !== undefined) return; /* what is written there is not kept yet */
    const same = fresh.dataset.same !== undefined && old.dataset.part === fresh.dataset.part;
    if (same) delete fresh.dataset.same;
    copyAttributes(old, fresh);
    if (same) return;
    const named = new Map();
    for (const child of old.children) { const key = keyOf(child); if (key) named.set(key, child); }
    let at = old.firstChild;
    for (const next of [...fresh.childNodes]) {
      const key = keyOf(next);
      let match = key ? named.get(key) : next.nodeType === 1 ? likeIt(next, at) : at;
      if (match && !key && match.nodeType === 1 && keyOf(match)) match = null;
      if (match && match.nodeType === next.nodeType && match.nodeName === next.nodeName) {
        if (match !== at) old.insertBefore(match, at); else at = at.nextSibling;
        if (match.nodeType === 1) become(match, next); else if (match.data !== next.data) match.data = next.data;
      } else {
        old.insertBefore(document.adoptNode(next), at);
      }
    }
    while (at) { const next = at.nextSibling; at.remove(); at = next; }
  }

  /* Pieces travel to where they are now, and numbers count. A stage that is moved takes its pieces along; a piece that is
     drawn twice travels where it is drawn first; what is still on its way goes on from where it is. Pieces that are alike
     are named by kind and place ("red@plank2"): one that is new at its place comes from where one of its kind lies no
     more, else from where they are kept ("red@"), and from the tab of a pane that is not to be seen. */
  const counting = new Map(); /* numbers on their way, and what they come to */
  let travels = [];

  const tabOf = (pane) => document.querySelector(`.tabs input[value="${/\bn(\d)\b/.exec(pane.className)[1]}"]`);

  function pieces() {
    const found = new Map(), stage = document.querySelector(".stage")?.getBoundingClientRect();
    for (const el of document.querySelectorAll(".frame [data-piece]")) {
      const seen = el.checkVisibility(), { piece } = el.dataset, known = found.get(piece), pane = el.closest(".pane");
      const { x, y, width, height } = (seen ? el : tabOf(pane).parentNode).getBoundingClientRect();
      const at = { x: x + width / 2 - stage.x, y: y + height / 2 - stage.y };
      if (width && (!known || seen > known.seen)) found.set(piece, { el, pane, seen, ...at });
    }
    return found;
  }

  function remember() {
    const before = { pieces: still.matches ? new Map() : pieces(), counts: new Map() };
    for (const el of document.querySelectorAll("[data-count]")) before.counts.set(el, el.textContent);
    for (const moving of travels) moving.cancel(); /* and the page that comes says of no pane that it is crossed */
    for (const [el, to] of counting) el.textContent = to;
    counting.clear();
    travels = [];
    return before;
  }

  function show(before) {
    if (still.matches) return;
    const now = pieces(), left = [...before.pieces].filter(([piece]) => !now.has(piece));
    for (const [piece, { el, pane, seen, x, y }] of now) {
      const kind = piece.split("@")[0] + "@", gone = left.findIndex(([it]) => it.startsWith(kind));
      const same = before.pieces.get(piece), was = same || (gone < 0 ? before.pieces.get(kind) : left.splice(gone, 1)[0][1]);
      const crosses = was && was.pane !== pane, comes = seen && was && (same ? same.seen && pane.closest(".stage") : was.seen || crosses);
      if (comes && Math.hypot(was.x - x, was.y - y) > EDGE) travel(el, was.x - x, was.y - y, crosses && pane);
    }
    for (const [el, text] of before.counts) {
      const from = Number(text), to = Number(el.textContent);
      if (el.isConnected && text !== el.textContent && Number.isInteger(from) && Number.isInteger(to)) count(el, from, to);
    }
  }

  /* What comes to a pane from another one is to be seen on its way. */
  function travel(el, x, y, pane) {
    const moving = el.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], MOTION);
    travels.push(moving);
    if (!pane) return;
    pane.classList.toggle("crossed", pane.scrollHeight <= pane.clientHeight);
    moving.onfinish = () => pane.classList.remove("crossed");
  }

  function count(el, from, to) {
    const begun = performance.now(), run = String(to);
    counting.set(el, run);
    el.animate([{ color: "var(--counted, var(--vermilion-ink))" }, {}], { duration: 900 });
    (function tick(now) {
      if (counting.get(el) !== run) return;
      const part = Math.max(0, Math.min(1, (now - begun) / MOTION.duration)); /* a frame may be older than its cause */
      el.textContent = String(Math.round(from + (to - from) * part));
      if (part < 1) requestAnimationFrame(tick); else counting.delete(el);
    })(begun);
  }

  /* The parts of this page that the server need not send again, by name. */
  const parts = () => new Map([...document.querySelectorAll("[data-part]")].map((el) => [el.dataset.part, el]));
  const have = () => [...parts().keys()].join(" ");

  function swap(html, { hadFocus }) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh || fresh.className !== main().className) return false;
    const before = remember(), { open, lit } = main().dataset, heard = news();
    const byKey = document.activeElement?.matches(".stage :focus-visible");
    const had = parts(), acting = document.activeElement;
    hidePeek();
    document.title = page.title;
    if (acting?.classList.contains("busy")) acting.blur(); /* one that goes while it has the focus has all laid out anew */
    for (const part of ["header.top", "#main"]) {
      const now = page.querySelector(part), was = document.querySelector(part);
      if (now && was) become(was, now);
    }
    refill(had);
    const icon = document.querySelector('link[rel="icon"]'), next = page.querySelector('link[rel="icon"]');
    if (icon && next && icon.getAttribute("href") !== next.getAttribute("href")) icon.replaceWith(document.adoptNode(next));
    dress(main());
    openPane(lit && lit.trim() ? open : null); /* a page on which nothing was asked had no pane to keep */
    show(before);
    if (NARROW.matches && news() && news() !== heard) scrollTo({ top: 0, behavior: "instant" });
    bringIntoSight();
    if (hadFocus) focusAgain(hadFocus, byKey);
    return true;
  }

  /* What had the focus, if it can have it still. Whoever plays on the board by keyboard goes on there. */
  function focusAgain(hadFocus, byKey) {
    const lit = byKey ? [...document.querySelectorAll(LIT)].find((el) => el.checkVisibility()) : null;
    for (const el of [document.querySelector(hadFocus), lit, document.getElementById("prompt"), main()]) {
      if (!document.activeElement || document.activeElement === document.body) el?.focus({ preventScroll: el !== lit });
    }
  }

  function announce() {
    const notice = document.querySelector("main .notice");
    const prompt = document.getElementById("prompt") || document.querySelector(".clock h1");
    say([notice, prompt].map((el) => el && el.textContent.trim()).filter(Boolean).join(" "));
  }

  /* Which "while you were away" is to be seen: a phone comes back to its top to show a new one. */
  const news = () => document.querySelector(".away:not([hidden])")?.dataset.once;

  /* A step brings its board to the front. While it stays the same one, so does the pane that the reader looks at, if
     something is to be chosen there as well. */
  function openPane(before) {
    const { lit, open } = main().dataset;
    const tab = document.querySelector(".tabs input:checked");
    if (!open || !tab || !(lit || "").trim() || (open === before && lit.split(" ").includes(tab.value))) return;
    const wanted = document.querySelector(`.tabs input[value="${open}"]`);
    if (wanted) wanted.checked = true;
  }

  /* A place with the badge that hangs over its edge. */
  function whole(place) {
    const boxes = [place, place.querySelector(".badge") || place].map((el) => el.getBoundingClientRect());
    return { top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
  }

  /* How far down the header reaches, on a phone with what sticks to it. */
  function roof() {
    const sticking = NARROW.matches ? [...document.querySelectorAll("[data-sticks]")].map((el) => el.offsetHeight) : [];
    return document.querySelector("header.top").getBoundingClientRect().bottom + Math.max(0, ...sticking);
  }

  /* On a phone: when nothing that can be chosen now is in sight, all of it comes, or as much as fits. Else nothing moves. */
  function bringIntoSight() {
    if (!NARROW.matches) return;
    const lit = [...document.querySelectorAll(".stage .place.lit")].filter((el) => el.checkVisibility());
    const top = roof(), bottom = document.querySelector(".thumb").getBoundingClientRect().top;
    const seen = (box) => box.top >= top && box.bottom <= bottom;
    const boxes = lit.map(whole);
    if (!lit.length || boxes.some(seen)) return;
    const above = boxes[0].top - top - EDGE, below = Math.max(...boxes.map((box) => box.bottom)) - bottom + EDGE;
    scrollBy({ top: above < 0 ? above : Math.min(above, below), behavior: still.matches ? "instant" : "smooth" });
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
      const headers = { Accept: "text/html", [HAVE]: have() || "-" };
      const answer = await fetch(action, { method: "POST", body, headers });
      if (answer.status > 501) throw answer; /* what stands before the table cannot reach it */
      const html = await answer.text();
      if (answer.ok && answer.redirected && new URL(answer.url).pathname !== location.pathname) {
        location.assign(answer.url); /* to another table: its boards are not to be made of these */
        return;
      }
      if (!answer.ok || !swap(html, { hadFocus })) {
        /* Another page, or trouble: let the browser show it as it would without us. Acting twice is harmless, since
           the server compares the version and the step that the form carries. */
        if (answer.ok && answer.redirected) { location.assign(answer.url); return; }
        plainSubmit(form, button);
        return;
      }
      announce();
    } catch (_) {
      await orSay(() => plainSubmit(form, button));
    } finally {
      busy = false;
    }
  }

  /* What we asked for did not come. Where only our asking is held up, the browser goes there itself; where nothing can be
     reached the page stays, with all that is on it, and says so. */
  async function orSay(go) {
    const probe = new Image();
    probe.src = `/static/icon.svg?${Date.now()}`;
    const there = await probe.decode().then(() => true, () => false), dock = document.querySelector(".dock");
    if (there || !dock) { go(); return; }
    for (const el of document.querySelectorAll("button.busy")) el.classList.remove("busy");
    found();
    const box = document.createElement("div"), text = document.createElement("p");
    box.className = "notices";
    box.dataset.lost = "";
    text.className = "notice bad";
    text.textContent = said.dataset.unreachable;
    box.append(text);
    dock.before(box);
    say(text.textContent);
  }

  function found() { document.querySelector("[data-lost]")?.remove(); }

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
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) pulse();
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    for (const el of document.querySelectorAll("button.busy")) el.classList.remove("busy");
  });

  /* ---------------------------------------------------------------- following */

  async function pulse() {
    const here = main();
    const url = here && here.dataset.pulse;
    if (!url || document.hidden || busy) return;
    let voted = false;
    try {
      if (here.dataset.eager === undefined) {
        const beat = await (await fetch(url, { headers: { Accept: "application/json" } })).json();
        const version = String(beat.version), talked = String(beat.said) !== here.dataset.said;
        voted = beat.standing !== here.dataset.standing;
        found();
        /* The page may name the version it was asked at, which can be older than the newest: follow each but once. */
        if (((version === here.dataset.version || version === followed) && !talked && !voted) || busy) return;
        followed = version;
      }
      const headers = { Accept: "text/html", [HAVE]: have() };
      const page = await fetch(here.dataset.here || location.href, { headers });
      const html = await page.text();
      if (!page.ok || busy) return;
      const before = document.title;
      swap(html, { hadFocus: focusKey() });
      if (before !== document.title) announce();
      else if (voted) say(document.querySelector(".proposals .motion p")?.textContent.trim());
    } catch (_) {
      return; /* Out of reach for now: the next beat tries again. */
    }
  }
  setInterval(pulse, PULSE_MS);
  /* A turn that was sent and not yet played: the word comes in seconds. */
  setInterval(() => { const here = main(); if (here && here.dataset.eager !== undefined) pulse(); }, EAGER_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) pulse(); });

  /* ---------------------------------------------------------------- small comforts */

  /* What changed since the last turn keeps its edge until it has been looked at for a while. */
  const eyes = "IntersectionObserver" in window && new IntersectionObserver((looks) => {
    for (const look of looks) {
      if (!look.isIntersecting) continue;
      eyes.unobserve(look.target);
      setTimeout(() => look.target.classList.add("seen"), SEEN_MS);
    }
  }, { threshold: 0.9 });

  /* Talk is heard once it comes into sight: at the desk it lies further down. */
  const ears = "IntersectionObserver" in window && new IntersectionObserver(() => countTalk());

  function dress(part) {
    if (eyes) for (const el of part.querySelectorAll(".changed:not(.seen)")) eyes.observe(el);
    for (const el of part.querySelectorAll("[data-once]")) el.hidden = store.get("once:" + el.dataset.once) !== null;
    countTalk();
    if (ears) for (const el of part.querySelectorAll("[data-talk]")) ears.observe(el);
    for (const el of part.querySelectorAll("[data-remember]:not([data-dressed])")) {
      el.dataset.dressed = "";
      el.checked = store.get(el.dataset.remember) === "yes";
    }
  }

  /* What the reader has closed or opened, kept in this browser, and where they look, in this tab. Where nothing can be
     kept, things are shown as they come. */
  const keeper = (where) => ({
    get(key) { try { return window[where].getItem(key); } catch (_) { return null; } },
    set(key, value) { try { window[where].setItem(key, value); } catch (_) { return; } },
  });
  const store = keeper("localStorage"), glance = keeper("sessionStorage");

  /* A table that is loaded again shows what was looked at: what was read beside the board, and the pane as long as the
     same is asked. Else it shows what the page says, whatever a browser has put back into its fields; so it does where
     its address names a pane, once. */
  const asked = () => ["version", "step"].map((name) => document.getElementById("choose")?.elements[name].value).join();
  const looked = (name, at) => document.querySelector(`.frame [name=${name}]${at}`);

  function lookAgain() {
    const here = new URL(location), named = here.searchParams.has("pane");
    const last = (!named && JSON.parse(glance.get(location.pathname))) || {};
    if (last.asked !== asked()) delete last.pane;
    for (const name of ["pane", "beside"]) {
      const it = looked(name, `[value="${last[name]}"]`) || looked(name, "[checked]");
      if (it) it.checked = true;
    }
    here.searchParams.delete("pane");
    if (named) history.replaceState(null, "", here);
  }

  function keepLook() {
    const [pane, beside] = ["pane", "beside"].map((name) => looked(name, ":checked")?.value);
    if (pane) glance.set(location.pathname, JSON.stringify({ pane, beside, asked: asked() }));
  }
  for (const kind of ["pagehide", "visibilitychange"]) addEventListener(kind, keepLook);

  document.addEventListener("change", (event) => {
    const { remember } = event.target.dataset;
    if (remember) store.set(remember, event.target.checked ? "yes" : "no");
  });

  document.addEventListener("click", (event) => {
    const box = event.target.closest("[data-dismiss]")?.parentElement;
    if (!box) return;
    box.hidden = true;
    if (box.dataset.once) store.set("once:" + box.dataset.once, "closed");
  });

  /* ---------------------------------------------------------------- talk and notes */

  /* How many lines are new since talk was last looked at in this browser; those that were when this page was opened keep
     their edge. Where the browser remembers nothing yet, they are those that the page calls new. */
  let heardBefore;

  function countTalk() {
    const talk = document.querySelector("[data-talk]");
    if (!talk) return;
    const key = "heard:" + talk.dataset.talk, lines = [...talk.querySelectorAll("[data-line]")];
    const since = (heard) => lines.filter((el) => heard === null ? el.classList.contains("unheard") : el.dataset.line > Number(heard));
    if (heardBefore === undefined) heardBefore = store.get(key);
    const edged = since(heardBefore), count = since(store.get(key)).length, box = talk.getBoundingClientRect();
    const seen = talk.checkVisibility() && box.top < innerHeight && box.bottom > 0;
    for (const line of lines) line.classList.toggle("unheard", edged.includes(line));
    if (seen && lines.length) store.set(key, Math.max(...lines.map((el) => el.dataset.line)));
    for (const mark of document.querySelectorAll("[data-new]")) {
      mark.hidden = seen || !count;
      mark.textContent = count;
    }
  }
  document.addEventListener("change", (event) => { if (event.target.matches("[name=beside], .tabs input")) countTalk(); });

  /* Notes are kept a moment after the last letter; what was changed elsewhere meanwhile is not overwritten. */
  const NOTES_MS = 1200;
  let writing = null;

  async function keepNotes(form) {
    clearTimeout(writing);
    writing = null;
    if (form.dataset.unkept === undefined) return;
    const body = new URLSearchParams(new FormData(form)), state = form.querySelector("[data-state]");
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(form.action, { method: "POST", body, headers, keepalive: true });
      const told = await answer.json();
      if (answer.ok) {
        form.elements.revision.value = told.revision;
        if (form.elements.text.value === body.get("text")) { delete form.dataset.unkept; state.textContent = state.dataset.kept; }
      } else {
        state.textContent = told.why || (answer.status === 409 ? state.dataset.elsewhere : state.dataset.unkept);
      }
    } catch (_) {
      state.textContent = state.dataset.unkept;
    }
  }

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-notes]");
    if (!form) return;
    const state = form.querySelector("[data-state]");
    form.dataset.unkept = "";
    state.textContent = state.dataset.writing;
    clearTimeout(writing);
    writing = setTimeout(() => keepNotes(form), NOTES_MS);
  });
  document.addEventListener("visibilitychange", () => {
    const form = document.querySelector("form[data-notes][data-unkept]");
    if (document.hidden && form) keepNotes(form);
  });

  /* ---------------------------------------------------------------- on the board */

  const NARROW = matchMedia("(max-width: 739px), (max-width: 959px) and (max-height: 879px)");

  /* A place on the screen beside `at`, inside the window; beside all around it that is to be seen with it. Of a row, in
     which what else could be chosen lies beside it, above or below. */
  function layBeside(el, at) {
    const box = (at.closest("[data-beside]") || at).getBoundingClientRect(), { width, height } = el.getBoundingClientRect();
    const right = box.right + EDGE, left = box.left - width - EDGE, over = box.top - height - EDGE, under = box.bottom + EDGE;
    const row = at.closest("[data-row]");
    const beside = row ? null : right + width < innerWidth - EDGE ? right : left > EDGE ? left : null;
    const below = row ? over < EDGE : under + height < innerHeight - EDGE;
    const x = beside ?? Math.min(Math.max(EDGE, box.left), innerWidth - width - EDGE);
    const y = beside !== null ? box.top : below ? under : over;
    el.style.left = `${x}px`;
    el.style.top = `${Math.min(Math.max(EDGE, y), innerHeight - height - EDGE)}px`;
  }

  /* Beside its place; on a phone it is a sheet above the tabs. */
  function layOut(el, at) {
    if (!NARROW.matches) { layBeside(el, at); return; }
    el.style.left = el.style.top = "";
    el.style.setProperty("--thumb", `${document.querySelector(".thumb").offsetHeight}px`);
  }

  /* The consequence of a lit place, or what lies at another, beside it as long as it is pointed at or has the focus. */
  const POINTS = matchMedia("(hover: hover)"); /* a finger leaves a pointer behind that points at nothing */
  const peek = document.createElement("div");
  peek.className = "peeking";
  peek.setAttribute("aria-hidden", "true"); /* the place's own label says the same */

  function hidePeek() { peek.remove(); }

  function showPeek(event) {
    const place = event.target.closest?.("button.place.lit, [data-tells]");
    const told = place?.hasAttribute("data-tells") ? place.getAttribute("aria-label") : place?.querySelector(".peek");
    hidePeek();
    if (!told || event.type.startsWith("pointer") && place.dataset.tells === "asked") return;
    peek.replaceChildren(...(told.cloneNode ? told.cloneNode(true).childNodes : [told]));
    (place.closest("dialog") || document.body).append(peek);
    layOut(peek, place);
  }
  let rests = ""; /* where the pointer was when it chose: what came under it since was not pointed at */
  const where = ({ clientX, clientY }) => `${clientX} ${clientY}`;

  function pointed(event) {
    if (!POINTS.matches || event.pointerType === "touch" || where(event) === rests) return;
    if (event.type === "pointerover" || rests && !peek.isConnected) showPeek(event);
    rests = "";
  }
  for (const kind of ["pointerover", "pointermove"]) document.addEventListener(kind, pointed);
  document.addEventListener("click", (event) => {
    rests = event.detail ? where(event) : "";
    if (event.target.closest?.("[data-tells]")) showPeek(event); else hidePeek();
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) showPeek(event); });
  document.addEventListener("focusout", hidePeek);

  /* What a choice would make of numbers on the board (data-would="i04=8 ...") is shown where they stand
     (data-gauge="i04"), as long as it is pointed at, has the focus or lies open. The rest is style. */
  let foretold = null;

  function foretell(event) {
    const seen = event.target.closest?.(".card button, .place.lit") || document.querySelector("details.place[open]");
    const would = seen?.closest(".card [data-would]") || seen?.querySelector("[data-would]");
    if (would === foretold) return;
    foretold = would;
    for (const gauge of document.querySelectorAll("[data-then]")) delete gauge.dataset.then;
    for (const change of would?.dataset.would.trim().split(/\s+/) || []) {
      const [what, then] = change.split("=");
      for (const gauge of document.querySelectorAll(`[data-gauge="${CSS.escape(what)}"]`)) {
        gauge.dataset.then = then;
        gauge.classList.toggle("less", then < (parseInt(gauge.textContent) || 0));
        gauge.style.setProperty("--then", then);
      }
    }
  }
  for (const kind of ["pointerover", "focusin", "toggle"]) document.addEventListener(kind, foretell, true);

  /* A card opens with its place, and is never seen before it lies where it belongs: the event comes a frame too late. */
  function layCard(place) {
    if (!place.open || !place.matches?.("details.place")) return null;
    for (const other of document.querySelectorAll("details.place[open]")) if (other !== place) other.open = false;
    const card = place.querySelector(".card");
    if (getComputedStyle(card).position !== "fixed") return null; /* it lies on the place itself */
    layOut(card, place.querySelector("summary"));
    return card;
  }
  new MutationObserver((opened) => { for (const { target } of opened) layCard(target); })
    .observe(document.documentElement, { subtree: true, attributeFilter: ["open"] });

  /* On a phone the place is scrolled clear of its card. */
  document.addEventListener("toggle", (event) => {
    const card = layCard(event.target);
    if (!card || !NARROW.matches) return;
    const hidden = event.target.getBoundingClientRect().bottom - card.getBoundingClientRect().top + 8;
    if (hidden > 0) window.scrollBy({ top: hidden, behavior: still.matches ? "instant" : "smooth" });
  }, true);

  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.place[open], header details[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    hidePeek();
    for (const open of document.querySelectorAll("details.place[open], header details[open]")) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });

  /* Between the header and the tabs of a phone; on a desktop, where panes scroll by themselves, in the middle of its own. */
  function bringInto(el) {
    const { top, bottom } = el.getBoundingClientRect(), thumb = document.querySelector(".thumb").getBoundingClientRect();
    const lowest = thumb.height ? thumb.top : document.querySelector(".dock").getBoundingClientRect().top;
    if (top >= roof() && bottom <= lowest) return;
    el.scrollIntoView({ block: "center", behavior: still.matches ? "instant" : "smooth" });
  }

  /* A line that is touched makes its places blink: those of all moves it tells of. */
  async function pointAt(link) {
    const { where } = main().dataset;
    const moves = link.dataset.where.split(" ").map((move) => `move=${move}`).join("&");
    const found = await fetch(`${where}${where.includes("?") ? "&" : "?"}${moves}`);
    if (!found.ok) { location.assign(link.href); return; }
    const { spots } = await found.json();
    const places = spots.flatMap((spot) => [...document.querySelectorAll(`[data-spot="${CSS.escape(spot)}"]`)]);
    if (!places.length) { location.assign(link.href); return; }
    const hidden = places.every((el) => !el.checkVisibility());
    const pane = hidden && [...document.querySelectorAll(".pane")].find((el) => el.contains(places[0]));
    if (pane) tabOf(pane).checked = true;
    const seen = places.filter((el) => el.checkVisibility());
    if (seen.length) bringInto(seen[0]);
    const edge = { outline: "4px solid var(--vermilion)", outlineOffset: "2px" };
    for (const el of places) {
      if (still.matches) el.animate([edge, edge], { duration: 2100 }); else el.animate([edge, {}], { duration: 700, iterations: 3 });
    }
  }

  /* Another player's board lies over the table. */
  async function openSheet(link) {
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const sheet = page.getElementById("sheet");
    if (!answer.ok || !sheet) { location.assign(link.href); return; }
    const dialog = document.createElement("dialog");
    dialog.className = "sheet-over";
    dialog.setAttribute("aria-labelledby", "whose");
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.textContent = "×";
    close.setAttribute("aria-label", said.dataset.close);
    close.addEventListener("click", () => dialog.close());
    dialog.append(close, document.adoptNode(sheet));
    dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    const link = event.target.closest("a[data-where], a[data-sheet], a[data-follow]");
    if (!link) return;
    event.preventDefault();
    const points = link.dataset.where !== undefined && main().dataset.where;
    const shown = points ? pointAt(link) : link.dataset.sheet !== undefined ? openSheet(link) : turnTo(link.href);
    shown.catch(() => orSay(() => location.assign(link.href)));
  });

  /* ---------------------------------------------------------------- looking back without reloads */

  let turning = 0;

  async function turnTo(href) {
    const mine = ++turning;
    try {
      const answer = await fetch(href, { headers: { [HAVE]: have() || "-" } });
      const html = await answer.text();
      if (mine !== turning) return; /* the slider has moved on */
      if (!answer.ok || !swap(html, { hadFocus: focusKey() })) { location.assign(href); return; }
      history.replaceState(null, "", href);
    } catch (_) {
      await orSay(() => location.assign(href));
    }
  }

  /* Whoever wants to look at another moment (replay.js) is told once it is there. */
  document.addEventListener("turn-to", ({ detail }) => detail.there(turnTo(detail.href)));

  /* Links that name a key (data-key="ArrowLeft") can be followed with it, when nobody is typing. */
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=radio]), select, textarea, [tabindex='0']")) return;
    const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
  });

  lookAgain();
  dress(document);
  if (main().matches(".frame")) bringIntoSight();
})();
