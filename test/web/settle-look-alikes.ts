import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../src/client/index.ts'
import { eventually } from '../support/eventually.ts'
import { watchRequests } from './support/drive.ts'
import {
  type LookAlikes,
  lookAgain,
  type Made,
  makeLookAlikes,
  shownPair,
} from './support/look-alikes.ts'
import { openGallery } from './support/open-gallery.ts'

// Settles groups of photos that look alike by keys alone, as somebody would who looks at each, and
// checks each against what should have become of it. It prints keys, requests and waiting, and how
// long people would take: 1.35 s for a decision, 0.28 s for a key (Card, Moran and Newell). With
// --proposals, by one key for each of those that are exact or smaller.
const { values } = parseArgs({
  options: {
    groups: { type: 'string', default: '100' },
    proposals: { type: 'boolean', default: false },
  },
})
const GROUPS = Number(values.groups)
const SECONDS = { decision: 1.35, key: 0.28, all: 300 }

/** What somebody wants of a group of two. */
type Wish = 'better' | 'other' | 'both' | 'none'

/** A file as it should be in the end. */
interface Expected {
  id: string
  tags: string[]
  pools: string[]
  /** When it was taken; null where only its arrival tells. */
  date: string | null
  name: string
}

const gallery = await openGallery()
const { page, call } = gallery
const made = await makeLookAlikes(gallery, {
  count: GROUPS,
  copyings: values.proposals ? ['same', 'smaller'] : ['smaller', 'recompressed', 'brightened'],
})
await lookAgain(gallery)
const { total } = await call<{ total: number }>('GET', '/files/duplicates')
assert.equal(total, GROUPS, 'groups that were found')

let keys = 0
let decisions = 0
let waited = 0
const requests = watchRequests(page)
const expected: Expected[] = []
const trashed: string[] = []

async function press(...names: string[]): Promise<void> {
  for (const name of names) {
    await page.keyboard.press(name)
    keys++
  }
}

await (values.proposals ? settleProposals(page) : settleOneByOne(page))
await requests.idle()
await check()
report()
await gallery.close()

/** Decides what is shown by the list of wishes, until nothing is left. */
async function settleOneByOne(own: Page): Promise<void> {
  await own.goto('/duplicates?at=one-by-one')
  await shownPair(own)
  await requests.idle()
  requests.take()
  const groupOf = new Map(
    made.flatMap((group, place): [string, { group: LookAlikes; place: number }][] =>
      [group.photo, ...group.copies].map((one) => [one.id, { group, place }]),
    ),
  )
  /** What became of files that others were merged into. */
  const merged = new Map<string, Expected>()
  const now = (one: Made) => merged.get(one.id) ?? one
  const put = new Set<number>()
  let left = GROUPS + made.filter(({ copies }) => copies.length > 1).length
  while (left > 0) {
    const [leftId, rightId] = await shownPair(own)
    const { group, place } = groupOf.get(leftId)!
    const files = [group.photo, ...group.copies]
    const [one, other] = [leftId, rightId].map((id) => files.find((file) => file.id === id)!)
    const wish = wishOf(place, group)
    decisions++
    if (place % 20 === 5 && !put.has(place)) {
      put.add(place)
      await next(own, 'l')
      continue
    }
    if (wish === 'both') {
      expected.push(expect(one!), expect(other!))
      await next(own, 'k')
    } else if (wish === 'none') {
      trashed.push(leftId, rightId)
      await next(own, 'x')
    } else {
      const better = betterOf(one!, other!)
      const kept = (wish === 'better') === (better === one) ? one! : other!
      const lost = kept === one ? other! : one!
      merged.set(kept.id, mergedFrom(expect(now(kept)), expect(now(lost))))
      trashed.push(lost.id)
      const key = kept.id === leftId ? 'ArrowLeft' : 'ArrowRight'
      if (place % 20 === 15 && !put.has(place)) {
        // Once too quick, and taken back.
        put.add(place)
        await next(own, key)
        await press('Control+z')
        await eventually(async () => (await shownPair(own))[0] === leftId)
      }
      await next(own, key)
    }
    left--
  }
  await own.getByText('All cleaned up').waitFor()
  expected.push(...merged.values())
}

/** Presses a key, and waits until another pair is there with its pictures, or nothing is left. */
async function next(own: Page, key: string): Promise<void> {
  const before = (await shownPair(own)).join()
  const started = performance.now()
  await press(key)
  const there = await eventually(async () => {
    if ((await own.locator('.pair').count()) === 0) return 'last'
    return (await shownPair(own)).join() !== before && 'another'
  })
  if (there === 'last') return
  waited += performance.now() - started
}

