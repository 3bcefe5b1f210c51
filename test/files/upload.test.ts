import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseOffset } from '../../src/media/child/date-text.ts'
import { addTag, assertError, inventory } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { brokenFiles, cameraFiles } from '../support/media/camera-files.ts'
import { withEachReadFailing } from '../support/media/failing-reads.ts'
import { corpusFiles, without, withoutCorpus } from '../support/media/media.ts'
import { after, before, describe, it } from '../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary({ MAX_UPLOAD_SIZE: '8MiB' })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())

describe('an upload', () => {
  it('answers the whole File', async () => {
    const tag = await addTag(library, ann.token, 'Sea')
    const fields = {
      content_datetime: '2024-05-06T09:08:09+02:00',
      notes: 'first\r\nsecond\tline',
      metadata: '{"camera":{"lens":"50 mm"},"n":1.5,"n":[null,true,"\\u00e9"]}',
      is_public: 'true',
      tag_ids: `${tag.id}, ${tag.id.toUpperCase()}`,
    }
    const answer = await library.upload(
      ann.token,
      await picture(),
      'C:\\photos\\über "x".jpg',
      fields,
    )
    assert.equal(answer.status, 201)
    const { id, phash, exif, thumbhash, version, ...rest } = answer.body
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(typeof phash, 'number')
    assert.deepEqual(exif, {})
    assert.equal(Buffer.from(thumbhash, 'base64').toString('base64'), thumbhash)
    assert.match(version, /^[\w-]{8}$/)
    assert.deepEqual(rest, {
      original_name: 'über "x".jpg',
      mime_type: 'image/jpeg',
      mime_extension: 'jpg',
      content_datetime: '2024-05-06T07:08:09.000Z',
      content_offset: 120,
      date_source: 'given',
      date_precision: null,
      size: (await picture()).length,
      width: 48,
      height: 32,
      duration: null,
      is_damaged: false,
      place: null,
      rotation: 0,
      notes: 'first\nsecond\tline',
      metadata: { camera: { lens: '50 mm' }, n: [null, true, 'é'] },
      creator_id: ann.id,
      creator_name: 'Ann',
      is_public: true,
      is_deleted: false,
      trashed_at: null,
      leaves_trash_at: null,
      companion_of: null,
      is_favourite: false,
      needs_review: true,
      created_at: new Date(library.time.now).toISOString(),
      tags: [{ ...tag, by_rule: false }],
    })
    const again = await library.call('GET', `/files/${id.toUpperCase()}`, { token: ann.token })
    assert.deepEqual([again.status, again.text], [200, answer.text])
    assert.deepEqual(library.audit().at(-1), {
      user_id: ann.id,
      user_name: 'Ann',
      action: 'file_create',
      details: {
        ...library.audit().at(-1)?.details,
        original_name: 'über "x".jpg',
        tag_ids: [tag.id],
      },
    })
  })

  it('takes empty text fields as absent, and the clock where there is no date', async () => {
    const empty = { content_datetime: '', notes: '', metadata: '', is_public: '', tag_ids: '' }
    const { status, body } = await library.upload(ann.token, await picture(), 'x.jpg', empty)
    const { content_datetime, notes, metadata, is_public, tags } = body
    assert.deepEqual(
      { status, content_datetime, notes, metadata, is_public, tags },
      {
        status: 201,
        content_datetime: new Date(library.time.now).toISOString(),
        notes: null,
        metadata: null,
        is_public: false,
        tags: [],
      },
    )
  })

  it('of what stands in the library already is another file', async () => {
    const bytes = await picture(7)
    const answers = await Promise.all([
      library.upload(ann.token, bytes, 'one.jpg'),
      library.upload(ann.token, bytes, 'two.jpg'),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const [one, two] = answers.map(({ body }) => body)
    assert.notEqual(one.id, two.id)
    assert.equal(one.phash, two.phash)
    for (const { id } of [one, two]) {
      const response = await library.fetchRaw('GET', `/files/${id}/content`, { token: ann.token })
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(bytes))
    }
  })

  it('is refused before its body is read to who may not create', async () => {
    const before = inventory(library)
    const body = 'not a form at all'
    assertError(await library.call('POST', '/files', { token: bob.token, body }), 403, 'forbidden')
    assertError(await library.call('POST', '/files', { body }), 401, 'unauthorized')
    assert.deepEqual(inventory(library), before)
  })
})

describe('a refused upload leaves nothing', () => {
  let hidden: { id: string }
  before(async () => {
    const root = await library.join('Root', { is_admin: true })
    hidden = await addTag(library, root.token, 'Hidden')
  })

  const refused = async (
    body: FormData,
    status: number,
    code: string,
    fields: string[] | undefined,
    token = ann.token,
  ) => {
    const before = inventory(library)
    assertError(await library.call('POST', '/files', { token, body }), status, code, fields)
    assert.deepEqual(inventory(library), { ...before, temporary: 0 })
  }

  const BAD_FIELDS: Record<string, string[]> = {
    content_datetime: [
      'yesterday',
      '2024-05-06',
      '2024-05-06T07:08:09',
      '2024-05-06T07:08Z',
      '2024-02-30T00:00:00Z',
      '2024-05-06 07:08:09Z',
      '0000-12-31T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '1714979289000',
    ],
    notes: ['bell \u0007', 'nul \0', 'delete \u007f'],
    metadata: [
      'x',
      '[]',
      'null',
      '"text"',
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      '{"__proto__":{}}',
      '{"a":1e999}',
      `{"a":"${'x'.repeat(64 * 1024)}"}`,
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    ],
    is_public: ['yes', '1', 'TRUE', ' true'],
  }
  for (const [field, values] of Object.entries(BAD_FIELDS)) {
    it(`for each bad value of ${field}`, async () => {
      const bytes = await picture()
      for (const value of values) {
        await refused(form(bytes, 'x.jpg', { [field]: value }), 400, 'validation_error', [field])
      }
    })
  }

  it('for bad, too many, unknown and hidden tags', async () => {
    const bytes = await picture()
    const tags = (tag_ids: string) => form(bytes, 'x.jpg', { tag_ids })
    await refused(tags('x'), 400, 'validation_error', ['tag_ids.0'])
    await refused(tags(`${UNKNOWN},`), 400, 'validation_error', ['tag_ids.1'])
    const many = Array.from({ length: 1001 }, (_, i) => UNKNOWN.slice(0, -4) + (1000 + i)).join()
    await refused(tags(many), 400, 'validation_error', ['tag_ids'])
    await refused(tags(UNKNOWN), 404, 'not_found', undefined)
    await refused(tags(hidden.id), 403, 'forbidden', undefined)
  })

  it('for a disk that fails, which is no fault of the file', async () => {
    const bytes = await picture()
    const before = inventory(library)
    const { result, reads } = await withEachReadFailing(
      'EIO',
      () => library.upload(ann.token, bytes),
      (failed) => {
        assert.ok(failed.status === 'fulfilled')
        assertError(failed.value, 500, 'internal_error')
        assert.deepEqual(inventory(library), { ...before, temporary: 0 })
      },
    )
    assert.equal(result.status, 201)
    assert.ok(reads > 1, `${reads} reads`)
  })

  it('for several bad fields, with an entry for each', async () => {
    const fields = { is_public: 'x', metadata: 'x', notes: 'x', content_datetime: 'x' }
    const body = form(await picture(), 'x.jpg', fields)
    const expected = ['content_datetime', 'metadata', 'is_public']
    await refused(body, 400, 'validation_error', expected)
  })

  it('for a form without exactly one file', async () => {
    const bytes = await picture()
    const two = form(bytes, 'x.jpg')
    two.append('file', new Blob([Uint8Array.from(bytes)]), 'y.jpg')
    const none = new FormData()
    none.set('notes', 'alone')
    const text = new FormData()
    text.set('file', 'a text')
    const elsewhere = form(bytes, 'x.jpg')
    elsewhere.set('other', new Blob([Uint8Array.from(bytes)]), 'y.jpg')
    await refused(two, 400, 'validation_error', ['file'])
    await refused(none, 400, 'validation_error', ['file'])
    await refused(text, 400, 'validation_error', ['file'])
    await refused(elsewhere, 400, 'validation_error', ['other'])
    await refused(form(new Uint8Array(), 'x.jpg'), 400, 'validation_error', ['file'])
  })

  it('for too large a file or text', async () => {
    const large = new Uint8Array(8 * 2 ** 20 + 1)
    await refused(form(large, 'x.jpg'), 413, 'payload_too_large', undefined)
    const notes = 'x'.repeat(2 ** 20 + 1)
    await refused(form(await picture(), 'x.jpg', { notes }), 413, 'payload_too_large', undefined)
  })

  it('for what is no form, or a form cut short', async () => {
    const before = inventory(library)
    const part = '--edge\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n'
    const multipart = 'multipart/form-data; boundary=edge'
    for (const [type, body] of [
      ['application/json', '{}'],
      ['multipart/form-data', part],
      [multipart, ''],
      [multipart, `${part}bytes`],
      [multipart, `${part}bytes\r\n--edge`],
      [multipart, `${part}bytes\r\n--other--\r\n`],
    ] as const) {
      const headers = { 'Content-Type': type }
      const answer = await library.call('POST', '/files', { token: ann.token, body, headers })
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], body)
    }
    assert.deepEqual(inventory(library), before)
  })

  it('for what is no picture or video, whatever its name says', async () => {
    const contents = {
      'text.jpg': 'just text',
      'page.png': '<!doctype html><script>alert(1)</script>',
      'drawing.jpg': '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>',
      'paper.heic': '%PDF-1.7\n%âãÏÓ\n',
      'archive.mp4': 'PK\u0003\u0004\u0014\u0000\u0000\u0000',
      'zeros.gif': '\0'.repeat(4096),
    }
    for (const [name, content] of Object.entries(contents)) {
      await refused(form(Buffer.from(content), name), 415, 'unsupported_mime', undefined)
    }
  })
})

