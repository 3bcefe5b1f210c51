/** What the build puts before this script: the name of the build, and the paths of its assets. */
declare const BUILD: { name: string; assets: string[] }

// The types of the DOM lack those of workers.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}

/** How long a page may take before the kept one is shown, in milliseconds. */
const PATIENCE = 3000
// These are pages of their own, and downloads.
const OTHERS = /^\/(api|web|docs|dav|s)(\/|$)/

const cacheName = `tagstead-${BUILD.name}`
/** Gives the files that were shared last to a page that asks for them. */
let handOver: (port: MessagePort) => void = (port) => port.postMessage([])

addEventListener('install', (event) => {
  ;(event as ExtendableEvent).waitUntil(keep())
})

// Only once no page of an older build is open: until then, that build's worker serves its own assets.
addEventListener('activate', (event) => {
  ;(event as ExtendableEvent).waitUntil(removeOthers())
})

addEventListener('message', ({ ports }) => {
  handOver(ports[0]!)
})

// What isn't answered here goes to the server as if there were no worker.
addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  const { origin, pathname } = new URL(request.url)
  const isPage = request.mode === 'navigate'
  const answer = (response: Promise<Response>) => (event as FetchEvent).respondWith(response)
  if (origin !== location.origin) return
  if (request.method === 'POST') {
    if (isPage && pathname === '/share') answer(receive(event as FetchEvent))
  } else if (isPage) {
    if (!OTHERS.test(pathname)) answer(page(request))
  } else if (request.method === 'GET' && BUILD.assets.includes(pathname)) {
    answer(kept(pathname).then((asset) => asset ?? fetch(request)))
  }
})

async function keep(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll(['/', ...BUILD.assets])
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((other) => other !== cacheName).map((other) => caches.delete(other)),
  )
}

async function kept(path: string): Promise<Response | undefined> {
  const cache = await caches.open(cacheName)
  return cache.match(path, { ignoreVary: true })
}

async function page(request: Request): Promise<Response> {
  const answer = fetch(request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE))
  const response = await Promise.race([answer, late]).catch(() => undefined)
  // A proxy says by such a status that the server behind it is gone; our answers have an id.
  const isGone = !response || (response.status > 501 && !response.headers.has('x-request-id'))
  return isGone ? ((await kept('/')) ?? response ?? answer) : response
}

async function receive(event: FetchEvent): Promise<Response> {
  const parts = (await event.request.formData()).getAll('files')
  const files = parts.filter((part) => part instanceof File)
  // In memory alone, so that nothing is left for the next person. The browser ends a worker that has nothing to do.
  const isTaken = new Promise<void>((resolve) => {
    handOver = (port) => {
      port.postMessage(files.splice(0))
      resolve()
    }
  })
  event.waitUntil(isTaken)
  return Response.redirect('/?shared', 303)
}

// A module for the compiler; the bundler makes a plain script of it.
export {}
