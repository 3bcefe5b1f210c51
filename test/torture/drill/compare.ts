import assert from 'node:assert/strict'
import type { Call } from '../worlds/steps.ts'
import { createGroup, type Group } from './group.ts'
import {
  type Counts,
  createJudge,
  isClients,
  type Judge,
  keyOf,
  type Moment,
  nameOf,
  same,
} from './judge.ts'
import { byCursor, byOffset, contentDigest, get, inOrder, joined, type Shown } from './reading.ts'

export interface Comparison extends Moment {
  /** Whether a file is one of those whose content, own answer and rights are compared, too. */
  isSampled: () => boolean
  /** Returns the SHA-256 of the content of a file that no client has changed. */
  digestOf: (name: string) => string
  /** Both libraries as somebody sees them who may look at a part of the files. */
  viewer: { live: Call; restored: Call }
}

/** What is known of a comparison as it goes on. */
interface Course extends Comparison {
  counts: Counts
  judge: Judge
  group: Group
  /** What the restored library has of the clients, by kinds and names. */
  found: Map<string, unknown>
}

const FILES = '/files?sort=created&order=asc'

/**
 * Compares a restored library, object by object through the API, with what the library was at the moment of the backup:
 * what was changed after it with what was known at that moment, and all else with the library as it is. Returns how many
 * objects of each kind were compared; throws at the first difference.
 */
export async function compareLibraries(comparison: Comparison): Promise<Counts> {
  const counts: Counts = {}
  const judge = createJudge(comparison, counts)
  const course = { ...comparison, counts, judge, group: createGroup(), found: new Map() }
  for (const path of [FILES, `${FILES}&trash=true`]) await compareFiles(course, path)
  for (const [kind, path] of [
    ['category', '/categories'],
    ['tag', '/tags'],
    ['pool', '/pools'],
    ['user', '/users'],
  ] as const) {
    await compareList(course, kind, path)
  }
  await compareRules(course)
  await course.group.end()
  compareClients(course)
  await compareSight(course)
  await compareAudit(course)
  return counts
}

async function compareFiles(course: Course, path: string): Promise<void> {
  const { live, restored, judge, group, isSampled } = course
  for await (const [one, other] of joined(byCursor(live, path), byCursor(restored, path))) {
    judge('file', one, other)
    if (other && (isClients(other) || isSampled())) {
      await group.add(() => compareFile(course, other, one !== null))
    }
  }
}

/** Compares what a list does not show of a file. */
async function compareFile(course: Course, shown: Shown, isLive: boolean): Promise<void> {
  const { restored, counts, found, digestOf } = course
  const key = keyOf('file', shown)
  same(key, await get(restored, `/files/${shown.id}`), shown)
  const sha256 = await contentDigest(restored, shown.id)
  counts.content ??= { compared: 0, changed: 0 }
  counts.content.compared++
  if (isClients(shown)) {
    const tags = shown.tags.map(nameOf).sort()
    assert.ok(!found.has(key), `${key} is there twice`)
    found.set(key, { sha256, isTrashed: shown.is_deleted, tags })
  } else assert.equal(sha256, digestOf(shown.original_name), `the content of ${key}`)
  if (isLive) await compareAccess(course, 'file', shown)
}

async function compareList(course: Course, kind: string, path: string): Promise<void> {
  const { live, restored, judge, group, found } = course
  const [ones, others] = await Promise.all(
    [live, restored].map((call) => inOrder(byOffset(call, path))),
  )
  for await (const [one, other] of joined(ones!.values(), others!.values())) {
    judge(kind, one, other)
    if (!other || kind === 'user') continue
    if (one) await group.add(() => compareAccess(course, kind, other))
    if (kind === 'pool') await group.add(() => comparePool(course, other))
    else if (kind === 'tag' && isClients(other)) found.set(keyOf(kind, other), true)
  }
}

