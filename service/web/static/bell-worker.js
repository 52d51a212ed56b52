// What a browser does when it is pushed: shows what it is told, and opens our own page for it when that is touched.
"use strict";

self.addEventListener("push", (event) => {
  const said = event.data.json();
  const shown = { body: said.body, tag: said.tag, icon: "/static/icon.svg", data: { link: said.link } };
  event.waitUntil(self.registration.showNotification(said.title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = new URL(event.notification.data.link, self.location.origin);
  if (link.origin !== self.location.origin) return; // only where we come from ourselves
  event.waitUntil(open(link.href));
});

async function open(href) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((client) => client.url === href);
  return there ? there.focus() : self.clients.openWindow(href);
}
