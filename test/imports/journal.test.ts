import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { WriteAs } from '../../src/auth/write-as.ts'
import { write } from '../../src/db/write.ts'
import { readFolder } from '../../src/imports/entries.ts'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { prepareEntry } from '../../src/imports/prepare.ts'
import { contentsOf } from '../support/contents.ts'
import { inventory } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import {
  expectedEvents,
  journalOf,
  leaveSource,
  namesIn,
  putFile,
  rest,
  runImport,
  sha256,
} from '../support/imports.ts'

let library: Library
let folder: string
let opened: ImportFolder
let admin: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  mkdirSync(folder)
  opened = await openImportFolder(library.deps.config, undefined)
  admin = await library.join('ada', { is_admin: true })
})
after(async () => {
  await opened.close()
  await library.close()
})

const rows = () => journalOf(library)
const crashed = (name: string, bytes: Uint8Array) =>
  leaveSource(library, admin.token, {
    path: join(folder, name),
    known: join('import', name),
    bytes,
  })

const fileCount = () => inventory(library).files

describe('an import after a crash', () => {
  it('removes a source that is in the library already', async () => {
    await crashed('again.jpg', await picture(1))
    const before = inventory(library)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['again.jpg', 'skipped', 'already imported']]),
    )
    assert.deepEqual(inventory(library), before)
    assert.deepEqual([namesIn(folder), rows()], [[], []])
  })

  it('counts a file in trash as there', async () => {
    const id = await crashed('trashed.jpg', await picture(2))
    await library.call('DELETE', `/files/${id}`, { token: admin.token })
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['trashed.jpg', 'skipped', 'already imported']]),
    )
  })

  it('imports anew what was deleted for good meanwhile', async () => {
    const id = await crashed('deleted.jpg', await picture(3))
    await library.call('DELETE', `/files/${id}`, { token: admin.token })
    const gone = await library.call('DELETE', `/files/${id}/permanent`, { token: admin.token })
    assert.equal(gone.status, 204)
    assert.deepEqual(rows(), [])
    const before = fileCount()
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['deleted.jpg', 'imported']]),
    )
    assert.equal(fileCount(), before + 1)
  })

  it('imports anew what was replaced meanwhile: its source may be the last copy', async () => {
    const bytes = await picture(12)
    const id = await crashed('replaced.jpg', bytes)
    const body = form(await picture(13), 'other.jpg')
    const replaced = await library.call('PUT', `/files/${id}/content`, { token: admin.token, body })
    assert.equal(replaced.status, 200)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['replaced.jpg', 'imported']]),
    )
    const stored = library.deps.db.get<{ count: number }>(
      'SELECT count(*) AS count FROM file_details WHERE sha256 = ?',
      Buffer.from(sha256(bytes), 'hex'),
    )
    assert.equal(stored?.count, 1)
  })

  it('keeps a source whose content in the library is damaged or gone, until that is whole again', async () => {
    const bytes = await picture(14)
    await crashed('kept.jpg', bytes)
    const { blob } = library.deps.db.get<{ blob: string }>(
      'SELECT blob FROM file_details WHERE sha256 = ?',
      Buffer.from(sha256(bytes), 'hex'),
    )!
    const stored = contentsOf(library)
    const rotten = Buffer.from(bytes)
    rotten[bytes.length >> 1]! ^= 1
    const reason =
      "already imported; its content in the library is damaged or can't be read, so the source stays"
    for (const spoil of [() => stored.write(blob, rotten), () => stored.remove(blob)]) {
      spoil()
      assert.deepEqual(
        await runImport(library, admin.token),
        expectedEvents([['kept.jpg', 'skipped', reason]]),
      )
      assert.deepEqual([namesIn(folder), rows()], [['kept.jpg'], ['import/kept.jpg']])
      assert.ok(readFileSync(join(folder, 'kept.jpg')).equals(bytes))
    }
    stored.write(blob, bytes)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['kept.jpg', 'skipped', 'already imported']]),
    )
    assert.deepEqual([namesIn(folder), rows()], [[], []])
  })

  it('imports other bytes under the same path', async () => {
    await crashed('other.jpg', await picture(4))
    putFile(folder, 'other.jpg', await picture(5))
    const before = fileCount()
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['other.jpg', 'imported']]),
    )
    assert.equal(fileCount(), before + 1)
    assert.deepEqual([namesIn(folder), rows()], [[], []])
  })

  it('forgets rows whose source is gone, and keeps those of other folders', async () => {
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    await crashed('vanished.jpg', await picture(6))
    await crashed('inner/there.jpg', await picture(7))
    rmSync(join(folder, 'vanished.jpg'))
    await runImport(library, admin.token)
    assert.deepEqual(rows(), ['import/inner/there.jpg'])
    assert.deepEqual(
      await runImport(library, admin.token, 'inner'),
      expectedEvents([['there.jpg', 'skipped', 'already imported']]),
    )
    rmSync(inner, { recursive: true })
  })

  it('keeps the rows of a disk that is away, whose place is gone or empty', async () => {
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    await crashed('disk/once.jpg', await picture(8))
    renameSync(disk, `${disk} away`)
    const skippedFolder = expectedEvents([['disk away', 'skipped', 'a folder']])
    assert.deepEqual(await runImport(library, admin.token), skippedFolder)
    mkdirSync(disk)
    assert.deepEqual(await runImport(library, admin.token, 'disk'), expectedEvents([]))
    rmSync(disk, { recursive: true })
    renameSync(`${disk} away`, disk)
    assert.deepEqual(
      await runImport(library, admin.token, 'disk'),
      expectedEvents([['once.jpg', 'skipped', 'already imported']]),
    )
    assert.deepEqual(rows(), [])
    rmSync(disk, { recursive: true })
  })
})

