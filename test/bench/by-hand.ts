import type { Locator, Page } from 'playwright-core'
import { watchRequests } from '../web/support/drive.ts'
import { click, press } from '../web/support/keys.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../web/support/open-gallery.ts'
import { cellOf, makePool } from '../web/support/pool.ts'
import { join } from '../web/support/somebody.ts'
import { type Budget, printBudgets } from './budgets.ts'

const FILES = 60
/** A window that shows twenty pictures. */
const SIZE = { width: 1440, height: 1600 }
/** Seconds of a key, of a click with the way to it, and of a decision (Card, Moran and Newell 1983). */
const SECONDS = { key: 0.28, click: 1.1, decision: 1.35 }

/** Something that people do, with how many decisions it takes. */
interface Task {
  what: string
  decisions: number
  /** Keys that it may take. */
  held: number
  /** Where it starts. */
  path: string
  run(hand: Hand): Promise<void>
}

/** Whoever does it, with what it took so far. */
interface Hand {
  page: Page
  gallery: OpenGallery
  keys: number
  clicks: number
  press(...keys: string[]): Promise<void>
  click(...targets: Locator[]): Promise<void>
  /** Waits for the answer to a change. */
  change(work: () => Promise<void>): Promise<void>
}

const TASKS: Task[] = [
  {
    what: 'review 30, each tagged',
    decisions: 30,
    held: 91,
    path: '/inbox',
    async run({ press, change, page }) {
      await change(() => press('t', 'hol', 'Enter', 'Space'))
      for (let number = 2; number <= 30; number++) {
        await page.locator(`.layers img[alt="picture ${number}.jpg"]`).waitFor()
        await change(() => press(number % 3 === 0 ? '1' : '0', 'Space'))
      }
      await page.locator('.layers img[alt="picture 31.jpg"]').waitFor()
    },
  },
  {
    what: 'find “holiday but not work, 2018”',
    decisions: 1,
    held: 17,
    path: '/',
    async run({ press, page }) {
      await press('/', 'holi', 'Enter', '2018', 'Enter', '-work', 'Enter')
      const words = 'Photos: holiday and not work, 2018'
      await page.getByRole('heading', { level: 1, name: words }).waitFor()
    },
  },
  {
    what: 'share an album with somebody',
    decisions: 1,
    held: 8,
    path: '/albums/lake',
    async run({ press, click, change, page }) {
      await click(page.getByRole('button', { name: 'Share' }).first())
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('switch', { name: 'Photos added later, too' }).waitFor()
      await change(() => press('ann', 'Enter'))
    },
  },
  {
    what: 'heart 20',
    decisions: 1,
    held: 1,
    path: '/',
    async run(hand) {
      await select(hand, 20)
      await hand.change(() => hand.press('f'))
    },
  },
  {
    what: 'rotate 5',
    decisions: 1,
    held: 1,
    path: '/',
    async run(hand) {
      await select(hand, 5)
      await hand.change(() => hand.press(']'))
    },
  },
  {
    what: 'slideshow of an album',
    decisions: 1,
    held: 1,
    path: '/albums/lake',
    async run({ click, page }) {
      await click(page.getByRole('button', { name: 'Slideshow', exact: true }))
      await page.locator('.slide').waitFor()
    },
  },
]

/** Selects so many files from the newest on. */
async function select({ page, gallery, click }: Hand, count: number): Promise<void> {
  const tick = (place: number) => cellOf(page, gallery.ids[place]!).locator('.tick')
  await cellOf(page, gallery.ids[0]!).hover()
  await click(tick(0))
  await page.keyboard.down('Shift')
  await click(tick(count - 1))
  await page.keyboard.up('Shift')
}

/**
 * Prints how many keys, clicks and requests it takes to do what families do most, and the seconds of somebody who
 * knows the keys, by the keystroke model. Throws when something takes more keys than it may.
 */
export async function bench(): Promise<void> {
  if (withoutChromium) {
    process.stdout.write('\nby hand: needs Chromium\n')
    return
  }
  const gallery = await openGallery({ files: FILES })
  try {
    await prepare(gallery)
    const budgets: Budget[] = []
    for (const task of TASKS) budgets.push(...(await time(task, gallery)))
    printBudgets('by hand, with keys where there are', budgets)
  } finally {
    await gallery.close()
  }
}

let album = ''

async function prepare(gallery: OpenGallery): Promise<void> {
  for (const name of ['holiday', 'work', 'beach']) await gallery.call('POST', '/tags', { name })
  await join(gallery, 'Anna')
  album = await makePool(gallery, 'Lake', gallery.ids.slice(0, 10))
}

async function time(task: Task, gallery: OpenGallery): Promise<Budget[]> {
  const { page } = gallery
  await page.setViewportSize(SIZE)
  await page.goto(task.path.replace('lake', album))
  const requests = watchRequests(page)
  await requests.idle()
  requests.take()
  const hand: Hand = {
    page,
    gallery,
    keys: 0,
    clicks: 0,
    async press(...keys) {
      hand.keys += await press(page, ...keys)
    },
    async click(...targets) {
      hand.clicks += await click(...targets)
    },
    async change(work) {
      const answer = page.waitForResponse(
        (response) => response.request().method() !== 'GET' && response.ok(),
      )
      await work()
      await answer
    },
  }
  await task.run(hand)
  await requests.idle()
  const { keys, clicks } = hand
  const seconds = keys * SECONDS.key + clicks * SECONDS.click + task.decisions * SECONDS.decision
  return [
    { what: `${task.what}: keys`, value: keys, held: task.held },
    { what: 'clicks', value: clicks },
    { what: 'requests', value: requests.take().length },
    { what: 'seconds', value: Math.round(seconds * 10) / 10 },
  ]
}
