import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { importFiles } from '../../src/imports/import.ts'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { exchange, keepExchanging, withoutExchange } from '../support/exchange.ts'
import { inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { withoutMounts } from '../support/import-folders.ts'
import { expectedEvents, namesIn, putFile, sha256 } from '../support/imports.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

const NO_DESCRIPTORS = { descriptors: '/nowhere' }

let library: Library
let admin: { id: number; token: string }
let base: string
/** In the import folder: a folder that may be named, and a link to the one outside. */
let inner: string
let link: string
let outside: string
/** How many contents were there before the test. */
let known: number
before(async () => {
  library = await openLibrary()
  admin = await library.join('ada', { is_admin: true })
  base = join(library.folder, 'import')
  inner = join(base, 'inner')
  link = join(base, 'link')
  outside = mkdtempSync(join(tmpdir(), 'tagstead-outside-'))
})
after(async () => {
  rmSync(outside, { recursive: true })
  await library.close()
})
beforeEach(() => {
  for (const folder of [base, outside]) rmSync(folder, { recursive: true, force: true })
  for (const folder of [base, inner, outside]) mkdirSync(folder)
  symlinkSync(outside, link)
  known = digests().length
})

type Use = 'names' | 'look' | 'open' | 'removeIf'

/**
 * Returns a folder that, for each use of it of one kind, is swapped for the link to the one outside
 * after all that was checked, and swapped back afterwards; and how often that was.
 */
function swappedAt(folder: ImportFolder, use: Use) {
  const counted = { swaps: 0 }
  const during =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      exchange(inner, link)
      counted.swaps++
      try {
        return await call(...args)
      } finally {
        exchange(inner, link)
      }
    }
  return { counted, folder: { ...folder, [use]: during(folder[use] as () => Promise<unknown>) } }
}

async function eventsOf(folder: ImportFolder): Promise<ImportEvent[]> {
  const user = { id: admin.id, name: 'ada', is_admin: true, can_create: true }
  const { signal } = new AbortController()
  const events: ImportEvent[] = []
  for await (const event of importFiles(library.deps, { folder, caller: () => user, signal })) {
    events.push(event)
  }
  return events.map(({ operation: _, ...event }) => event)
}

/** Returns the digests of the contents in the library. */
const digests = () =>
  library.deps.db
    .all<{ sha256: Uint8Array }>('SELECT sha256 FROM file_details ORDER BY file_rid')
    .map((row) => Buffer.from(row.sha256).toString('hex'))

/** Returns what this process has open at or below a path. */
const openBelow = (path: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target === path || target.startsWith(`${path}/`)
    } catch {
      return false
    }
  })

