// Shows notifications, and opens what they are about. It fetches nothing and keeps no page: only who switched
// notifications on has it at all (app/panel/push/device.ts). What arrives is written in server/src/outside/push.

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('push', (event) => event.waitUntil(show(event.data)))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

const remembered = 'shown'
const dayMs = 86_400_000

async function show(data) {
  const message = read(data)
  // Told again because nobody knew whether it had arrived: whoever closed it must not see it twice.
  const isRepeat = await remember(message.id)
  const isOpen = (await registration.getNotifications({ tag: message.id })).length > 0
  await registration.showNotification(message.title, {
    body: message.body,
    tag: message.id,
    silent: isRepeat ? true : null,
    icon: '/icons/icon-192.png',
    data: { url: message.url },
  })
  // Browsers take the right to push from who shows nothing, so it is shown and put away at once.
  if (isRepeat && !isOpen) for (const one of await registration.getNotifications({ tag: message.id })) one.close()
}

function read(data) {
  const nothing = { id: 'news', title: 'Clear to Post', body: '', url: '/panel' }
  try {
    return { ...nothing, ...data.json() }
  } catch {
    return nothing
  }
}

/** Whether a message was shown before; kept for a month, as long as the service might repeat it. */
async function remember(id) {
  const cache = await caches.open(remembered)
  const key = `/shown/${encodeURIComponent(id)}`
  const before = await cache.match(key)
  await cache.put(key, new Response(String(Date.now())))
  for (const request of await cache.keys()) {
    const at = Number(await (await cache.match(request))?.text())
    if (Date.now() - at > 30 * dayMs) await cache.delete(request)
  }
  return before !== undefined
}

/** Brings the panel forward where it is open, and lets it go there by itself, so that nothing half written is lost. */
async function open(address) {
  const url = new URL(address ?? '/panel', location.origin)
  if (url.origin !== location.origin) return clients.openWindow('/panel')
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const isPanel = (client) => new URL(client.url).pathname.startsWith('/panel')
  const panel = windows.find((client) => client.url === url.href) ?? windows.find(isPanel)
  if (!panel) return clients.openWindow(url.href)
  // Browsers may refuse the focus; the page goes there all the same.
  await panel.focus().catch(() => {})
  if (!(await tell(panel, { kind: 'open', path: url.pathname + url.search + url.hash })))
    await panel.navigate(url.href).catch(() => clients.openWindow(url.href))
}

/** Whether the page heard it: one that was open before notifications were switched on does not listen. */
function tell(client, message) {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(true)
    setTimeout(() => done(false), 1000)
    client.postMessage(message, [port2])
  })
}
