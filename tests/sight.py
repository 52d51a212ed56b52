"""What of a page is out of sight, asked for many of its parts in one trip to the browser."""

from playwright.sync_api import Page

OUT_OF_SIGHT = """async ([selector, whole, shown]) => {
  const wanted = (el) => !shown || el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length;
  const all = [...document.querySelectorAll(selector)].filter(wanted);
  if (!all.length) return [`nothing is ${selector}`];
  const seen = await new Promise((tell) => {
    const eye = new IntersectionObserver(tell);
    for (const el of all) eye.observe(el);
  });
  const out = seen.filter((part) => whole ? part.intersectionRatio < 0.999 : !part.isIntersecting);
  return out.map(({ target }) => target.innerText || target.className);
}"""


def out_of_sight(tab: Page, selector: str, *, whole: bool = True, shown: bool = False) -> list[str]:
    """The parts that are not on the screen: not as a whole, or not at all. `shown`: only what is drawn counts."""
    found: list[str] = tab.evaluate(OUT_OF_SIGHT, [selector, whole, shown])
    return found
