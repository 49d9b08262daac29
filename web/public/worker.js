// Shows notifications, and opens what they are about; what arrives is written in server/src/outside/push. Lets the recorder
// open without a network: of all pages it keeps that one alone, whose files are of nobody. Takes videos that other apps share.
// Only who switched notifications on (app/panel/push/device.ts) or may send videos in (app/panel/offline.ts) has it.

addEventListener('install', (event) => {
  skipWaiting()
  // Newer than the worker itself: a browser without such a list asks `fetch` below.
  if (!event.addRoutes) return
  // Calls, uploads and films need no worker on their way.
  const direct = ['/api/*', '/identity/*', '/uploads', '/uploads/*', '/media/*']
  const routes = direct.map((pathname) => ({
    condition: { urlPattern: new URLPattern({ pathname }) },
    source: 'network',
  }))
  event.waitUntil(event.addRoutes(routes).catch(() => {}))
})
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

// The recorder without a network. A page comes from the network wherever that answers, so a new release is seen at once.

const recorder = '/panel/new/record'
const keptFiles = 'recorder'
/** After so long without an answer a network counts as none, ms. */
const patience = 5000

addEventListener('message', (event) => {
  const { kind, key } = event.data ?? {}
  const [port] = event.ports
  const answer = (work) => event.waitUntil(work.then((value) => port?.postMessage(value)))
  if (kind === 'keep-recorder') answer(keepRecorder().catch(() => false))
  if (kind === 'shared') answer(inShared('readonly', (files) => files.getAll()).catch(() => []))
  if (kind === 'shared-taken') answer(inShared('readwrite', (files) => files.delete(key)).catch(() => undefined))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  const path = pathname.replace(/\/$/, '')
  if (request.method === 'POST') {
    if (path === '/panel/new/share') event.respondWith(takeShared(request))
    return
  }
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (path === recorder) event.respondWith(recorderPage(request))
    else if (path === '/panel' || path === '/panel/new') event.respondWith(pageOrRecorder(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(keptFirst(request))
  else if (/^\/(theme\.js|favicon\.svg|app\.webmanifest|icons\/.*)$/.test(pathname))
    event.respondWith(keptLast(request))
})

/** The recorder's page and all that it needs, anew where a release has changed them. Answers whether it is kept whole. */
async function keepRecorder() {
  const list = await fetch('/recorder-files.json', plainly)
  // While developing there is none.
  if (!list.ok || !list.headers.get('content-type')?.includes('json')) return false
  const { files } = await list.json()
  const page = await fetch(recorder, plainly)
  const named = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
  // A release came between the list and the page.
  if (!page.ok || !named.filter((path) => path.startsWith('/assets/')).every((path) => files.includes(path)))
    return false
  const cache = await caches.open(keptFiles)
  for (const file of files) {
    // Files under assets/ bear the hash of what is in them.
    if (file.startsWith('/assets/') && (await cache.match(file))) continue
    const answer = await fetch(file, { ...plainly, cache: 'default' })
    if (!answer.ok) return false
    await cache.put(file, answer)
  }
  // The page comes last: with it all that it needs is here.
  await cache.put(recorder, page)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname !== recorder && !files.includes(pathname)) await cache.delete(request)
  }
  return true
}

/** As anybody gets it: no cookie, nothing of a person's. */
const plainly = { cache: 'no-cache', credentials: 'omit' }

async function recorderPage(request) {
  const kept = await keptAs(recorder)
  if (!kept) return fetch(request)
  const answer = await fetchSoon(request)
  return answer && answer.status < 500 ? answer : kept
}

/** Whoever opens the panel without a network can record at least. */
async function pageOrRecorder(request) {
  try {
    return await fetch(request)
  } catch (error) {
    if (await keptAs(recorder)) return Response.redirect(recorder)
    throw error
  }
}

async function keptFirst(request) {
  return (await keptAs(new URL(request.url).pathname)) ?? fetch(request)
}

async function keptLast(request) {
  const kept = await keptAs(new URL(request.url).pathname)
  return kept ? ((await fetchSoon(request)) ?? kept) : fetch(request)
}

async function keptAs(path) {
  return (await caches.open(keptFiles)).match(path, { ignoreVary: true })
}

/** What the network answers; undefined where it does not. */
function fetchSoon(request) {
  const tooLate = new Promise((resolve) => setTimeout(resolve, patience))
  return Promise.race([fetch(request).catch(() => undefined), tooLate])
}

// Videos that other apps share: kept here until somebody says in the panel what becomes of them (app/panel/assets/shared.ts).

/** So many shared videos wait on a device until somebody uses them or throws them away. */
const mostShared = 10

async function takeShared(request) {
  // Any site may send a form here, and can hide that it did; an app of the device has no site of its own. So whatever comes is
  // asked for before it is used.
  const from = request.headers.get('origin')
  if (from !== null && from !== 'null' && from !== location.origin) return Response.redirect('/panel/new', 303)
  let outcome = 'taken'
  try {
    const files = (await request.formData()).getAll('video').filter((one) => one instanceof File && one.size > 0)
    for (const file of files) {
      if ((await inShared('readonly', (store) => store.count())) >= mostShared) throw new Error('There are too many')
      await inShared('readwrite', (store) => store.put({ key: crypto.randomUUID(), file, at: Date.now() }))
    }
    if (files.length === 0) outcome = 'none'
  } catch (error) {
    console.warn('The shared video could not be kept', error)
    outcome = 'failed'
  }
  return Response.redirect(`/panel/new?shared=${outcome}`, 303)
}

async function inShared(mode, work) {
  const database = await new Promise((resolve, reject) => {
    const asked = indexedDB.open('shared', 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore('files', { keyPath: 'key' })
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction('files', mode)
      const request = work(transaction.objectStore('files'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? request.error)
    })
  } finally {
    database.close()
  }
}
