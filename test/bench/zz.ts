import { setTimeout } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { dropMany, openCosts, settled, watchRequests } from '../web/support/drive.ts'
import { addLargeLibrary } from '../web/support/large-library.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../web/support/open-gallery.ts'
import { makeTags } from '../web/support/tags.ts'
import { type Budget, printBudgets } from './budgets.ts'

const TAGS = 5000
const ROWS = 10_000
/** How often a page is opened for the best figure of it. */
const ROUNDS = 3
/** Found among all others by each of its letters: as many matches as there can be. */
const TYPED = 'tag 42'
/** Milliseconds of script that a list, and a key, may take. */
const [LIST, KEY] = [100, 10]
const NODES = 2500

/**
 * Prints what long lists cost the page, beside what they may cost: 5,000 tags at the side and in the box
 * where they are typed, 10,000 files in the trash and on their way up. What is held ends the run when it
 * costs more.
 */
export async function bench(): Promise<void> {
  if (withoutChromium) {
    process.stdout.write('\nlists of the gallery: needs Chromium\n')
    return
  }
  const gallery = await openGallery({ files: 5 })
  try {
    await makeTags(gallery, TAGS)
    addLargeLibrary(gallery.dataDir, { count: ROWS, isTrashed: true })
    printBudgets(`lists of the gallery: ${TAGS} tags, ${ROWS} files`, [
      ...(await best('side bar', () => sideBar(gallery))),
      ...(await best('trash', () => trash(gallery))),
      ...(await best('upload panel', () => uploadPanel(gallery))),
      ...(await tagBox(gallery)),
    ])
  } finally {
    await gallery.close()
  }
}

interface Cost {
  script: number
  nodes: number
}

/** Returns what a list costs at best. */
async function best(what: string, open: () => Promise<Cost>): Promise<Budget[]> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) { costs.push(await open()); console.log(performance.now()|0, what, costs.at(-1)) }
  const least = (name: keyof Cost) => Math.min(...costs.map((cost) => cost[name]))
  return [
    { what: `${what}: script, ms`, value: least('script'), held: LIST },
    { what: `${what}: nodes`, value: least('nodes'), held: NODES },
  ]
}

/** Runs something in the page, and returns the script that it took until it is there and at rest. */
async function costOf(page: Page, act: () => Promise<unknown>): Promise<Cost> {
  const requests = watchRequests(page)
  const costs = await openCosts(page)
  const before = await costs()
  await act()
  await requests.idle()
  const { script } = await costs()
  const { nodes } = await costs({ clean: true })
  return { script: script - before.script, nodes }
}

async function sideBar({ page }: OpenGallery): Promise<Cost> {
  const held: Route[] = []
  let isHeld = true
  await page.route('**/api/v1/tags?*', (route) => (isHeld ? held.push(route) : route.continue()))
  await page.goto('/')
  await settled(page)
  while (held.length === 0) await setTimeout(20)
  const cost = await costOf(page, async () => {
    isHeld = false
    for (const route of held) await route.continue()
    await page.locator('.tags a').first().waitFor()
  })
  await page.unrouteAll()
  return cost
}

async function trash({ page }: OpenGallery): Promise<Cost> {
  await page.goto('/')
  await settled(page)
  await page.locator('.tags a').first().waitFor()
  return costOf(page, async () => {
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.locator('.bar h1').waitFor()
    await settled(page)
  })
}

async function uploadPanel({ page }: OpenGallery): Promise<Cost> {
  await page.goto('/')
  await settled(page)
  await page.locator('.tags a').first().waitFor()
  // None of them arrives.
  await page.route('**/api/v1/files', () => {})
  const drop = await dropMany(page, ROWS)
  const costs = await openCosts(page)
  const before = await costs()
  await drop()
  await page.locator('.ups li').last().waitFor()
  const { script } = await costs()
  const { nodes } = await costs({ clean: true })
  await page.goto('about:blank')
  await page.unrouteAll()
  return { script: script - before.script, nodes }
}

/** Types into the box for tags of a selection. */
async function tagBox({ page }: OpenGallery): Promise<Budget[]> {
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto('/')
    await settled(page)
    await page.locator('.tags a').first().waitFor()
    await page.locator('.cell .tick').first().click({ force: true })
    await page.keyboard.press('t')
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
    const costs = await openCosts(page)
    const keys: number[] = []
    for (const key of TYPED) {
      await painted(page)
      const before = await costs()
      await page.keyboard.press(key)
      await painted(page)
      keys.push((await costs()).script - before.script)
    }
    rounds.push(keys); console.log(keys)
  }
  const least = [...TYPED].map((_, at) => Math.min(...rounds.map((keys) => keys[at]!)))
  return [
    { what: 'tag box, the first key: script, ms', value: least[0]!, held: KEY },
    { what: 'tag box, any other key: script, ms', value: Math.max(...least.slice(1)), held: KEY },
  ]
}

/** Waits until what was done is painted. */
function painted(page: Page): Promise<void> {
  return page.evaluate<void>(
    'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
  )
}
