import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { readFolder } from '../../src/imports/entries.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { youngLast } from '../../src/imports/rest.ts'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { expectedEvents, namesIn, putFile, rest, runImport } from '../support/imports.ts'
import { streamed } from '../support/streamed.ts'

const TEN_MINUTES = 600_000
const WRITTEN = 'still being written'

let library: Library
let folder: string
let admin: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  admin = await library.join('ada', { is_admin: true })
})
after(() => library.close())
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  settleFor(0)
})

const settleFor = (importSettle: number) => Object.assign(library.deps.config, { importSettle })
const run = (options?: { leave_sources?: boolean; dry_run?: boolean }) =>
  runImport(library, admin.token, undefined, options)
const begin = async () =>
  streamed<ImportEvent>(await library.fetchRaw('POST', '/files/import', { token: admin.token }))
const skipped = (name: string) => expectedEvents([[name, 'skipped', WRITTEN]])
const imported = (name: string) => expectedEvents([[name, 'imported']])

/** Opens a file for writing in a process of its own; returns what ends that. */
async function holdOpen(path: string): Promise<() => Promise<unknown>> {
  const holder = spawn('sh', ['-c', 'exec 3>>"$1"; echo; read -r _', 'sh', path])
  await once(holder.stdout, 'data')
  return () => {
    const closed = once(holder, 'close')
    holder.stdin.end()
    return closed
  }
}

/** Does something as it would be done so many milliseconds later. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date
  Date.now = () => now() + ms
  try {
    return await work()
  } finally {
    Date.now = now
  }
}

describe('a source that a process has open for writing', () => {
  it('stays, in a dry run too, until it is closed', async () => {
    const close = await holdOpen(putFile(folder, 'open.jpg', await picture(1)))
    const before = inventory(library)
    for (const options of [{}, { leave_sources: true }, { dry_run: true }]) {
      const [, file] = await run(options)
      assert.deepEqual(file, skipped('open.jpg')[1])
    }
    assert.deepEqual([inventory(library), namesIn(folder)], [before, ['open.jpg']])
    await close()
    assert.deepEqual(await run(), imported('open.jpg'))
  })

  it('stays when it was imported before', async () => {
    const path = putFile(folder, 'again.jpg', await picture(2))
    await run({ leave_sources: true })
    const close = await holdOpen(path)
    assert.deepEqual(await run(), skipped('again.jpg'))
    await close()
    assert.deepEqual(await run(), expectedEvents([['again.jpg', 'skipped', 'already imported']]))
  })

  it('is told from one that is only read', async () => {
    const path = putFile(folder, 'read.jpg', await picture(3))
    const reader = spawn('sh', ['-c', 'exec 3<"$1"; echo; read -r _', 'sh', path])
    await once(reader.stdout, 'data')
    assert.deepEqual(await run(), imported('read.jpg'))
    reader.stdin.end()
  })
})

describe('a copy that pauses', () => {
  for (const leave_sources of [false, true]) {
    it(`comes in once, and whole${leave_sources ? ', where sources are left' : ''}`, async () => {
      const whole = await picture(leave_sources ? 4 : 5)
      const path = join(folder, 'paused.jpg')
      const half = Math.floor(whole.length * 0.6)
      writeFileSync(path, whole.subarray(0, half))
      const before = inventory(library)
      assert.deepEqual(await run({ leave_sources }), skipped('paused.jpg'))
      assert.deepEqual(inventory(library), before)
      appendFileSync(path, whole.subarray(half))
      assert.deepEqual(await run({ leave_sources }), imported('paused.jpg'))
      const { items } = (await library.call('GET', '/files?limit=1', admin)).body
      assert.equal(items[0].size, whole.length)
      assert.equal(inventory(library).files, before.files + 1)
      if (leave_sources) assert.ok(readFileSync(path).equals(whole))
    })
  }

  it('is taken as it is when it has not changed for ten minutes', async () => {
    const whole = await picture(6)
    putFile(folder, 'cut.jpg', whole.subarray(0, whole.length - 2))
    await later(TEN_MINUTES - 60_000, async () => {
      assert.deepEqual(await run(), skipped('cut.jpg'))
    })
    await later(TEN_MINUTES, async () => assert.deepEqual(await run(), imported('cut.jpg')))
  })
})

/** Milliseconds: far more than a busy machine takes from writing files to looking at them. */
const SETTLE = 3000