describe('a folder that is swapped for a link to another', { skip: withoutExchange }, () => {
  for (const use of ['names', 'look', 'open', 'removeIf'] as const) {
    it(`is still the one that was opened, in the moment of ${use}`, async () => {
      const [ours, theirs] = [await picture(1), await picture(2)]
      putFile(inner, 'a.jpg', ours)
      const name = use === 'names' ? 'b.jpg' : 'a.jpg'
      putFile(outside, name, theirs)
      const opened = await openImportFolder(library.deps.config, 'inner')
      const { folder, counted } = swappedAt(opened, use)
      assert.deepEqual(await eventsOf(folder), expectedEvents([['a.jpg', 'imported']]))
      assert.ok(counted.swaps > 0)
      await opened.close()
      assert.deepEqual(digests().slice(known), [sha256(ours)])
      assert.deepEqual([namesIn(inner), namesIn(outside)], [[], [name]])
    })

    it(`is left alone without descriptors, in the moment of ${use}`, async () => {
      putFile(inner, 'a.jpg', await picture(1))
      putFile(outside, 'a.jpg', await picture(2))
      const opened = await openImportFolder(library.deps.config, 'inner', NO_DESCRIPTORS)
      const { folder, counted } = swappedAt(opened, use)
      const [first, ...rest] = await eventsOf(folder)
      assert.ok(counted.swaps > 0)
      await opened.close()
      const reason = 'the folder is no longer where it was'
      const file = { type: 'file', index: 1, filename: 'a.jpg' } as const
      const outcomes = {
        names: { type: 'error', reason },
        look: { type: 'error', reason },
        open: { ...file, status: 'error', reason },
        removeIf: { ...file, status: 'imported', reason: 'the source could not be removed' },
      }
      assert.deepEqual(rest[0] ?? first, outcomes[use])
      assert.deepEqual(digests().slice(known), use === 'removeIf' ? [sha256(await picture(1))] : [])
      assert.deepEqual([namesIn(inner), namesIn(outside)], [['a.jpg'], ['a.jpg']])
    })
  }

  it('gives no way to remove the same file where it has another name', async () => {
    linkSync(putFile(outside, 'a.jpg', await picture(3)), join(inner, 'a.jpg'))
    const opened = await openImportFolder(library.deps.config, 'inner')
    const { folder, counted } = swappedAt(opened, 'removeIf')
    assert.deepEqual(await eventsOf(folder), expectedEvents([['a.jpg', 'imported']]))
    assert.equal(counted.swaps, 1)
    await opened.close()
    assert.deepEqual([namesIn(inner), namesIn(outside)], [[], ['a.jpg']])
  })

  it('is never opened through the link, however often they change places', async () => {
    putFile(inner, 'ours', 'ours')
    putFile(outside, 'theirs', 'theirs')
    const deep = join('inner', 'deep')
    for (const folder of [inner, outside]) mkdirSync(join(folder, 'deep'))
    const outcomes = { opened: 0, refused: 0, between: 0 }
    const swapping = await keepExchanging(inner, link)
    try {
      while (outcomes.opened < 50 || outcomes.refused < 50 || outcomes.between < 5) {
        for (const path of ['inner', deep]) {
          try {
            const folder = await openImportFolder(library.deps.config, path)
            outcomes.opened++
            const names = (await folder.names()).map(String).sort()
            await folder.close()
            assert.deepEqual(names, path === deep ? [] : ['deep', 'ours'])
          } catch (error) {
            const { code, details } = error as { code: string; details?: { message: string }[] }
            assert.equal(code, 'validation_error', String(error))
            const isChecked = details?.[0]?.message.startsWith('must be in the import folder: ')
            outcomes[isChecked ? 'refused' : 'between']++
          }
        }
      }
    } finally {
      await swapping.stop()
    }
  })
})

describe('what an import has open', () => {
  it('is closed again, deep down and when it is refused', async () => {
    const steps = Array.from({ length: 300 }, (_, index) => `${index}`)
    const deep = join(base, ...steps)
    mkdirSync(deep, { recursive: true })
    putFile(deep, 'a.jpg', await picture(1))
    putFile(deep, 'b.jpg', 'no picture')
    const ask = (path: string) =>
      library.call('POST', '/files/import', { token: admin.token, body: { path } })
    const taken = await ask(deep)
    assert.equal(taken.status, 200)
    assert.match(taken.text, /"a.jpg","status":"imported"/)
    for (const path of [join(deep, 'b.jpg'), join(deep, 'missing'), 'link', '..']) {
      assert.equal((await ask(path)).status, 400)
    }
    assert.deepEqual(openBelow(base), [])
  })
})

describe("the library's own folders", () => {
  it('are not imported from where they are mounted', { skip: withoutMounts() }, async () => {
    await library.upload(admin.token, await picture(1))
    const before = inventory(library)
    const shelf = namesIn(join(library.folder, 'files')).find((name) => !name.startsWith('.'))
    const own = ['.', 'files', `files/${shelf}`, 'thumbnails', 'tmp']
    const cases = own.map((path) => [path, 'inner']).concat([['.', 'inner/files']])
    for (const [path, named] of cases) {
      execFileSync('mount', ['--bind', join(library.folder, path!), inner])
      try {
        const body = { path: named }
        const { status, body: answer } = await library.call('POST', '/files/import', {
          token: admin.token,
          body,
        })
        assert.deepEqual([status, answer.details?.[0]?.field], [400, 'path'], `${path} ${named}`)
      } finally {
        execFileSync('umount', [inner])
      }
    }
    assert.deepEqual(inventory(library), before)
  })
})
