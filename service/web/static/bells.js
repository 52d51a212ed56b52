// Ring in this browser: asks it whether it may, and gives its address to the form, which is sent like any other.
// What this browser says is what the page says: unsupported, denied, on or off.
"use strict";

(() => {
  const section = document.querySelector("#browser");
  if (!section) return;
  const form = section.querySelector("form");

  const show = (state) => {
    for (const part of section.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
  };

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");

  const subscription = async () => {
    const worker = await navigator.serviceWorker.getRegistration("/");
    return worker ? worker.pushManager.getSubscription() : null;
  };

  // The row of this browser in the list above, known by the hash of its address.
  const row = async (found) => {
    if (!found) return null;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(found.endpoint));
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return document.querySelector(`[data-browser="${hex}"]`);
  };

  const look = async () => {
    if (!window.isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window)) return "unsupported";
    if (Notification.permission === "denied") return "denied";
    return (await row(await subscription())) ? "on" : "off";
  };

  const subscribe = async () => {
    if ((await Notification.requestPermission()) !== "granted") return show(await look());
    await navigator.serviceWorker.register(section.dataset.worker);
    const worker = await navigator.serviceWorker.ready;
    const old = await worker.pushManager.getSubscription();
    const key = bytes(section.dataset.key);
    const fits = old && old.options.applicationServerKey && text(old.options.applicationServerKey) === section.dataset.key;
    if (old && !fits) await old.unsubscribe(); // it was asked in another name
    const found = fits ? old : await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    form.elements.endpoint.value = found.endpoint;
    form.elements.p256dh.value = text(found.getKey("p256dh"));
    form.elements.auth.value = text(found.getKey("auth"));
    form.submit();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch(() => {
      show("off");
      section.querySelector('[data-state="failed"]').hidden = false;
    });
  });

  section.querySelector("[data-stop]").addEventListener("click", async () => {
    const found = await subscription();
    const mine = await row(found);
    if (found && document.querySelectorAll("[data-browser]").length === 1) await found.unsubscribe();
    if (mine) mine.querySelector("[data-remove]").click();
  });

  look().then(show, () => show("unsupported"));
})();
