import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../../src/base/time.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { backUp, lockBackups } from '../../../src/keep/backup/backup.ts'
import { listGenerations } from '../../../src/keep/backup/generations.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { createClient } from '../worlds/client.ts'
import { createRandom } from '../worlds/random.ts'
import { checkSound } from '../worlds/sound.ts'
import type { Call, StepKind } from '../worlds/steps.ts'

const HOUR = 3_600_000
const YEAR = 365 * DAY
/** How the clock is set, in milliseconds: to and fro, and in the end to where it is right. */
const MOVES = [HOUR, -DAY, 2 * HOUR, -YEAR, YEAR, 10 * DAY, -10 * DAY, -HOUR, DAY]
/** How much later each request is than the one before, in milliseconds, at most. */
const TICK = 50
const ACCESS_TOKEN_TTL = 15 * 60_000
const REFRESH_TOKEN_TTL = 30 * DAY
/** Milliseconds that a clock may be off where tokens are concerned. */
const TOLERANCE = 5000

export interface ClockOutcome {
  moves: number
  /** Acknowledged changes, entries of the audit log, and backups. */
  changes: number
  entries: number
  backups: number
}

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Somebody who signs in at one clock and uses the tokens at another; times are in milliseconds. */
interface Held extends Tokens {
  issued: number
}

/**
 * Sets the clock of a library forth and back by an hour to a year while it is changed, signed in to and backed up, `steps`
 * changes at each. Throws when ids, operations, the audit log or backups lose their order, a token is good for longer or
 * shorter than it is to be, a change is lost, or an answer is an error of the server.
 */
export async function moveClock({
  seed,
  steps,
}: {
  seed: number
  steps: number
}): Promise<ClockOutcome> {
  const backups = mkdtempSync(join(tmpdir(), 'tagstead-clock-'))
  const library = await openLibrary()
  try {
    return await moveAll(library, { seed, steps, backups })
  } finally {
    await library.close()
    rmSync(backups, { recursive: true })
  }
}

async function moveAll(
  library: Library,
  { seed, steps, backups }: { seed: number; steps: number; backups: string },
): Promise<ClockOutcome> {
  const { deps, folder, time } = library
  const random = createRandom(seed)
  const client = createClient({ prefix: 'ann', seed, tail: 1000 })
  for (const name of ['ann', 'ben']) await library.addUser(name, { is_admin: true })
  const operations: number[] = []
  const generations: string[] = []
  let token = ''
  const call: Call = async (method, path, body) => {
    time.now += random.below(TICK)
    const response = await library.fetchRaw(method, path, { token, ...(body && { body }) })
    const operation = response.headers.get('Operation')
    if (operation !== null) operations.push(Number(operation))
    return response
  }
  for (const move of [0, ...MOVES]) {
    const ann = await hold(library, 'ann')
    const ben = await hold(library, 'ben')
    time.now += move
    await checkTokens(library, ann)
    await checkPredecessor(library, ben)
    token = (await library.signIn('ann')).access_token
    const first: StepKind[] = ['newTag', 'newPool', 'upload']
    for (let n = 0; n < steps; n++) {
      const status = await client.step(call, n < first.length && move === 0 ? first[n] : undefined)
      assert.ok(status !== null && status < 300, `${status} after the clock went by ${move} ms`)
    }
    generations.push(await makeBackup(library, backups))
    assert.equal((await listGenerations(backups)).at(-1), generations.at(-1), 'the newest backup')
    for (const table of ['files', 'tags', 'pools']) {
      const there = table === 'files' ? 'WHERE is_deleted = 0' : ''
      const rows = deps.db.all<{ id: Uint8Array }>(
        `SELECT id FROM ${table} ${there} ORDER BY rid LIMIT ${PAGE}`,
      )
      const path = `/${table}?sort=created&order=asc&limit=${PAGE}`
      const { body } = await library.call('GET', path, { token })
      assert.deepEqual(
        body.items.map(({ id }: { id: string }) => id),
        rows.map(({ id }) => blobToUuid(id)),
        `the order of ${table}`,
      )
    }
    assert.equal(client.compare(deps.db), false)
    assert.deepEqual(checkSound(folder, deps.db), [])
  }
  assertAscending(operations, 'operations')
  assertAscending(generations, 'backups')
  const entries = await checkLog(library, token)
  assert.deepEqual(
    library.logged.filter(({ level }) => level === 'error'),
    [],
  )
  const changes = [...client.counts.values()].reduce((a, b) => a + b, 0)
  return { moves: MOVES.length, changes, entries, backups: generations.length }
}

