import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { picture } from '../support/harness.ts'
import { spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { openGallery, withoutChromium } from '../web/support/open-gallery.ts'
import { printTable } from './measure.ts'

const FILES = 1_000_000
const OF_ONE_DAY = 300_000
/** Rows that are scrolled through, and their height with the gap. */
const [ROWS, ROW] = [10_000, 180]
const SEEN = 60_000

/**
 * Prints what the grid costs in a library of 1,000,000 files, 300,000 of them on one day, beside what
 * it may cost; what is held ends the run when it costs more. The pictures are placeholders.
 */
export async function bench(): Promise<void> {
  if (withoutChromium) {
    process.stdout.write('\ngrid: needs Chromium\n')
    return
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'tagstead-grid-'))
  await fill(dataDir)
  const gallery = await openGallery({ env: { DATA_DIR: dataDir } })
  try {
    const rows = await drive(gallery.page)
    printTable('grid, a million files, 300,000 on one day', rows)
    const over = rows.filter(({ value, held }) => held !== '' && Number(value) > Number(held))
    if (over.length > 0) {
      throw new Error(`Over what is held: ${over.map(({ what }) => what).join(', ')}`)
    }
  } finally {
    await gallery.close()
    rmSync(dataDir, { recursive: true })
  }
}