describe('an entry that is prepared', () => {
  const asAda: WriteAs = (work) =>
    write(library.deps.db, { now: library.time.now }, (tx) =>
      work(tx, { id: admin.id, name: 'ada', is_admin: true, can_create: true }),
    )
  const prepare = async () => prepareEntry(library.deps, (await readFolder(opened))[0]!)

  it('leaves nothing when it is discarded', async () => {
    putFile(folder, 'discarded.jpg', await picture(8))
    const before = inventory(library)
    const prepared = await prepare()
    assert.equal(inventory(library).blobs, before.blobs + 1)
    await prepared.discard()
    assert.deepEqual(inventory(library), before)
    assert.deepEqual([namesIn(folder), rows()], [['discarded.jpg'], []])
  })

  it('has the time of its import when its own can be no date', async () => {
    const path = putFile(folder, 'timeless.jpg', await picture(8))
    const entry = (await readFolder(opened)).find(({ name }) => name === 'timeless.jpg')
    const DAY = 86_400_000
    const at = (time: number): [number, string] => [time, new Date(time).toISOString()]
    const { now } = library.time
    const instead = new Date(now).toISOString()
    const times: [modified: number, expected: string][] = [
      [Date.UTC(9999, 11, 31, 23, 59, 59, 999) + 1, instead],
      [now + 3 * DAY, instead],
      at(now + DAY),
      at(Date.UTC(1826, 1, 1)),
      [Date.UTC(1825, 10, 1), instead],
      [Date.parse('0001-01-01T00:00:00Z') - 1, instead],
      [9e15, instead],
    ]
    for (const [modified, expected] of times) {
      putFile(folder, 'timeless.jpg', await picture(8))
      const seen = statSync(path)
      const prepared = await prepareEntry(library.deps, {
        ...entry!,
        seen,
        modified,
        seenAt: modified + 1000,
      })
      assert.deepEqual(await prepared.finish(asAda), { status: 'imported' })
      const { items } = (await library.call('GET', '/files?limit=1', admin)).body
      assert.deepEqual(
        [items[0].original_name, items[0].content_datetime],
        ['timeless.jpg', expected],
      )
    }
  })

  it('keeps a source that has changed since it was copied, and nothing else, for the next import', async () => {
    const path = join(folder, 'discarded.jpg')
    const before = inventory(library)
    const prepared = await prepare()
    appendFileSync(path, 'more')
    rest(path, 1)
    assert.deepEqual(await prepared.finish(asAda), {
      status: 'skipped',
      reason: 'still being written',
    })
    assert.deepEqual([inventory(library), rows()], [before, []])
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([['discarded.jpg', 'imported']]),
    )
    assert.deepEqual([namesIn(folder), rows()], [[], []])
    assert.equal(fileCount(), before.files + 1)
  })

  it('keeps a source that has changed since its file was committed', async () => {
    const path = putFile(folder, 'late.jpg', await picture(9))
    const prepared = await prepare()
    const outcome = await prepared.finish((work) => {
      const result = asAda(work)
      appendFileSync(path, 'more')
      rest(path)
      return result
    })
    const reason = 'the source has changed meanwhile, so it stays'
    assert.deepEqual(outcome, { status: 'imported', reason })
    assert.deepEqual([namesIn(folder), rows()], [['late.jpg'], ['import/late.jpg']])
    rmSync(path)
    library.deps.db.run('DELETE FROM import_journal')
  })

  it('removes a source that looks otherwise and has the bytes that were read', async () => {
    const bytes = await picture(9)
    const path = join(folder, 'same.jpg')
    for (const change of [
      () => chmodSync(path, 0o600),
      () => rest(path, 60),
      () => renameSync(putFile(library.folder, 'b.jpg', bytes), path),
    ]) {
      putFile(folder, 'same.jpg', bytes)
      const prepared = await prepare()
      change()
      assert.deepEqual(await prepared.finish(asAda), { status: 'imported' })
      assert.deepEqual([namesIn(folder), rows()], [[], []])
    }
  })

  it('keeps a source that was replaced by another file of the same size and time', async () => {
    const [bytes, others] = [await picture(9), await picture(9)]
    others[others.length >> 1]! ^= 1
    const path = putFile(folder, 'a.jpg', bytes)
    const prepared = await prepare()
    renameSync(putFile(library.folder, 'b.jpg', others), path)
    assert.deepEqual(await prepared.finish(asAda), {
      status: 'skipped',
      reason: 'still being written',
    })
    assert.deepEqual(namesIn(folder), ['a.jpg'])
    rmSync(path)
  })

  it('is skipped when it grows, or is only touched, while it is read', async () => {
    for (const change of [
      (path: string) => appendFileSync(path, 'more'),
      (path: string) => rest(path, 60),
    ]) {
      const path = putFile(folder, 'large.jpg', await picture(10))
      const file = await open(path, 'r+')
      await file.truncate(100_000_000)
      await file.close()
      rest(path)
      const watcher = watch(join(library.folder, 'tmp'), () => {
        watcher.close()
        change(path)
      })
      const before = inventory(library)
      const prepared = await prepare()
      assert.deepEqual(await prepared.finish(asAda), {
        status: 'skipped',
        reason: 'still being written',
      })
      assert.deepEqual(inventory(library), before)
      rmSync(path)
    }
  })

  it('is skipped when it has gone, or became a folder, before its turn', async () => {
    const path = putFile(folder, 'gone.jpg', await picture(11))
    const [entry] = await readFolder(opened)
    rmSync(path)
    const outcome = async () => (await prepareEntry(library.deps, entry!)).finish(asAda)
    assert.deepEqual(await outcome(), { status: 'skipped', reason: 'no longer there' })
    mkdirSync(path)
    assert.deepEqual(await outcome(), { status: 'skipped', reason: 'still being written' })
    rmSync(path, { recursive: true })
  })

  it('is neither waited for nor followed when it became a pipe or a link before its turn', async () => {
    const path = putFile(folder, 'swapped.jpg', await picture(11))
    const [entry] = await readFolder(opened)
    rmSync(path)
    execFileSync('mkfifo', [path])
    const prepared = await prepareEntry(library.deps, entry!)
    assert.deepEqual(await prepared.finish(asAda), {
      status: 'skipped',
      reason: 'still being written',
    })
    rmSync(path)
    symlinkSync(putFile(library.folder, 'target.jpg', await picture(11)), path)
    await assert.rejects(prepareEntry(library.deps, entry!), { code: 'ELOOP' })
    rmSync(path)
  })

  it('stays when its file is deleted for good in the moment before its source would be', async () => {
    const id = await crashed('raced.jpg', await picture(12))
    const prepared = await prepare()
    await library.call('DELETE', `/files/${id}`, { token: admin.token })
    await library.call('DELETE', `/files/${id}/permanent`, { token: admin.token })
    assert.deepEqual(await prepared.finish(asAda), {
      status: 'skipped',
      reason: 'its file in the library was deleted meanwhile',
    })
    assert.deepEqual(namesIn(folder), ['raced.jpg'])
  })
})