/** Compares who may view and edit an object. */
async function compareAccess(course: Course, kind: string, { id }: Shown): Promise<void> {
  const { live, restored, history, entry, counts } = course
  const key = `access ${id}`
  const [now, then] = await Promise.all(
    [live, restored].map((call) => get(call, `/acl/${kind}/${id}`)),
  )
  const isChanged = history.isChangedAfter(key, entry)
  counts.access ??= { compared: 0, changed: 0 }
  counts.access.compared++
  if (isChanged) counts.access.changed++
  same(key, then, isChanged ? history.stateAt(key, entry) : now)
}

/** Compares which files are in a pool, and in which order. */
async function comparePool(course: Course, pool: Shown): Promise<void> {
  const { live, restored, found } = course
  const path = `/pools/${pool.id}/files`
  const files = async (call: Call) => {
    const all: string[] = []
    for await (const { original_name, position } of byCursor(call, path)) {
      all.push(`${position} ${original_name}`)
    }
    return all
  }
  const there = await files(restored)
  if (isClients(pool)) found.set(keyOf('pool', pool), there)
  else same(`the files of ${pool.name}`, there, await files(live))
}

async function compareRules({ live, restored, judge }: Course): Promise<void> {
  const [ones, others] = await Promise.all([live, restored].map((call) => get(call, '/tags/rules')))
  assert.equal(others.length, ones.length, 'rules')
  for (const [at, rule] of ones.entries()) judge('rule', rule, others[at])
}

/** Compares what the restored library has of the clients with what they knew at the moment. */
function compareClients({ history, entry, found }: Course): void {
  const known = [...history.statesAt(entry)].filter(([key]) =>
    isClients({ name: key.replace(/^\w+ /, '') }),
  )
  const isTrashed = (name: string) =>
    (history.stateAt(`file ${name}`, entry) as { isTrashed: boolean }).isTrashed
  const shown = known.map(([key, state]) => {
    if (!key.startsWith('pool ')) return [key, state] as const
    // A file in the trash leaves a gap.
    const files = (state as string[]).map((name, position) => ({ name, position }))
    const left = files.filter(({ name }) => !isTrashed(name))
    return [key, left.map(({ name, position }) => `${position} ${name}`)] as const
  })
  assert.deepEqual(
    Object.fromEntries([...found].sort()),
    Object.fromEntries(shown.sort()),
    'the restored library has not what the clients knew at the moment of the backup',
  )
}

/** Compares what somebody sees who may look at a part of the files. */
async function compareSight({ viewer, history, entry, counts }: Course): Promise<void> {
  const { live, restored } = viewer
  const sight = { compared: 0, changed: 0 }
  for await (const [one, other] of joined(byCursor(live, FILES), byCursor(restored, FILES))) {
    const { id } = one ?? other
    const keys = [keyOf('file', one ?? other), `access ${id}`]
    const isChanged = keys.some((key) => history.isChangedAfter(key, entry))
    sight.compared++
    if (isChanged) sight.changed++
    else assert.equal(other?.id, one?.id, `${keys[0]} is seen in one library alone`)
  }
  counts.seen = sight
}

/** Compares the audit log up to the moment, entry by entry, of which none is missing. */
async function compareAudit({ live, restored, entry, counts }: Course): Promise<void> {
  const [ones, others] = [live, restored].map((call) => entriesUpTo(call, entry))
  for (let expected = entry; expected > 0; expected--) {
    const [one, other] = await Promise.all([ones!.next(), others!.next()])
    assert.equal(one.value?.id, expected, 'the audit log of the library')
    same(`entry ${expected} of the audit log`, other.value, one.value)
  }
  counts.entry = { compared: entry, changed: 0 }
}

/** A server that writes an entry of its own, of a rescan, has the next page begin with what the last one has shown. */
async function* entriesUpTo(call: Call, entry: number): AsyncGenerator<Shown> {
  let next = entry
  for await (const one of byOffset(call, '/audit')) {
    if (one.id > next) continue
    yield one
    next = one.id - 1
  }
}
