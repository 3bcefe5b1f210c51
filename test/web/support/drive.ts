import type { CDPSession, Page, Request } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'

const SETTLED = `(() => {
  const view = document.querySelector('.grid')?.getBoundingClientRect()
  const isSeen = (one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return bottom > view.top && top < view.bottom
  }
  const images = view ? [...document.querySelectorAll('.cell img')].filter(isSeen) : []
  return images.length > 3 && images.every((one) => one.complete && one.naturalWidth > 0) &&
    ![...document.querySelectorAll('.unloaded')].some(isSeen)
})()`

/** Waits until all of the grid that is in view is there, with its pictures. */
export async function settled(page: Page): Promise<void> {
  // The policy of the page keeps playwright from waiting for a text by itself.
  await eventually(() => page.evaluate<boolean>(SETTLED))
}

/** Goes to a share of the listing by the scrubber, and waits until it is there. */
export async function jumpTo(page: Page, share: number): Promise<void> {
  const { x, y, width, height } = (await page.locator('.scrub').boundingBox())!
  await page.mouse.click(x + width - 10, y + share * (height - 1))
  await settled(page)
}

/** The same on a phone, where the handle of the scrubber is drawn there. */
export async function dragTo(page: Page, share: number): Promise<void> {
  const bar = (await page.locator('.scrub').boundingBox())!
  const handle = (await page.locator('.scrub .now').boundingBox())!
  await page.mouse.move(handle.x + handle.width / 2, handle.y + 1)
  await page.mouse.down()
  await page.mouse.move(handle.x + handle.width / 2, bar.y + share * (bar.height - 1))
  await page.mouse.up()
  await settled(page)
}

/** Scrolls the grid by so many pixels, a step in each frame; returns how long it took. */
export function scroll(page: Page, pixels: number, step: number) {
  return page.evaluate<{ ms: number; frames: number }>(
    `new Promise((resolve) => {
      const grid = document.querySelector('.grid')
      const started = performance.now()
      const frames = Math.ceil(${pixels} / ${step})
      let left = frames
      requestAnimationFrame(function go() {
        if (left-- === 0) return resolve({ ms: performance.now() - started, frames })
        grid.scrollTop += ${step}
        requestAnimationFrame(go)
      })
    })`,
  )
}

/** Returns how many files the page has gone past since it was at the top. */
function seen(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(...[...document.querySelectorAll(".cell")].map((cell) => Number(cell.dataset.position)))',
  )
}

/** Scrolls on from the top until so many files were gone past, with stops at which pictures come. */
export async function seeMany(page: Page, count: number): Promise<void> {
  while ((await seen(page)) < count) {
    await scroll(page, 100_000, 5000)
    await settled(page)
  }
}

/** Returns the pixels of the highest element of the page. */
export function tallest(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(...[...document.querySelectorAll("*")].map((one) => Math.max(one.scrollHeight, one.clientHeight)))',
  )
}

/** What a page has asked for. */
export interface Requests {
  /** Returns the paths since the last call. */
  take(): string[]
  /** Waits until the page asks for nothing any more. */
  idle(): Promise<void>
}

/**
 * Milliseconds of the page's own timers, which come in their order, however busy the machine is: what the page was
 * to do within them is done.
 */
const QUIET = 250

/** Notes what the page asks for from now on. */
export function watchRequests(page: Page): Requests {
  let paths: string[] = []
  const underWay = new Set<Request>()
  let count = 0
  page.on('request', (request) => {
    const { pathname, search, protocol } = new URL(request.url())
    if (!protocol.startsWith('http')) return
    paths.push(pathname + search)
    underWay.add(request)
    count++
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const passTime = `new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), ${QUIET}))
    .then(() => {})`
  return {
    take() {
      const taken = paths
      paths = []
      return taken
    },
    async idle() {
      await eventually(async () => {
        const before = count
        await page.evaluate(passTime)
        return underWay.size === 0 && count === before
      })
    },
  }
}

/**
 * Jumps, and returns how many requests the listing took, and how many pictures were asked for that
 * are not in the page afterwards; and the milliseconds until all was there.
 */
export async function watchedJump(page: Page, share: number, requests: Requests) {
  // What is loaded beyond the view has come by then.
  await requests.idle()
  requests.take()
  const started = performance.now()
  await jumpTo(page, share)
  const ms = performance.now() - started
  const paths = requests.take()
  const shown = new Set(
    await page.evaluate<string[]>(
      '[...document.querySelectorAll(".cell a")].map((link) => link.dataset.id)',
    ),
  )
  const pictures = paths.flatMap(
    (path) => /^\/web\/media\/[^/]+\/([^/]+)\/thumbnail/.exec(path)?.[1] ?? [],
  )
  return {
    ms,
    calls: paths.filter((path) => path.startsWith('/api/v1/files/')).length,
    others: pictures.filter((id) => !shown.has(id)).length,
  }
}

/** What a page has cost so far. */
export interface Costs {
  /** Milliseconds of the page's own thread: what others do on the machine isn't counted. */
  script: number
  layout: number
  /** Bytes of the script's memory, and nodes of the document, garbage counted. */
  heap: number
  nodes: number
}

/** Returns a reader of what the page costs from now on; `clean` throws garbage away before. */
export async function openCosts(
  page: Page,
): Promise<(options?: { clean?: boolean }) => Promise<Costs>> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await cdp.send('HeapProfiler.enable')
  return async ({ clean = false } = {}) => {
    // What the first round frees of the page frees more of the script's memory, and the other way round.
    for (let round = 0; clean && round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
    const { metrics } = await cdp.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
    return {
      script: of('ScriptDuration') * 1000,
      layout: of('LayoutDuration') * 1000,
      heap: of('JSHeapUsedSize'),
      nodes: of('Nodes'),
    }
  }
}

/** Makes that many files in the page, and returns what drops them all at once. */
export async function dropMany(page: Page, count: number): Promise<() => Promise<void>> {
  await page.evaluate<void>(`{
    window.dropped = new DataTransfer()
    for (let at = 0; at < ${count}; at++) {
      window.dropped.items.add(new File([String(at)], at + '.jpg', { type: 'image/jpeg' }))
    }
    window.drag = (name) => document.body.dispatchEvent(
      new DragEvent(name, { dataTransfer: window.dropped, bubbles: true, cancelable: true }))
  }`)
  // What takes them is loaded on demand.
  await eventually(async () => !(await page.evaluate<boolean>('window.drag("dragover")')))
  return () => page.evaluate<void>('window.drag("drop"); undefined')
}

/** Returns a function that tells how many nodes were put into the document since, those that have gone again too. */
export async function countAdded(page: Page): Promise<() => Promise<number>> {
  await page.evaluate<void>(`{
    window.added = 0
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) window.added += 1 + (node.querySelectorAll?.('*').length ?? 0)
      }
    }).observe(document, { childList: true, subtree: true })
  }`)
  return () => page.evaluate<number>('window.added')
}
