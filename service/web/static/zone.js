/* A form that asks where somebody lives is filled in with what their browser says. */
(() => {
  "use strict";
  let zone;
  try { zone = Intl.DateTimeFormat().resolvedOptions().timeZone; } catch (_) { return; }
  if (!zone) return;
  for (const form of document.querySelectorAll("form[data-guess-zone]")) {
    const field = form.elements.zone;
    if (!field || (field.value && field.value !== "UTC" && field.type !== "hidden")) continue;
    if (field.localName !== "select" || [...field.options].some((o) => o.value === zone)) field.value = zone;
  }
})();
