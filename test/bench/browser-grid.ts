import type { BrowserContext, Page } from 'playwright-core'
import {
  jumpTo,
  openCosts,
  scroll,
  seeMany,
  settled,
  tallest,
  watchedJump,
  watchRequests,
} from '../web/support/drive.ts'
import { addLargeLibrary } from '../web/support/large-library.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../web/support/open-gallery.ts'
import { type Budget, printBudgets } from './budgets.ts'

const FILES = Number(process.env.BENCH_FILES ?? 200_000)
const OF_ONE_DAY = 0.3 * FILES
/** Pictures that are really there, the newest of all. */
const PICTURES = 60
/** Rows that are scrolled through, and their height with the gap. */
const [ROWS, ROW] = [10_000, 180]
/** Pixels of a frame. */
const STEP = 3000
const SEEN = 60_000
/** The first pictures, in a window that shows so many of dense ones at once. */
const [FIRST, HIGH] = [50, { width: 1440, height: 2000 }]
/** How often a page is opened for the best time of it. */
const ROUNDS = 5
/** Milliseconds of a task that browsers call long. */
const LONG = 50

/**
 * Prints what the grid costs in a library of 200,000 files, or BENCH_FILES, beside what it may cost;
 * three in ten are of one day. What is held ends the run when it costs more.
 */
export async function bench(): Promise<void> {
  if (withoutChromium) {
    process.stdout.write('\ngrid: needs Chromium\n')
    return
  }
  const gallery = await openGallery({ files: PICTURES })
  try {
    await gallery.stopServer()
    addLargeLibrary(gallery.dataDir, { count: FILES - PICTURES, ofOneDay: OF_ONE_DAY })
    await gallery.startServer()
    const budgets = [...(await firstPictures(gallery)), ...(await drive(gallery.page))]
    printBudgets(`grid, ${FILES} files, ${OF_ONE_DAY} of them on one day`, budgets)
  } finally {
    await gallery.close()
  }
}

/** Compares the first pictures of the gallery with a bare page of the same. */
async function firstPictures(gallery: OpenGallery): Promise<Budget[]> {
  const times: Record<'gallery' | 'bare', number[]> = { gallery: [], bare: [] }
  const { pictures } = await open(gallery, '/')
  const images = pictures
    .slice(0, FIRST)
    .map((path) => `<img width="160" height="120" src="${path}">`)
  const bare = `<!doctype html><title>bare</title>${images.join('')}`
  for (let round = 0; round < ROUNDS; round++) {
    times.gallery.push((await open(gallery, '/')).ms)
    times.bare.push((await open(gallery, '/bare', bare)).ms)
  }
  const [own, least] = [Math.min(...times.gallery), Math.min(...times.bare)]
  return [
    { what: `first ${FIRST} thumbnails, ms`, value: own },
    { what: `a bare page of the same ${FIRST}, ms`, value: least },
    { what: 'the first by the second, 1.5 wanted', value: own / least },
  ]
}

/**
 * Opens a page in a browser that has seen the gallery, but no picture of it; returns the milliseconds
 * until the first pictures are there, and the pictures in the order in which they were asked for.
 */
async function open(
  { url, context }: OpenGallery,
  path: string,
  body?: string,
): Promise<{ ms: number; pictures: string[] }> {
  const own = await context.browser()!.newContext({
    baseURL: url,
    viewport: HIGH,
    storageState: await context.storageState(),
  })
  try {
    const page = await own.newPage()
    if (body !== undefined) await answer(own, page, url + path, body)
    await page.addInitScript(`
      localStorage.setItem('tagstead-density', 'dense')
      window.whenThere = new Promise((resolve) => {
        let left = ${FIRST}
        document.addEventListener('load', ({ target }) => {
          if (target instanceof HTMLImageElement && --left === 0) resolve(performance.now())
        }, true)
      })`)
    await page.goto('/about')
    await page.locator('main dd').first().waitFor()
    const requests = watchRequests(page)
    await page.goto(path, { waitUntil: 'commit' })
    const ms = await page.evaluate<number>('window.whenThere')
    return { ms, pictures: requests.take().filter((one) => one.startsWith('/web/media/')) }
  } finally {
    await own.close()
  }
}

