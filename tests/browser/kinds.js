/* Which texts on a page look like none that was seen before. A kind of text is what it is and stands in, its colour,
   its size, and what is painted behind it. */
function newKinds(seen) {
  const name = (el) => `${el.localName}.${el.getAttribute("class") ?? ""}`;
  const says = (el) => el.matches("input, textarea, select") || [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const grounds = new Map([[null, ""]]);

  function ground(el) {
    if (!grounds.has(el)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(el);
      grounds.set(el, [backgroundColor, backgroundImage, opacity, ground(el.parentElement)].join(" "));
    }
    return grounds.get(el);
  }

  const known = new Set(seen), fresh = new Map();
  for (const el of document.querySelectorAll("body *")) {
    if (!says(el) || !el.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(el);
    const kind = [name(el), name(el.parentElement), color, fontSize, fontWeight, ground(el)].join(" ");
    if (!known.has(kind) && !fresh.has(kind)) fresh.set(kind, el);
  }
  return [[...fresh.values()], [...fresh.keys()]];
}
