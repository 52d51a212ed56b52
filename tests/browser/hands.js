/* The eyes of hands.py in the page. They measure what is to be seen and say where a finger has to come down; they
   touch nothing. One expression: the functions by name. */
(() => {
  "use strict";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const visible = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const text = (el) => (el.innerText || el.textContent || "").trim().slice(0, 30);
  const name = (el) => `${el.localName}.${[...el.classList].join(".")} "${text(el)}"`;
  const POLL_MS = 10;
  const WAIT_MS = 30000;
  /* Where pages may move a scroll begins with a frame, which a busy machine is late with: nobody is that fast. */
  const REST_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250;

  /* What comes of it, as soon as something does; else the last complaint. */
  async function until(comes) {
    const give_up = performance.now() + WAIT_MS;
    for (;;) {
      const { it, complaint } = comes();
      if (it) return it;
      if (performance.now() > give_up) throw new Error(complaint);
      await new Promise((go_on) => setTimeout(go_on, POLL_MS)); /* a frame would have everything drawn once more */
    }
  }

  /* Where the parts of the board lie, on the page and not on the screen. Pieces may move: that is what was chosen. */
  function parts() {
    const shown = all(".stage [data-part]").filter((el) => el.checkVisibility());
    const at = ({ x, y }) => [x + scrollX, y + scrollY];
    return Object.fromEntries(shown.map((el) => [el.dataset.part.split(".")[0], at(el.getBoundingClientRect())]));
  }

  const step = () => document.querySelector(".dock input[name=step]")?.value ?? "";
  const version = () => document.querySelector("main").dataset.version;

  /* How much room is left empty between what lies on top of a desktop and the boards. */
  function gapAbove() {
    const lowest = Math.max(...all("header.top, .said, .tabs, .away").filter(seen).map((el) => el.getBoundingClientRect())
      .filter(({ left, width, height }) => left < innerWidth / 2 && width && height).map(({ bottom }) => bottom));
    return document.querySelector(".stage").getBoundingClientRect().top - lowest;
  }

  /* Below the header, and on a phone below what sticks to it: boards scroll away under both. */
  function roof() {
    const sticking = innerWidth < 740 || innerWidth < 960 && innerHeight < 880 ? all("[data-sticks]").map((el) => el.offsetHeight) : [];
    return 44 + Math.max(0, ...sticking);
  }

  /* What the answers to choices weighed since the last look, in bytes: bare, and as they were sent. */
  function weights() {
    const answers = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/choose"));
    performance.clearResourceTimings();
    return answers.map(({ decodedBodySize, encodedBodySize }) => [decodedBodySize, encodedBodySize]);
  }

  /* A touch may lie over a drawing, under the pointer too, but never hide it. */
  const paints = (el) => !/^(transparent|rgba\(.*, 0\))$/.test(getComputedStyle(el).backgroundColor);

  /* Measured on every page. */
  function look(send) {
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const edge = document.querySelector(".thumb").getBoundingClientRect().top || dock.top; /* on a desktop it has no box */
    const lit = all(".stage .lit, .stage button[form=choose]").filter(visible);
    const outside = lit.filter((el) => {
      const box = el.getBoundingClientRect();
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      return x < 0 || y < roof() || x > innerWidth || y > Math.min(innerHeight, edge);
    });
    const whole = (el) => [el, el.querySelector(".badge") || el].map((it) => it.getBoundingClientRect())
      .every(({ top, bottom }) => top >= roof() && bottom <= Math.min(innerHeight, edge));
    const notices = all("main .notice").filter(visible).map((el) => el.getBoundingClientRect());
    const veiled = lit.filter((el) => notices.some((box) => overlap(box, el.getBoundingClientRect())));
    const question = document.querySelector("#prompt");
    const veils = all(".stage button:hover").filter((el) => !el.innerText.trim() && paints(el));
    return {
      gap: gapAbove(), veils: veils.map(name), veiled: veiled.map(name), peeks: all(".peeking").map(name), wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight, dock: dock.height,
      lit: lit.length, hidden: lit.length > 0 && outside.length === lit.length, clipped: lit.some((el) => el.querySelector(".badge")) && !lit.some(whole), outside: outside.map((el) => `${el.localName}.${[...el.classList].join(".")}`),
      prompt: question?.innerText || "", cut: question !== null && question.scrollHeight > question.clientHeight + 2, sends: document.querySelector(send)?.value ?? null,
      step: step(), version: version(), parts: parts(), weights: weights(),
    };
  }

  const common = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const overlap = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
  const EVERYTHING = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };

  /* Where something inside an element can be seen: what neither it nor anything around it cuts off. */
  function opening(el, known) {
    if (el === document.body) return EVERYTHING;
    if (!known.has(el)) {
      const { clipPath, overflow } = getComputedStyle(el), around = opening(el.parentElement, known);
      const own = overflow === "visible" ? around : common(around, el.getBoundingClientRect());
      known.set(el, clipPath === "none" ? own : NOTHING);
    }
    return known.get(el);
  }

  /* A text of which less is shown than there is, and nothing to scroll. What fades out is a recap; a title opens under
     a pointer. */
  function cut(el) {
    if (el.closest("[title]") && matchMedia("(hover: hover)").matches) return false;
    const { overflow, maskImage } = getComputedStyle(el);
    const short = el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 2;
    return overflow === "hidden" && maskImage === "none" && el.clientHeight && short;
  }

  /* A text that something around it cuts off at its side or has below its edge, with nothing to scroll. */
  function cutOff(el, { left, right, top }, known) {
    if (el === document.body || el === null) return false;
    if (!known.has(el)) known.set(el, [getComputedStyle(el), el.getBoundingClientRect()]);
    const [{ overflowX, maskImage, clipPath }, box] = known.get(el);
    if (overflowX === "auto" || overflowX === "scroll" || maskImage !== "none" || clipPath !== "none") return false;
    if (overflowX === "hidden" && (right > box.right + 3 || left < box.left - 3 || top > box.bottom - 3)) return true;
    return cutOff(el.parentElement, { left, right, top }, known);
  }

  /* Measured where a question comes for the first time. */
  function lookClosely(phone) {
    const texts = [], small = [], cuts = [], openings = new Map(), around = new Map();
    for (const el of all("header *, main *")) {
      const own = [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
      if (!own.length || !visible(el) || el.closest(".visually-hidden, .peek, script, symbol, option, datalist")) continue;
      const box = el.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const scale = el.ownerSVGElement ? el.getScreenCTM().a : 1;
      const size = parseFloat(getComputedStyle(el).fontSize) * scale;
      if (cut(el) && !el.closest(".away, .dock :is(.summary, .chosen)")) cuts.push(name(el)); /* whole at a touch, or a recap */
      if (size < 10.9) small.push(`${name(el)} ${size.toFixed(1)}px`);
      if (el.closest(".stage") && !el.closest(phone ? ".badge, .card, [data-sticks]" : ".badge, .card")) {
        const range = document.createRange();
        range.selectNodeContents(own[0]);
        if (cutOff(el.parentElement, range.getBoundingClientRect(), around)) cuts.push(`${name(el)} by what is around it`);
        texts.push([el, common(opening(el, openings), range.getBoundingClientRect()), el.closest(".place")]);
      }
    }
    const overlaps = [];
    texts.sort(([, p], [, q]) => p.top - q.top); /* then only what begins above the end of a text can lie over it */
    for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length && texts[j][1].top < texts[i][1].bottom - 5; j++) {
      const [a, p, here] = texts[i], [b, q, there] = texts[j];
      const meet = Math.min(p.right, q.right) - Math.max(p.left, q.left) > 3 && Math.min(p.bottom, q.bottom) - q.top > 5;
      const fan = here && there && here !== there;
      if (meet && !fan && !a.contains(b) && !b.contains(a)) overlaps.push(`${name(a)} over ${name(b)}`);
    }
    const spills = texts.filter(([el, { left, top, right, bottom }]) => {
      const own = el.closest(".place")?.getBoundingClientRect();
      return own && right > left && (left < own.left - 4 || top < own.top - 4 || right > own.right + 4 || bottom > own.bottom + 4);
    });
    const targets = [];
    for (const el of phone ? all("button, summary, .tab, header a") : []) {
      const { width, height } = el.getBoundingClientRect();
      if (visible(el) && width && Math.min(width, height) < 43.5) targets.push(`${name(el)} ${width | 0}x${height | 0}`);
    }
    const labels = all("body *").flatMap((el) => [el.getAttribute("aria-label"), el.title]).filter(Boolean);
    return { small, cuts, overlaps, targets, spills: spills.map(([el]) => name(el)), words: document.body.innerText + "\n" + labels.join("\n") };
  }

  /* The spot on which a finger comes down, in sight, where it meets this and nothing over it. Of cards in a fan, the
     edge is to be seen. */
  function spot(el) {
    const at = () => {
      const { left, top, width, height } = el.getBoundingClientRect();
      return { x: left + Math.min(14, width / 2), y: top + height / 2 };
    };
    const met = ({ x, y }) => document.elementFromPoint(x, y);
    if (!el.contains(met(at()))) el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const it = at(), found = met(it);
    return el.contains(found) ? { it } : { complaint: `a touch on ${name(el)} meets ${found ? name(found) : "nothing"}` };
  }

  /* The same, once it lies still: a card that was opened a moment ago is on its way to its place. */
  function still() {
    let last = {}, since = Infinity;
    return (el) => {
      const { it, complaint } = spot(el), moved = !it || it.x !== last.x || it.y !== last.y, now = performance.now();
      if (moved) since = now;
      last = it || {};
      return moved || now < since + REST_MS ? { complaint: complaint || `${name(el)} does not lie still` } : { it };
    };
  }

  function spotOf(selector) {
    const lying = still();
    return until(() => lying(document.querySelector(selector)));
  }

  /* What has to be touched before a button comes to light, if it lies under others: a switch that names it. */
  const cover = (button) =>
    !seen(button) && all("[data-uncovers]").find((el) => seen(el) && button.matches(el.dataset.uncovers));

  /* The button that chooses the first of these values that is on the page: one that is to be seen, if there is one.
     Where the place of a hidden one chooses something else at once, nothing is asked, and that is what is chosen. */
  function buttonFor(values) {
    const named = (value) => all("main button[name=option]").filter((el) => el.value === value && !el.closest(".list"));
    const found = values.map(named).find((buttons) => buttons.length);
    if (!found) throw new Error(`${values} can be touched nowhere: ${text(document.getElementById("prompt"))}`);
    const button = found.find(seen);
    if (button) return button;
    if (cover(found[0])) return found[0];
    const place = !found[0].closest(".card") && found[0].closest("[data-spot]")?.dataset.spot;
    return place && all("button.place").find((el) => el.dataset.spot === place && seen(el)) || found[0];
  }

  /* The next touch on the way to a choice: its tab, then its place, which shows what it means, then its button. */
  function way(values) {
    const button = buttonFor(values), pane = button.closest(".pane");
    if (pane && !pane.checkVisibility()) {
      const tab = document.querySelector(`.tab:has(input[value="${/\bn(\d)\b/.exec(pane.className)[1]}"])`);
      return { kind: "tab", el: tab, marked: Boolean(tab.querySelector(".dot")) };
    }
    if (button.closest("details:not([open]) .card")) {
      return { kind: "place", el: button.closest("details").querySelector("summary") };
    }
    return cover(button) ? { kind: "cover", el: cover(button) } : { kind: "choice", el: button, bursts: bursts(button.closest(".card")) };
  }

  /* What is wider than the card it lies on, or a sign that stands out of its line. */
  function bursts(card) {
    if (!card) return null;
    const lines = ({ parentElement: el }) => 2 * parseFloat(getComputedStyle(el).fontSize);
    const tall = [...card.querySelectorAll("small svg")].find((svg) => svg.getBoundingClientRect().height > lines(svg));
    return card.scrollWidth > card.clientWidth + 1 ? name(card) : tall ? name(tall.parentElement) : null;
  }

  function nextTouch({ values, last }) {
    const lying = still();
    return until(() => {
      const { el, ...touch } = way(values);
      if (touch.kind === last) return { complaint: `a touch on ${name(el)} opens nothing` };
      const { it, complaint } = lying(el);
      return { it: it && { ...it, ...touch }, complaint };
    });
  }

  /* The page has taken the touch in. */
  const answered = (was) => until(() => {
    const changed = was.step === undefined ? version() !== was.version : step() !== was.step;
    return { it: changed && parts(), complaint: "a touch changes nothing" };
  });

  return { look, lookClosely, spotOf, nextTouch, answered };
})()
