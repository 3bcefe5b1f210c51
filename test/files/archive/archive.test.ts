import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { contentsOf } from '../../support/contents.ts'
import {
  blobFor,
  deleteFiles,
  type FileSeed,
  fileSeed,
  idAt,
  insertFiles,
  writeContent,
} from '../../support/file-rows.ts'
import { assertError, blobOf, inventory } from '../../support/files.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { insertPool, ridOf } from '../../support/object-rows.ts'
import { pathsOf } from '../../support/stored-files.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { textIn, unzippedBytes, withoutUnzip } from '../../support/zip.ts'

interface Person {
  id: number
  token: string
}

let library: Library
let ann: Person
let bob: Person
let root: Person
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
  root = await library.join('Root', { is_admin: true })
})
after(() => library.close())

let made = 0
/** Adds files of Ann's with contents, each of the bytes given or of its number. */
function addFiles(fields: Partial<FileSeed>[], contents: Uint8Array[] = []): string[] {
  const files = fields.map((field, index) => {
    const id = idAt(1.7e12, ++made)
    const bytes = contents[index] ?? Buffer.from(`content ${made}`)
    writeContent(library, id, bytes)
    return fileSeed(id, { owner: ann.id, ...field, size: bytes.length })
  })
  insertFiles(library.deps.db, files)
  return files.map((file) => file.id)
}

const ask = (person: Person, body: object) =>
  library.call('POST', '/files/archive', { token: person.token, body })
const open = (token: string, method = 'GET', headers: Record<string, string> = {}) =>
  library.fetchRaw(method, `/files/archive?access_token=${token}`, { headers })

/** Asks for files and returns the answer to the download. */
async function download(person: Person, body: object): Promise<Response> {
  const asked = await ask(person, body)
  assert.equal(asked.status, 200, asked.text)
  return open(asked.body.token)
}