/** How many of a list are looked at. */
const PAGE = 100

function assertAscending<T extends number | string>(values: T[], what: string): void {
  for (const [n, value] of values.entries()) {
    assert.ok(n === 0 || value > values[n - 1]!, `${what}: ${value} comes after ${values[n - 1]}`)
  }
}

/** Signs in and renews the session once; returns the tokens that are live then, and the one before. */
async function hold(library: Library, name: string): Promise<Held & { before: string }> {
  const { refresh_token } = await library.signIn(name)
  const renewed = await library.refresh(refresh_token)
  assert.equal(renewed.status, 200)
  return { ...(renewed.body as Tokens), before: refresh_token, issued: library.time.now }
}

/** A token is good until it expires, by the clock of the moment. */
async function checkTokens(library: Library, held: Held): Promise<void> {
  const age = library.time.now - held.issued
  for (const [life, ask] of [
    [ACCESS_TOKEN_TTL, () => library.call('GET', '/users/me', { token: held.access_token })],
    [REFRESH_TOKEN_TTL, () => library.refresh(held.refresh_token)],
  ] as const) {
    const { status } = await ask()
    if (age < life - TOLERANCE) assert.equal(status, 200, `${age} ms after it was given`)
    if (age > life + TOLERANCE) assert.equal(status, 401, `${age} ms after it was given`)
  }
}

/** The token before the live one is good for a minute, and a clock that is set back makes that no longer. */
async function checkPredecessor(library: Library, held: Held & { before: string }): Promise<void> {
  const isSoon = Math.abs(library.time.now - held.issued) < 60_000
  const again = await library.refresh(held.before)
  assert.equal(again.status, isSoon ? 200 : 401, 'the token before the live one')
  const live = await library.refresh(held.refresh_token)
  assert.equal(live.status, isSoon ? 200 : 401, 'the live one, after the one before it')
}

/** Makes a backup, and returns the name of its generation. */
async function makeBackup({ folder, time }: Library, dir: string): Promise<string> {
  const lock = await lockBackups({ dataDir: folder })
  try {
    const { generation, missing, faults } = await backUp({
      ...{
        config: { dataDir: folder, store: null },
        dir,
        retained: { days: 7, weeks: 4, months: 12 },
      },
      ...{
        isDatabaseOnly: false,
        isLinking: false,
        withSecret: false,
        isFull: false,
        now: time.now,
      },
      signal: new AbortController().signal,
    })
    assert.deepEqual([missing, faults], [[], []])
    return generation
  } finally {
    lock.release()
  }
}

/** The log has each entry once, the newest by time first; returns how many there are. */
async function checkLog({ call, deps }: Library, token: string): Promise<number> {
  const expected = deps.db
    .all<{ id: number }>('SELECT id FROM audit_log ORDER BY performed_at DESC, id DESC')
    .map(({ id }) => id)
  const found: number[] = []
  while (found.length < expected.length) {
    const { body } = await call('GET', `/audit?limit=100&offset=${found.length}`, { token })
    assert.equal(body.total, expected.length)
    found.push(...body.items.map(({ id }: { id: number }) => id))
    assert.ok(body.items.length > 0)
  }
  assert.deepEqual(found, expected)
  return expected.length
}