/** Answers one address in the place of the server, without any detour for the others. */
async function answer(own: BrowserContext, page: Page, url: string, body: string): Promise<void> {
  const cdp = await own.newCDPSession(page)
  cdp.on('Fetch.requestPaused', ({ requestId }) =>
    cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'Content-Type', value: 'text/html' }],
      body: Buffer.from(body).toString('base64'),
    }),
  )
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: url }] })
}

async function drive(page: Page): Promise<Budget[]> {
  const budgets: Budget[] = []
  const tell = (what: string, value: number, held?: number) => {
    budgets.push({ what, value, ...(held !== undefined && { held }) })
  }
  const requests = watchRequests(page)
  await page.reload()
  await settled(page)
  await requests.idle()

  for (const share of [0.5, 0.3, 0.97]) {
    const { calls, others, ms } = await watchedJump(page, share, requests)
    const jump = `jump to ${share * 100} %`
    tell(`${jump}: requests before pictures`, calls, 3)
    tell(`${jump}: pictures not in the page`, others, 0)
    tell(`${jump}, ms`, ms)
  }
  await jumpTo(page, 0)

  const costs = await openCosts(page)
  const atRest = await longestTask(page, () => rest(page))
  const before = await costs()
  let [ms, frames] = [0, 0]
  const longest = await longestTask(page, async () => {
    const scrolled = await scroll(page, ROWS * ROW, STEP)
    ms = scrolled.ms
    frames = scrolled.frames
  })
  const after = await costs()
  tell('10,000 rows: script, s', (after.script - before.script) / 1000, 2)
  tell('10,000 rows: layout, s', (after.layout - before.layout) / 1000, 2)
  tell('10,000 rows: longest task, ms', longest, Math.max(LONG, 4 * atRest))
  tell('at rest: longest task, ms', atRest)
  tell('10,000 rows: frames a second', (frames * 1000) / ms)

  await jumpTo(page, 0)
  await seeMany(page, Math.min(SEEN, FILES / 2))
  await requests.idle()
  const { heap, nodes } = await costs({ clean: true })
  tell('60,000 files seen: heap, MB', heap / 1e6, 20)
  tell('60,000 files seen: nodes', nodes, 2500)
  tell('height of any element, px', await tallest(page), 4_000_000)
  await reachEnds(page)
  return budgets
}

/** Throws when one of the ends can't be reached, by key or by scrubber. */
async function reachEnds(page: Page): Promise<void> {
  const cellAt = (position: number) => page.locator(`.cell[data-position="${position}"]`)
  await page.keyboard.press('Control+End')
  await cellAt(FILES - 1).waitFor()
  await page.keyboard.press('Control+Home')
  await cellAt(0).waitFor()
  await jumpTo(page, 1)
  await cellAt(FILES - 1).waitFor()
  await jumpTo(page, 0)
  await cellAt(0).waitFor()
}

/** Returns the milliseconds that the longest task of a page had of the processor meanwhile. */
async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  await act()
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const threads = trace.traceEvents.filter(({ args }) => args?.name === 'CrRendererMain')
  const isOurs = ({ pid, tid }: TraceEvent) =>
    threads.some((thread) => thread.pid === pid && thread.tid === tid)
  const tasks = trace.traceEvents.filter((event) => event.name === 'RunTask' && isOurs(event))
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of the processor. */
  tdur?: number
  args?: { name?: string }
}

/** Lets as many frames pass as the scroll takes, in which nothing happens. */
function rest(page: Page): Promise<void> {
  return page.evaluate<void>(
    `new Promise((resolve) => {
      let left = ${(ROWS * ROW) / STEP}
      requestAnimationFrame(function go() {
        if (left-- === 0) return resolve()
        requestAnimationFrame(go)
      })
    })`,
  )
}