/** Returns the bytes of a whole archive, which are as many as it says. */
async function whole(response: Response): Promise<Uint8Array> {
  assert.equal(response.status, 200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  assert.equal(Number(response.headers.get('Content-Length')), bytes.length)
  return bytes
}

const END_OF_ZIP = Uint8Array.of(0x50, 0x4b, 5, 6)

const namesIn = async (response: Response) =>
  unzippedBytes(await whole(response)).map((file) => file.name)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an archive', { skip: withoutUnzip }, () => {
  it('holds the contents as they are, under their names, with the time of their clock', async () => {
    const contents = [Buffer.alloc(700_001, 'abc'), Buffer.from('two'), Buffer.alloc(262_144, 1)]
    const taken = Date.UTC(2018, 6, 3, 21, 0, 1)
    const files: Partial<FileSeed>[] = [
      { name: 'ä.jpg', time: taken },
      { name: 'Ä.JPG', time: Date.UTC(1979, 11, 31, 23, 0), type: 'image/png' },
      { name: null, time: Date.UTC(2018, 2, 25, 1, 30), type: 'video/mp4' },
    ]
    const ids = addFiles(files, contents)
    const { db } = library.deps
    const offset = 'UPDATE files SET content_offset = ? WHERE rid = ?'
    db.run(offset, 330, ridOf(db, 'file', ids[0]!))
    const asked = await ask(ann, { file_ids: ids })
    assert.deepEqual([asked.body.files, asked.body.bytes], [3, 962_148])

    const response = await open(asked.body.token, 'GET', { Range: 'bytes=0-3' })
    const { headers } = response
    assert.deepEqual(
      [
        headers.get('Content-Type'),
        headers.get('Content-Disposition'),
        headers.get('Accept-Ranges'),
      ],
      ['application/zip', 'attachment; filename="Tagstead.zip"', null],
    )
    assert.deepEqual(unzippedBytes(await whole(response)), [
      stored('ä.jpg', '2018-07-04 02:30:00', contents[0]!),
      stored('Ä.JPG.png', '1980-01-01 00:00:00', contents[1]!),
      stored(`2018-03-25 ${ids[2]}.mp4`, '2018-03-25 01:30:00', contents[2]!),
    ])
  })

  it('is of files, of a pool or of a list, as far as the caller sees them', async () => {
    const ids = addFiles([
      { name: 'mine.jpg', time: Date.UTC(2021, 0, 1) },
      { name: 'public.jpg', isPublic: true, time: Date.UTC(2021, 0, 2) },
      { name: 'shared.png', viewers: [bob.id], type: 'image/png', time: Date.UTC(2021, 0, 3) },
      { name: 'thrown away.jpg', isPublic: true, trashed: true, time: Date.UTC(2021, 0, 3) },
    ])
    const pool = idAt(1.7e12, 9999)
    const hidden = idAt(1.7e12, 9998)
    const { db } = library.deps
    insertPool(db, { id: pool, name: 'p', owner: ann.id, files: ids.toReversed() })
    insertPool(db, { id: hidden, name: 'h', owner: ann.id, files: ids })
    db.run('UPDATE pools SET is_public = 1 WHERE rid = ?', ridOf(db, 'pool', pool))

    const unknown = idAt(1, 1)
    const file_ids = [ids[1]!.toUpperCase(), unknown, ...ids]
    const from = '2021-01-01T00:00:00Z'
    const year = { from, to: '2022-01-01T00:00:00Z' }
    for (const body of [{ file_ids }, { pool_id: pool }, year, { ...year, filter: '' }]) {
      assert.deepEqual(await namesIn(await download(bob, body)), ['public.jpg', 'shared.png'])
    }
    const all = await namesIn(await download(root, { pool_id: pool }))
    assert.deepEqual(all, ['mine.jpg', 'public.jpg', 'shared.png'])
    const narrow = [
      { from: '2021-01-02T12:00:00Z' },
      { search: 'SHARE' },
      { filter: '{m=image/png}' },
    ]
    for (const body of narrow) {
      assert.deepEqual(await namesIn(await download(bob, { ...year, ...body })), ['shared.png'])
    }
    assertError(await ask(bob, { pool_id: hidden }), 403, 'forbidden')
    assertError(await ask(bob, { pool_id: unknown }), 404, 'not_found')
    const none = await ask(bob, { file_ids: [unknown, ids[0]!] })
    assert.deepEqual([none.body.files, none.body.bytes], [0, 0])
    // The end of a ZIP, and room for the text that would tell what is missing.
    assert.deepEqual((await whole(await open(none.body.token))).subarray(0, 4), END_OF_ZIP)
  })

  it('holds what the caller sees when it begins, as it is then', async () => {
    const ids = addFiles(['kept', 'hidden', 'purged', 'trashed'].map((name) => ({ name })))
    const { id: replaced } = (await library.upload(ann.token, await picture(1), 'old.jpg')).body
    const asked = await ask(ann, { file_ids: [...ids, replaced] })
    assert.equal(asked.body.files, 5)
    const { db } = library.deps
    db.run('UPDATE files SET creator_id = ? WHERE rid = ?', root.id, ridOf(db, 'file', ids[1]!))
    await library.call('DELETE', `/files/${ids[2]}`, ann)
    await library.call('DELETE', `/files/${ids[2]}/permanent`, ann)
    await library.call('DELETE', `/files/${ids[3]}`, ann)
    const bytes = await picture(2)
    const body = form(bytes, 'new.jpg')
    await library.call('PUT', `/files/${replaced}/content`, { token: ann.token, body })

    const [kept, renewed, ...rest] = unzippedBytes(await whole(await open(asked.body.token)))
    assert.deepEqual([kept?.name, renewed?.name, rest], ['kept.jpg', 'new.jpg', []])
    assert.equal(renewed?.sha256, sha256(bytes))
    assert.deepEqual(library.audit().at(-1), {
      user_id: ann.id,
      user_name: 'Ann',
      action: 'archive_download',
      details: { files: 2, bytes: kept!.size + bytes.length },
    })
  })

  it('holds contents until its end, though they are purged or replaced meanwhile', async () => {
    const first = Buffer.alloc(3_000_000, 7)
    const contents = [first, Buffer.from('purged'), Buffer.from('stays')]
    const [long, purged] = addFiles([{}, {}, {}], contents)
    const { id: replaced } = (await library.upload(ann.token, await picture(3), 'old.jpg')).body
    const old = blobOf(library.deps.db, replaced)
    const names = [long!, purged!, replaced]
    const stored = contentsOf(library)

    const [response, other] = [
      await download(ann, { file_ids: names }),
      await download(ann, { file_ids: [purged] }),
    ]
    const thumbnail = pathsOf(library.deps).derivative('thumbnail', blobFor(purged!))
    assert.ok(existsSync(thumbnail))
    for (const id of [purged, long]) {
      await library.call('DELETE', `/files/${id}`, ann)
      await library.call('DELETE', `/files/${id}/permanent`, ann)
    }
    const body = form(await picture(4), 'new.jpg')
    await library.call('PUT', `/files/${replaced}/content`, { token: ann.token, body })
    assert.equal(existsSync(thumbnail), false)

    const files = unzippedBytes(await whole(response))
    assert.deepEqual(
      files.map((file) => file.sha256),
      [first, contents[1]!, await picture(3)].map(sha256),
    )
    const temporary = join(library.folder, 'tmp')
    const isInStore = library.deps.config.store !== null
    const aside = isInStore ? stored.list() : readdirSync(temporary)
    assert.deepEqual([long!, old].map(blobFor).map(stored.has), [false, false])
    assert.equal(stored.has(blobFor(purged!)), isInStore)
    assert.ok(aside.includes(blobFor(purged!)), 'the other archive holds it')
    await other.body!.cancel()
    await untilGone(join(temporary, blobFor(purged!)))
    while (stored.has(blobFor(purged!))) await setImmediate()
  })

  it('names what could not be read, and has zeros for it', async () => {
    const contents = [Buffer.from('lost'), Buffer.alloc(600_000, 5), Buffer.from('whole')]
    const names = ['lost.jpg', 'übel.jpg', 'whole.jpg']
    const ids = addFiles(
      names.map((name) => ({ name })),
      contents,
    )
    const complete = await whole(await download(ann, { file_ids: ids }))
    const stored = contentsOf(library)
    stored.remove(blobFor(ids[0]!))
    stored.write(blobFor(ids[1]!), contents[1]!.subarray(0, 300_000))

    const bytes = await whole(await download(ann, { file_ids: ids }))
    assert.equal(bytes.length, complete.length)
    const cut = Buffer.concat([contents[1]!.subarray(0, 300_000), Buffer.alloc(300_000)])
    const files = unzippedBytes(bytes)
    assert.deepEqual(
      files.map((file) => file.name),
      [...names, 'MISSING.txt'],
    )
    assert.deepEqual(
      files.slice(0, 3).map((file) => file.sha256),
      [Buffer.alloc(4), cut, contents[2]!].map(sha256),
    )
    assert.equal(
      textIn(bytes, 'MISSING.txt').trimEnd(),
      'These files could not be read; where nothing was, there are zeros:\nlost.jpg\nübel.jpg',
    )
    assert.deepEqual(
      library.logged.filter(({ level }) => level === 'warn').map(({ fields }) => fields?.blob),
      ids.slice(0, 2).map(blobFor),
    )
    // A content that has grown is no other one.
    stored.write(blobFor(ids[2]!), Buffer.from('whole and more'))
    const grown = unzippedBytes(await whole(await download(ann, { file_ids: [ids[2]] })))
    assert.deepEqual(
      grown.map((file) => file.sha256),
      [sha256(contents[2]!)],
    )
  })

  it('names as many as there is room for, and counts the rest', async () => {
    const name = (n: number) => `${String(n).padStart(4, '0')}${'a'.repeat(190)}.jpg`
    const ids = addFiles(Array.from({ length: 1000 }, (_, n) => ({ name: name(n) })))
    for (const id of ids) contentsOf(library).remove(blobFor(id))
    const bytes = await whole(await download(ann, { file_ids: ids }))
    assert.equal(unzippedBytes(bytes).length, 1001)
    const lines = textIn(bytes, 'MISSING.txt').trimEnd().split('\n')
    const named = lines.length - 2
    assert.equal(lines.at(-1), `and ${1000 - named} more`)
    assert.ok(named > 290 && lines[1] === name(0) && lines.at(-2) === name(named - 1))
    deleteFiles(library.deps.db, ids)
  })

  it('is whole with the number of files from which on the list of contents is large', async () => {
    const ids = addFiles(Array.from({ length: 1200 }, (_, n) => ({ name: `${n}.jpg` })))
    for (const count of [600, 800, 1000, 1200]) {
      const files = await namesIn(await download(ann, { file_ids: ids.slice(0, count) }))
      assert.equal(files.length, count)
    }
    deleteFiles(library.deps.db, ids)
  })

  it('leaves nothing behind when its client goes away, and lets others begin', async () => {
    const [id] = addFiles([{}], [Buffer.alloc(3_000_000)])
    const before = inventory(library)
    for (let n = 0; n < 4; n++) {
      const response = await download(ann, { file_ids: [id] })
      const reader = response.body!.getReader()
      await reader.read()
      await reader.cancel()
    }
    assert.deepEqual({ ...inventory(library), entries: before.entries }, before)
    while (openContents().length > 0) await setImmediate()
  })
})

function stored(name: string, time: string, bytes: Uint8Array) {
  return { name, time, size: bytes.length, sha256: sha256(bytes), method: 0 }
}

async function untilGone(path: string): Promise<void> {
  while (existsSync(path)) await setImmediate()
}

/** Returns the contents that this process has open. */
function openContents(): string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(library.folder, 'files'))
    } catch {
      return false
    }
  })
}
