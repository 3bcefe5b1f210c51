import assert from 'node:assert/strict'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { openImportFolder } from '../../src/imports/folder.ts'
import { importFiles } from '../../src/imports/import.ts'
import { inventory } from '../support/files.ts'
import { openLibrary, picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { journalOf, leaveSource, namesIn, putFile, runImport } from '../support/imports.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const run = (options: Parameters<typeof runImport>[3] = {}) =>
  runImport(on.library, on.admin, undefined, { dry_run: true, ...options })

describe('a dry run of an import', () => {
  it('tells the types, what would be left and what is here already, and changes nothing', async () => {
    const known = await picture(1)
    await on.library.upload(on.admin, known)
    const png = await sharp(await picture(2))
      .png()
      .toBuffer()
    const inner = on.fill('inner', 0)
    putFile(on.base, 'known.jpg', known)
    putFile(inner, 'a.jpg', await picture(3), 1)
    putFile(inner, 'b.png', png, 2)
    putFile(inner, 'c.jpg', await picture(3), 3)
    putFile(on.base, 'text.jpg', 'no picture at all', 4)
    putFile(on.base, 'empty.jpg', '', 5)
    symlinkSync(join(on.base, 'known.jpg'), join(inner, 'link.jpg'))
    const left = await leaveSource(on.library, on.admin, {
      path: join(on.base, 'left.jpg'),
      known: 'import/left.jpg',
      bytes: await picture(4),
    })
    assert.ok(left)
    const before = inventory(on.library)
    const names = [namesIn(on.base), namesIn(inner)]
    const events = await run({ recursive: true })
    assert.deepEqual(events[0], { type: 'start', total: 8, dry_run: true })
    const files = new Map(
      events
        .slice(1, -1)
        .map(({ type: _, index: __, filename, ...outcome }) => [filename, outcome]),
    )
    const jpeg = { status: 'imported', mime_type: 'image/jpeg' }
    assert.deepEqual(Object.fromEntries(files), {
      'known.jpg': { ...jpeg, reason: 'already here' },
      'left.jpg': { status: 'skipped', reason: 'already imported' },
      'inner/a.jpg': jpeg,
      'inner/b.png': { status: 'imported', mime_type: 'image/png' },
      'inner/c.jpg': { ...jpeg, reason: 'already here' },
      'text.jpg': {
        status: 'skipped',
        reason: 'The file is not a picture or video of a known type',
      },
      'empty.jpg': { status: 'skipped', reason: 'empty' },
      'inner/link.jpg': { status: 'skipped', reason: 'a symbolic link' },
    })
    const { room, ...done } = events.at(-1)!
    assert.ok(room! > 0, `${room}`)
    assert.deepEqual(done, {
      type: 'done',
      total: 8,
      imported: 4,
      skipped: 4,
      errors: 0,
      bytes: known.length + 2 * (await picture(3)).length + png.length,
      here: 3,
      types: [
        { mime_type: 'image/jpeg', files: 3 },
        { mime_type: 'image/png', files: 1 },
      ],
    })
    assert.deepEqual(inventory(on.library), before)
    assert.deepEqual([namesIn(on.base), namesIn(inner)], names)
    assert.deepEqual(journalOf(on.library), ['import/left.jpg'])
    assert.deepEqual(on.stillOpen(), [])
    const state = (await on.library.call('GET', '/files/import', { token: on.admin })).body
    assert.deepEqual([state.dry_run, state.tallies.imported], [true, 4])
  })

  it('says what would become of a content that is here, as that is chosen', async () => {
    const bytes = await picture(5)
    for (const [n, name] of ['a.jpg', 'b.jpg'].entries()) putFile(on.base, name, bytes, n)
    const outcomes = async (on_duplicate: 'skip' | 'conflict') => {
      const events = await run({ on_duplicate })
      const { imported, skipped, errors, here } = events.at(-1)!
      return [events[2]!.status, events[2]!.reason, imported, skipped, errors, here]
    }
    assert.deepEqual(await outcomes('skip'), ['skipped', 'already here', 1, 1, 0, 1])
    const reason = 'A file with the same content is already in the library'
    assert.deepEqual(await outcomes('conflict'), ['error', reason, 1, 0, 1, 1])
  })

  it('tells the same where a process has no paths to what it has open', async () => {
    putFile(on.base, 'a.jpg', await picture(7))
    putFile(on.fill('inner', 0), 'b.jpg', await picture(8), 1)
    const { deps } = on.library
    const folder = await openImportFolder(deps.config, undefined, { descriptors: '/nowhere' })
    const { id } = (await on.library.call('GET', '/users/me', { token: on.admin })).body
    const caller = () => ({ id, name: 'ada', is_admin: true, can_create: true })
    const { signal } = new AbortController()
    const told: unknown[] = []
    const request = { folder, caller, signal, dry_run: true, recursive: true }
    for await (const event of importFiles(deps, request)) {
      if (event.type === 'file') told.push([event.filename, event.status, event.mime_type])
    }
    assert.deepEqual(told, [
      ['a.jpg', 'imported', 'image/jpeg'],
      ['inner/b.jpg', 'imported', 'image/jpeg'],
    ])
    const source = await folder.open('a.jpg')
    assert.equal(await folder.pathTo('a.jpg', source!), join(on.base, 'a.jpg'))
    renameSync(join(on.base, 'inner/b.jpg'), join(on.base, 'a.jpg'))
    await assert.rejects(folder.pathTo('a.jpg', source!), { code: 'conflict' })
    await source?.close()
    await folder.close()
    assert.deepEqual(on.stillOpen(), [])
  })

  it('tells of folders whose names no tag may have, where tags are asked for', async () => {
    putFile(on.fill('a\nb/plain', 0), '1.jpg', await picture(9), 0)
    putFile(on.fill('plain', 0), '2.jpg', await picture(9), 1)
    putFile(on.fill('a\nb', 0), '3.jpg', await picture(9), 2)
    const reasons = async (options: Parameters<typeof run>[0]) =>
      (await run({ recursive: true, ...options })).slice(1, -1).map(({ reason }) => reason)
    const unfit = 'no tag may be named "a\\nb"'
    const here = 'already here'
    assert.deepEqual(await reasons({ folder_tags: true }), [unfit, here, `${here}; ${unfit}`])
    assert.deepEqual(await reasons({}), [undefined, here, here])
  })

  it('tells how much room the disk has, without an import that asks for it', async () => {
    const library = await openLibrary({ DISK_RESERVE: '8388607GiB' })
    const { token } = await library.join('ada', { is_admin: true })
    const folder = join(library.folder, 'import')
    mkdirSync(folder)
    putFile(folder, 'a.jpg', await picture(6))
    const events = await runImport(library, token, undefined, { dry_run: true })
    const { status } = events[1]!
    assert.deepEqual([status, events.at(-1)!.room], ['imported', 0])
    await library.close()
  })

  it('keeps to the quota, all together', async () => {
    const bytes = (await picture(6)).length
    const library = await openLibrary({ USER_QUOTA: `${bytes + 10}B` })
    const { token } = await library.join('ada', { is_admin: true })
    const folder = join(library.folder, 'import')
    mkdirSync(folder)
    putFile(folder, 'a.jpg', await picture(6))
    putFile(folder, 'b.jpg', Buffer.concat([await picture(6), Buffer.from('more')]), 1)
    const events = await runImport(library, token, undefined, { dry_run: true })
    assert.deepEqual(
      events.slice(1, -1).map(({ status, reason }) => [status, reason]),
      [
        ['imported', undefined],
        ['error', "The creator's files have reached their quota"],
      ],
    )
    await library.close()
  })
})