describe('a source that has just changed', () => {
  it('comes last, after one wait for all of them', async () => {
    const names = ['b.jpg', 'a.jpg', 'c.jpg']
    const pictures = await Promise.all(names.map((_, index) => picture(10 + index)))
    for (const [index, name] of names.entries()) putFile(folder, name, pictures[index]!, index)
    putFile(folder, 'empty.jpg', '', 4)
    settleFor(SETTLE)
    const [start, ...others] = await run()
    assert.deepEqual(start, { type: 'start', total: 4, young: 3 })
    const [, ...expected] = expectedEvents([
      ['empty.jpg', 'skipped', 'empty'],
      ['b.jpg', 'imported'],
      ['a.jpg', 'imported'],
      ['c.jpg', 'imported'],
    ])
    assert.deepEqual(others, expected)
  })

  it('is waited for by the clock of its last change, and from when it was seen if that is ahead', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']) putFile(folder, name, 'x')
    const opened = await openImportFolder(library.deps.config, undefined)
    const found = await readFolder(opened)
    await opened.close()
    const now = Date.now()
    const changes = [now - 1000, now - 60_000, now + 3_600_000, now - 5001]
    const entries = found.map((entry, index) => ({
      ...entry,
      seenAt: now,
      seen: { ...entry.seen, ctimeMs: changes[index]! },
    }))
    const { entries: order, young, restAt } = youngLast(entries, 5000)
    assert.deepEqual(
      order.map(({ name }) => name),
      ['b.jpg', 'd.jpg', 'a.jpg', 'c.jpg'],
    )
    assert.deepEqual([young, restAt], [2, now + 5000])
  })

  it('stays when it changes while it is waited for', async () => {
    const path = putFile(folder, 'growing.jpg', await picture(13))
    settleFor(SETTLE)
    const stream = await begin()
    assert.equal((await stream.next())?.young, 1)
    appendFileSync(path, 'more')
    rest(path)
    assert.deepEqual((await stream.rest())[0], skipped('growing.jpg')[1])
    assert.deepEqual(namesIn(folder), ['growing.jpg'])
  })

  it('is waited for no longer when the import is ended', async () => {
    putFile(folder, 'a.jpg', await picture(14))
    settleFor(3_600_000)
    const stream = await begin()
    await stream.next()
    assert.equal((await library.call('DELETE', '/files/import', admin)).status, 204)
    const tally = { imported: 0, skipped: 0, errors: 0 }
    assert.deepEqual(await stream.rest(), [
      { type: 'done', total: 0, ...tally, reason: 'ended by ada' },
    ])
    assert.deepEqual(namesIn(folder), ['a.jpg'])
  })

  it('is none for the names of it that remain when one is removed', async () => {
    const path = putFile(folder, 'a.jpg', await picture(15))
    for (const name of ['b.jpg', 'c.jpg', 'd.jpg']) linkSync(path, join(folder, name))
    const events = await run()
    assert.deepEqual(
      events,
      expectedEvents(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => [name, 'imported'])),
    )
    assert.deepEqual(namesIn(folder), [])
  })
})

describe('a source whose format says that its end is missing', () => {
  const noise = async (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif') =>
    sharp(await picture(20))
      .resize(200)
      .toFormat(format)
      .toBuffer()
  const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
  for (const format of FORMATS) {
    it(`stays: ${format}`, async () => {
      const whole = await noise(format)
      // What a TIFF tells is where all else is, which is at its end or in its middle.
      for (const share of format === 'tiff' ? [0.3] : [0.5, 0.9]) {
        putFile(folder, 'cut', whole.subarray(0, Math.floor(whole.length * share)))
        assert.deepEqual(await run(), skipped('cut'))
      }
      putFile(folder, 'cut', whole)
      assert.deepEqual(await run(), imported('cut'))
    })
  }
})