describe('what cameras write', () => {
  type Uploaded = Map<
    string,
    {
      id: string
      exif: { DateTimeOriginal?: string }
      content_datetime: string
      content_offset: number
      date_source: string
    }
  >
  let uploading: Promise<Uploaded> | undefined
  const uploaded = () => {
    uploading ??= uploadAll()
    return uploading
  }
  async function uploadAll() {
    const files: Uploaded = new Map()
    const made = (await cameraFiles()).map(({ path }) => path)
    const broken = Object.values(await brokenFiles())
    for (const path of [...made, ...broken, ...corpusFiles()]) {
      const answer = await library.upload(ann.token, readFileSync(path), basename(path))
      assert.equal(answer.status, 201, `${path}: ${answer.text}`)
      files.set(path, answer.body)
    }
    return files
  }

  interface Says {
    DateTimeOriginal?: string | undefined
    OffsetTimeOriginal?: string | undefined
  }
  /** The file of that path has the date that is said, which is asked for in whole seconds. */
  async function assertDated(path: string, { DateTimeOriginal, OffsetTimeOriginal }: Says) {
    const file = (await uploaded()).get(path)!
    assert.equal(file.exif.DateTimeOriginal, DateTimeOriginal, path)
    if (!DateTimeOriginal) return 0
    const local = Date.parse(file.content_datetime) + file.content_offset * 60_000
    const shown = new Date(local).toISOString().slice(0, 19)
    assert.equal(shown.replaceAll('-', ':').replace('T', ' '), DateTimeOriginal, path)
    assert.equal(file.date_source, 'exif', path)
    if (OffsetTimeOriginal) {
      assert.equal(file.content_offset, parseOffset(OffsetTimeOriginal), path)
    }
    return 1
  }

  it('carries the date that it says', async () => {
    let dated = 0
    for (const { path, says } of await cameraFiles()) dated += await assertDated(path, says)
    assert.equal(dated, 7)
  })

  it('carries the date that exiftool reads', { skip: withoutExiftool }, async () => {
    const paths = [...(await uploaded()).keys()]
    const tags = ['-ExifIFD:DateTimeOriginal', '-ExifIFD:OffsetTimeOriginal']
    const output = execFileSync('exiftool', ['-json', '-q', ...tags, ...paths], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const rows = JSON.parse(output.toString()) as (Says & { SourceFile: string })[]
    assert.equal(rows.length, paths.length)
    let dated = 0
    for (const { SourceFile, ...says } of rows) dated += await assertDated(SourceFile, says)
    assert.ok(dated >= (withoutCorpus ? 9 : 39), `${dated} dated`)
  })

  it('has a thumbnail, though it is damaged', async () => {
    for (const [path, { id }] of await uploaded()) {
      const response = await library.fetchRaw('GET', `/files/${id}/thumbnail`, { token: ann.token })
      assert.deepEqual(
        [response.status, response.headers.get('Content-Type')],
        [200, 'image/jpeg'],
        path,
      )
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(bytes.toString('latin1', 0, 3), '\xff\xd8\xff', path)
    }
  })
})