function wishOf(place: number, { copies }: LookAlikes): Wish {
  if (copies.length > 1) return 'better'
  if (place % 25 === 7) return 'both'
  if (place % 25 === 12) return 'none'
  return place % 10 === 3 ? 'other' : 'better'
}

/** The better one by the rule: more pixels, a date of the camera, more tags. */
function betterOf(a: Made, b: Made): Made {
  if (a.width !== b.width) return a.width > b.width ? a : b
  if ((a.date === null) !== (b.date === null)) return a.date === null ? b : a
  if (a.tags.length !== b.tags.length) return a.tags.length > b.tags.length ? a : b
  return a.bytes > b.bytes ? a : b
}

function expect(one: Made | Expected): Expected {
  const { id, tags, pools, date, name } = one
  return { id, tags: [...tags], pools: [...pools], date, name }
}

function mergedFrom(kept: Expected, lost: Expected): Expected {
  const union = (a: string[], b: string[]) => [...new Set([...a, ...b])]
  const isCopy = (name: string) => / \(\d\)\./.test(name)
  return {
    id: kept.id,
    tags: union(kept.tags, lost.tags),
    pools: union(kept.pools, lost.pools),
    date: kept.date ?? lost.date,
    name: isCopy(kept.name) && !isCopy(lost.name) ? lost.name : kept.name,
  }
}

/** Does what is proposed, one after the other. */
async function settleProposals(own: Page): Promise<void> {
  await own.goto('/duplicates')
  await own.locator('.plan .opened figure').first().waitFor()
  await requests.idle()
  requests.take()
  const rows = own.locator('.prop')
  for (let left = GROUPS; left > 0; left--) {
    decisions++
    const started = performance.now()
    const before = await own.locator('.plan h2').allInnerTexts()
    await press('Enter')
    await eventually(
      async () => (await own.locator('.plan h2').allInnerTexts()).join() !== before.join(),
    )
    waited += performance.now() - started
  }
  await rows.waitFor({ state: 'detached' })
  for (const { photo, copies } of made) {
    // Of equal ones, that with most tags is kept, then the oldest; else the one with most pixels.
    const files = [photo, ...copies].sort(
      (a, b) => b.width - a.width || b.tags.length - a.tags.length || (a.id < b.id ? -1 : 1),
    )
    const [kept, ...lost] = files
    let all = expect(kept!)
    for (const one of lost) all = { ...mergedFrom(all, expect(one)), name: all.name }
    expected.push(all)
    trashed.push(...lost.map(({ id }) => id))
  }
}

async function check(): Promise<void> {
  const poolsById = new Map<string, string[]>()
  const { items } = await call<Schemas['PoolOffsetPage']>('GET', '/pools')
  for (const { id: pool, name } of items) {
    const { ids } = await call<{ ids: string[] }>('GET', `/files/ids?pool=${pool}&limit=10000`)
    for (const id of ids) poolsById.set(id, [...(poolsById.get(id) ?? []), name])
  }
  for (const { id, tags, pools, date, name } of expected) {
    const file = await call<Schemas['File']>('GET', `/files/${id}`)
    const wasDated = file.date_source === 'exif' ? file.content_datetime : null
    assert.deepEqual(
      {
        isThere: !file.is_deleted,
        tags: file.tags.map((tag) => tag.name).sort(),
        pools: (poolsById.get(id) ?? []).sort(),
        date: wasDated,
        name: file.original_name,
      },
      { isThere: true, tags: tags.sort(), pools: pools.sort(), date, name },
      name,
    )
  }
  for (const id of trashed) {
    assert.equal((await call<Schemas['File']>('GET', `/files/${id}`)).is_deleted, true, id)
  }
  const all = made.reduce((sum, { copies }) => sum + 1 + copies.length, 0)
  assert.equal(expected.length + new Set(trashed).size, all, 'files that were decided')
  const { total } = await call<{ total: number }>('GET', '/files/duplicates')
  assert.equal(total, 0, 'groups that are left')
}

function report(): void {
  const paths = requests.take()
  const kinds = new Map<string, number>()
  for (const path of paths) {
    const kind = path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}|(?<=media\/)[^/]+/g, '·')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const seconds = decisions * SECONDS.decision + keys * SECONDS.key + waited / 1000
  const lines = [
    `${GROUPS} groups: ${expected.length} files kept, ${trashed.length} in the trash`,
    `${decisions} decisions, ${keys} keys, ${(waited / 1000).toFixed(1)} s waited`,
    `${paths.length} requests: ${[...kinds].map(([path, count]) => `${count} ${path}`).join(', ')}`,
    `${Math.round(seconds)} s, at most ${SECONDS.all}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  assert.ok(seconds < SECONDS.all)
}
