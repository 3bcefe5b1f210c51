import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import type { ImportEvent } from '../../src/imports/schema.ts'
import { inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { expectedEvents, namesIn, putFile, runImport, sha256 } from '../support/imports.ts'

const UNSUPPORTED = 'The file is not a picture or video of a known type'

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
  execFileSync('rm', ['-rf', folder])
  mkdirSync(folder)
})

const filesNamed = async (name: string) => {
  const list = await library.call('GET', `/files?search=${name}`, { token: admin.token })
  return list.body.items
}

describe('an import', () => {
  it('tells of an empty folder that nothing is there', async () => {
    assert.deepEqual(await runImport(library, admin.token), expectedEvents([]))
  })

  it('takes the oldest first, then by name, and removes what it has taken', async () => {
    putFile(folder, 'c.jpg', await picture(1), 2)
    putFile(folder, 'b.jpg', await picture(2), 3)
    putFile(folder, 'a.jpg', await picture(3), 3)
    putFile(folder, 'd.jpg', await picture(4), 1.25)
    putFile(folder, 'e.jpg', await picture(5), 1.125)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([
        ['e.jpg', 'imported'],
        ['d.jpg', 'imported'],
        ['c.jpg', 'imported'],
        ['a.jpg', 'imported'],
        ['b.jpg', 'imported'],
      ]),
    )
    assert.deepEqual(namesIn(folder), [])
    const list = await library.call('GET', '/files?sort=created&order=asc', { token: admin.token })
    assert.deepEqual(
      list.body.items.map((file: { original_name: string }) => file.original_name),
      ['e.jpg', 'd.jpg', 'c.jpg', 'a.jpg', 'b.jpg'],
    )
  })

  it('makes files as an upload would, dated by EXIF and else by their last change', async () => {
    const bytes = await picture(6)
    putFile(folder, 'undated.jpg', bytes, 0.5)
    const dated = await sharp(bytes)
      .withExif({ IFD2: { DateTimeOriginal: '2019:03:04 05:06:07' } })
      .jpeg()
      .toBuffer()
    putFile(folder, 'dated.jpg', dated)
    await runImport(library, admin.token)

    const [undated] = await filesNamed('undated')
    const uploaded = await library.upload(admin.token, bytes, 'undated.jpg', {
      content_datetime: '2020-05-06T07:08:09.500Z',
    })
    const { content_offset, date_source, version, ...alike } = uploaded.body
    assert.deepEqual({ ...undated, ...alike, id: undated.id }, undated)
    assert.deepEqual([undated.content_offset, undated.date_source], [0, 'mtime'])
    assert.equal(undated.needs_review, true)
    assert.equal(undated.creator_name, 'ada')
    const dates = (await filesNamed('dated')).map(
      (file: { original_name: string; content_datetime: string }) =>
        `${file.original_name} ${file.content_datetime}`,
    )
    assert.ok(dates.includes('dated.jpg 2019-03-04T05:06:07.000Z'), dates.join())

    const content = await library.fetchRaw('GET', `/files/${undated.id}/content`, {
      token: admin.token,
    })
    assert.ok(Buffer.from(await content.arrayBuffer()).equals(bytes))
    const entry = library.audit().find(({ details }) => details?.original_name === 'dated.jpg')
    assert.deepEqual(entry, {
      user_id: admin.id,
      user_name: 'ada',
      action: 'file_create',
      details: {
        mime_type: 'image/jpeg',
        size: dated.length,
        sha256: sha256(dated),
        original_name: 'dated.jpg',
        tag_ids: [],
      },
    })
  })

  it('skips what is no file to import, says why, and leaves it there', async () => {
    const bytes = await picture(7)
    const inner = join(folder, 'folder')
    mkdirSync(inner)
    putFile(inner, 'inner.jpg', bytes)
    const target = putFile(library.folder, 'elsewhere.jpg', bytes)
    symlinkSync(target, join(folder, 'link.jpg'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.jpg'))
    execFileSync('mkfifo', [join(folder, 'pipe.jpg')])
    const server = createServer().listen(join(folder, 'socket.jpg'))
    await once(server, 'listening')
    putFile(folder, '.hidden.jpg', bytes)
    putFile(folder, 'empty.jpg', '')
    putFile(folder, 'text.jpg', 'no picture at all')
    const hardLinked = putFile(folder, 'hard.jpg', bytes)
    linkSync(hardLinked, join(library.folder, 'hard.jpg'))
    const before = inventory(library)
    const events = await runImport(library, admin.token)
    const outcomes = new Map(
      events
        .filter(({ type }) => type === 'file')
        .map(({ filename, status, reason }) => [filename, [status, ...(reason ? [reason] : [])]]),
    )
    assert.deepEqual(Object.fromEntries(outcomes), {
      folder: ['skipped', 'a folder'],
      'link.jpg': ['skipped', 'a symbolic link'],
      'dangling.jpg': ['skipped', 'a symbolic link'],
      'pipe.jpg': ['skipped', 'not a regular file'],
      'socket.jpg': ['skipped', 'not a regular file'],
      '.hidden.jpg': ['skipped', 'hidden'],
      'empty.jpg': ['skipped', 'empty'],
      'text.jpg': ['skipped', UNSUPPORTED],
      'hard.jpg': ['imported'],
    })
    assert.deepEqual(events.at(-1), { type: 'done', total: 9, imported: 1, skipped: 8, errors: 0 })
    assert.deepEqual(inventory(library), {
      files: before.files + 1,
      entries: before.entries + 1,
      blobs: before.blobs + 1,
      thumbnails: before.thumbnails + 1,
      temporary: 0,
    })
    assert.equal(namesIn(folder).length, 8)
    server.close()
    await once(server, 'close')
  })

  it('keeps odd names, one event a line', async () => {
    const bytes = await picture(8)
    const names = [
      'a\nb.jpg',
      'e\u0301t\u00e9 \u{1f3d6}\ufe0f "q".jpg',
      '\u05e9\u05dc\u05d5\u05dd.jpg',
      'back\\slash.jpg',
    ]
    for (const [index, name] of names.entries()) putFile(folder, name, bytes, index)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents(names.map((name) => [name, 'imported'])),
    )
    const list = await library.call('GET', '/files?limit=4', { token: admin.token })
    assert.deepEqual(
      list.body.items.map((file: { original_name: string }) => file.original_name).reverse(),
      [
        'ab.jpg',
        '\u00e9t\u00e9 \u{1f3d6}\ufe0f "q".jpg',
        '\u05e9\u05dc\u05d5\u05dd.jpg',
        'slash.jpg',
      ],
    )
  })

  it('takes files that were copied there just now, and those from the future', async () => {
    writeFileSync(join(folder, 'fresh.jpg'), await picture(9))
    const future = join(folder, 'future.jpg')
    writeFileSync(future, await picture(10))
    utimesSync(future, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
    assert.deepEqual(
      await runImport(library, admin.token),
      expectedEvents([
        ['fresh.jpg', 'imported'],
        ['future.jpg', 'imported'],
      ]),
    )
  })

  it('is one operation, whose undo puts all that it imported into the trash', async () => {
    for (const n of [1, 2, 3]) putFile(folder, `undone ${n}.jpg`, await picture(n))
    const answer = await library.call('POST', '/files/import', admin)
    const { operation, imported } = JSON.parse(answer.text.trim().split('\n').at(-1)!)
    assert.equal(imported, 3)
    const undone = await library.call('POST', `/operations/${operation}/undo`, admin)
    assert.deepEqual([undone.status, undone.body.undone, undone.body.kept], [200, 3, []])
    const trash = (await library.call('GET', '/files?trash=true&limit=3', admin)).body.items
    assert.deepEqual(trash.map((file: { original_name: string }) => file.original_name).sort(), [
      'undone 1.jpg',
      'undone 2.jpg',
      'undone 3.jpg',
    ])
  })

  it('ends when who imports is no admin any more', async () => {
    const bytes = await picture(12)
    for (let n = 0; n < 6; n++) putFile(folder, `${n}.jpg`, bytes, n)
    const eve = await library.join('eve', { is_admin: true })
    const response = await library.fetchRaw('POST', '/files/import', { token: eve.token })
    const events: ImportEvent[] = []
    for await (const line of response.body as unknown as AsyncIterable<Uint8Array>) {
      events.push(JSON.parse(Buffer.from(line).toString()))
      if (events.at(-1)?.type !== 'start') continue
      const rights = { is_admin: false }
      await library.call('PATCH', `/users/${eve.id}`, { token: admin.token, body: rights })
    }
    assert.deepEqual(events.at(-1), { type: 'error', reason: 'Only admins may do that' })
    assert.ok(namesIn(folder).length > 0)
    const { files, blobs, temporary } = inventory(library)
    assert.deepEqual([blobs, temporary], [files, 0])
    await runImport(library, admin.token)
    assert.deepEqual(namesIn(folder), [])
  })
})