/** Makes a library of one picture, and of others of which nothing but rows is there. */
async function fill(dataDir: string): Promise<void> {
  const server = await spawnServer({ dataDir })
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(await picture())]), 'picture.jpg')
  const headers = { Authorization: `Bearer ${await signIn(server)}` }
  await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form })
  await server.stop()
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  // What this decoder failed to decode is shown as a placeholder, and not tried again.
  const { decoder } = db.get<{ decoder: string }>(
    'SELECT decoder_version AS decoder FROM file_details',
  )!
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${FILES})`
  const newest = Date.UTC(2026, 5, 1)
  const day = Date.UTC(2016, 2, 20)
  const rest = FILES - OF_ONE_DAY
  const step = Math.floor((20 * 365 * 86_400_000) / rest)
  write(db, { now: 0 }, () => {
    db.run(
      `${numbers} INSERT INTO files (rid, id, original_name, name_key, mime_type, mime_extension,
         content_datetime, content_offset, creator_id, is_public, is_deleted, needs_review)
       SELECT n, unhex(printf('%012x7%03x8%03x%012x', ${newest} + n, n % 4096, n % 4093, n)), NULL, '',
         iif(n % 19 = 0, 'video/mp4', 'image/jpeg'), iif(n % 19 = 0, 'mp4', 'jpg'),
         iif(n > ${rest}, ${day} + (n - ${rest}) * 280, ${newest} - n * ${step} - n * 7919 % 50000),
         120, 1, 0, 0, n % 37 = 0 FROM numbers`,
    )
    db.run(
      `${numbers} INSERT INTO file_details
         (file_rid, blob, size, sha256, stored_at, derivative_state, decoder_version, exif)
       SELECT n, 'blob' || n, 2900000, zeroblob(32), ${newest}, 'failed', ?, '{}' FROM numbers`,
      decoder,
    )
    db.run(
      `${numbers} INSERT INTO file_looks (file_rid, width, height, duration, thumbhash, decoder)
       SELECT n, iif(n % 4 = 0, 3024, 4032), iif(n % 4 = 0, 4032, iif(n % 7 = 0, 2268, 3024)),
         iif(n % 19 = 0, n % 300, NULL), unhex('3fd801058c8857597786770877898887687707'), ? FROM numbers`,
      decoder,
    )
  })
  db.run('ANALYZE')
  db.close()
}

interface Row extends Record<string, string | number> {
  what: string
  value: number
  /** What it may be; empty where it is only told. */
  held: number | ''
}

async function drive(page: Page): Promise<Row[]> {
  const cdp = await page.context().newCDPSession(page)
  // The time of the page's own thread: what others do on the machine isn't counted.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const rows: Row[] = []
  const asked = watch(page)

  await settled(page)
  await page.reload({ waitUntil: 'commit' })
  const started = performance.now()
  await settled(page)
  rows.push({
    what: 'thumbnails in view after a reload, ms',
    value: performance.now() - started,
    held: '',
  })

  for (const share of [0.5, 0.3, 0.97]) {
    const jump = await timedJump(page, share, asked)
    rows.push({
      what: `jump to ${share * 100} %: requests before pictures`,
      value: jump.calls,
      held: 3,
    })
    rows.push({
      what: `jump to ${share * 100} %: pictures not in the page`,
      value: jump.others,
      held: 0,
    })
    rows.push({ what: `jump to ${share * 100} %, ms`, value: jump.ms, held: '' })
  }
  await jumpTo(page, 0)

  const before = await metrics(cdp)
  const { ms, frames } = await scroll(page, ROWS * ROW, 3000)
  const after = await metrics(cdp)
  const spent = (name: string) => after[name]! - before[name]!
  rows.push({ what: '10,000 rows: script, s', value: spent('ScriptDuration'), held: 2 })
  rows.push({ what: '10,000 rows: layout, s', value: spent('LayoutDuration'), held: 2 })
  rows.push({ what: '10,000 rows: frames a second', value: (frames * 1000) / ms, held: '' })

  await jumpTo(page, 0)

  while ((await seen(page)) < SEEN) {
    await scroll(page, 100_000, 5000)
    await settled(page)
  }
  await cdp.send('HeapProfiler.enable')
  // What the first round frees of the page frees more of the script's memory, and the other way round.
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  const end = await metrics(cdp)
  rows.push({ what: '60,000 files seen: heap, MB', value: end.JSHeapUsedSize! / 1e6, held: 20 })
  rows.push({ what: '60,000 files seen: nodes', value: end.Nodes!, held: 2500 })
  const tallest = await page.evaluate<number>(
    'Math.max(...[...document.querySelectorAll("*")].map((one) => Math.max(one.scrollHeight, one.clientHeight)))',
  )
  rows.push({ what: 'height of any element, px', value: tallest, held: 4_000_000 })

  await page.keyboard.press('Control+End')
  await page.locator(`.cell[data-position="${FILES - 1}"]`).waitFor()
  await page.keyboard.press('Control+Home')
  await page.locator('.cell[data-position="0"]').waitFor()
  return rows
}

/** Notes what the page asks for from now on, as paths. */
function watch(page: Page): { take(): string[] } {
  let paths: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    paths.push(pathname + search)
  })
  return {
    take() {
      const taken = paths
      paths = []
      return taken
    },
  }
}

async function timedJump(page: Page, share: number, asked: { take(): string[] }) {
  // What is loaded beyond the view has come by then.
  await setTimeout(1000)
  asked.take()
  const started = performance.now()
  await jumpTo(page, share)
  const ms = performance.now() - started
  const paths = asked.take()
  const shown = new Set(
    await page.evaluate<string[]>(
      '[...document.querySelectorAll(".cell a")].map((link) => link.dataset.id)',
    ),
  )
  const others = paths.flatMap(
    (path) => /^\/web\/media\/[^/]+\/([^/]+)\/thumbnail/.exec(path)?.[1] ?? [],
  )
  return {
    ms,
    calls: paths.filter((path) => path.startsWith('/api/v1/files/')).length,
    others: others.filter((id) => !shown.has(id)).length,
  }
}

async function jumpTo(page: Page, share: number): Promise<void> {
  const { x, y, width, height } = (await page.locator('.scrub').boundingBox())!
  await page.mouse.click(x + width - 10, y + share * (height - 1))
  await settled(page)
}

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

/** Waits until all in view is there, with its pictures. */
async function settled(page: Page): Promise<void> {
  // The policy of the page keeps playwright from waiting for a text by itself.
  while (!(await page.evaluate<boolean>(SETTLED))) await setTimeout(10)
}

/** Scrolls by so many pixels, a step in each frame. */
function scroll(page: Page, pixels: number, step: number) {
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

async function metrics(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics: found } = await cdp.send('Performance.getMetrics')
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}
