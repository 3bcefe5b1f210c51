import assert from 'node:assert/strict'
import sharp from 'sharp'
import { thumbHashToRGBA } from 'thumbhash'
import { hashTurned, scheduleTurned } from '../../src/background/turned.ts'
import type { Db } from '../../src/db/client.ts'
import { optimize } from '../../src/db/upkeep.ts'
import { write } from '../../src/db/write.ts'
import { rescan } from '../../src/duplicates/rescan/rescan.ts'
import { deriveStored } from '../../src/files/content/derivatives.ts'
import { recordDerivatives } from '../../src/files/derivative-queries.ts'
import { nextTurned } from '../../src/files/looks/turn-queries.ts'
import { contentsOf } from '../support/contents.ts'
import { eventually } from '../support/eventually.ts'
import { grant } from '../support/files.ts'
import { form, type Library, openLibrary } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { corners, shown } from '../support/media/corners.ts'
import { filmBytes } from '../support/media/film.ts'
import { bitsBetween, without } from '../support/media/media.ts'
import { scene } from '../support/scenes.ts'
import { after, before, describe, it } from '../support/test.ts'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary({ FFMPEG_PATH: 'ffmpeg' })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())

const upload = async (bytes: Uint8Array, name = 'x.jpg') =>
  (await library.upload(ann.token, bytes, name)).body
const get = async (id: string) => (await library.call('GET', `/files/${id}`, ann)).body
const turn = (id: string, rotation: number, { token } = ann) =>
  library.call('PATCH', `/files/${id}`, { token, body: { rotation } })
const fetchBytes = async (path: string) =>
  new Uint8Array(await (await library.fetchRaw('GET', path, ann)).arrayBuffer())
const hashAll = () => hashTurned(library.deps, new AbortController().signal)
const phashOf = async (id: string) => {
  const { text } = await library.call('GET', `/files/${id}`, ann)
  const phash = /"phash":(-?\d+|null)/.exec(text)![1]!
  return phash === 'null' ? null : BigInt.asUintN(64, BigInt(phash)).toString(16)
}
const finerOf = (id: string) =>
  library.deps.db.get<{ hash: string }>(
    'SELECT lower(hex(hash)) AS hash FROM finer_hashes JOIN files ON rid = file_rid WHERE id = unhex(?)',
    id.replaceAll('-', ''),
  )?.hash

describe('a file that is turned', () => {
  it('shows what it shows turned, in all sizes, and its content stays', async () => {
    const bytes = await corners()
    const file = await upload(bytes)
    assert.deepEqual([file.rotation, file.width, file.height], [0, 60, 40])
    const expected = {
      90: [40, 60, 'wrgb'],
      180: [60, 40, 'bwrg'],
      270: [40, 60, 'gbwr'],
      0: [60, 40, 'rgbw'],
    }
    const versions = new Set<string>()
    for (const rotation of [90, 180, 270, 0] as const) {
      const { status, body } = await turn(file.id, rotation)
      const [width, height, around] = expected[rotation]
      assert.deepEqual(
        [status, body.rotation, body.width, body.height],
        [200, rotation, width, height],
      )
      versions.add(body.version)
      for (const path of ['thumbnail', 'thumbnail?size=640', 'preview']) {
        const picture = await fetchBytes(`/files/${file.id}/${path}`)
        assert.deepEqual(await shown(picture), [width, height, around], path)
      }
      const hash = thumbHashToRGBA(Buffer.from(body.thumbhash, 'base64'))
      const { w, h, rgba } = hash
      const small = await sharp(rgba, { raw: { width: w, height: h, channels: 4 } })
        .png()
        .toBuffer()
      assert.deepEqual([w < h, (await shown(small))[2]], [width! < height!, around])
      assert.deepEqual(await fetchBytes(`/files/${file.id}/content`), new Uint8Array(bytes))
    }
    assert.equal(versions.size, 4)
    assert.deepEqual(
      [(await get(file.id)).version, (await get(file.id)).thumbhash],
      [file.version, file.thumbhash],
    )
  })

  it('is sent with an entity tag for each way, in ranges, and whole to a HEAD', async () => {
    const { id } = await upload(await corners())
    await turn(id, 90)
    const path = `/files/${id}/thumbnail`
    const first = await library.fetchRaw('GET', path, ann)
    const tag = first.headers.get('ETag')!
    const whole = new Uint8Array(await first.arrayBuffer())
    assert.equal(Number(first.headers.get('Content-Length')), whole.length)
    const head = await library.fetchRaw('HEAD', path, ann)
    assert.equal(Number(head.headers.get('Content-Length')), whole.length)
    const ask = (headers: Record<string, string>) =>
      library.fetchRaw('GET', path, { token: ann.token, headers })
    const part = await ask({ Range: 'bytes=1-60' })
    assert.equal(part.status, 206)
    assert.deepEqual(new Uint8Array(await part.arrayBuffer()), whole.subarray(1, 61))
    assert.equal((await ask({ 'If-None-Match': tag })).status, 304)
    await turn(id, 270)
    assert.equal((await ask({ 'If-None-Match': tag })).status, 200)
    const modified = first.headers.get('Last-Modified')!
    assert.equal((await ask({ 'If-Modified-Since': modified })).status, 200)
  })

  it('gets the hashes of what it shows, and its own again when it is turned back', async () => {
    const bytes = await scene(1)
    const { id } = await upload(bytes)
    const own = [await phashOf(id), finerOf(id)]
    const lying = await upload(await sharp(bytes).rotate(90).jpeg({ quality: 95 }).toBuffer())
    await turn(id, 90)
    assert.deepEqual([await phashOf(id), finerOf(id)], [null, undefined])
    assert.deepEqual(await hashAll(), [])
    assert.ok(bitsBetween((await phashOf(id))!, (await phashOf(lying.id))!) <= 4)
    assert.ok(bitsBetween(finerOf(id)!, finerOf(lying.id)!) <= 16)
    await turn(id, 0)
    await hashAll()
    assert.deepEqual([await phashOf(id), finerOf(id)], own)
  })

  it('keeps its looks and owes its hashes when its content is decoded anew', async () => {
    const { id } = await upload(await scene(2))
    const { body } = await turn(id, 90)
    await hashAll()
    const hashes = [await phashOf(id), finerOf(id)]
    const { db, decoder, storage } = library.deps
    const file = db.get<{ rid: number; blob: string; mime_type: string }>(
      `SELECT rid, blob, mime_type FROM files JOIN file_details ON file_rid = rid
       WHERE id = unhex(?)`,
      id.replaceAll('-', ''),
    )!
    const derivatives = await deriveStored({ decoder, storage }, file, { isSecondTry: false })
    write(db, { now: 0 }, (tx) => recordDerivatives(tx, file, derivatives))
    const { width, height, thumbhash, version } = await get(id)
    assert.deepEqual(
      [width, height, thumbhash, version],
      [body.width, body.height, body.thumbhash, body.version],
    )
    await hashAll()
    assert.deepEqual([await phashOf(id), finerOf(id)], hashes)
  })

  it('is hashed without its thumbnail, and by a rescan', async () => {
    const bytes = await scene(3)
    const { id } = await upload(bytes)
    const copy = await upload(await sharp(bytes).rotate(270).jpeg({ quality: 80 }).toBuffer())
    await turn(id, 270)
    const { blob } = library.deps.db.get<{ blob: string }>(
      'SELECT blob FROM files JOIN file_details ON file_rid = rid WHERE id = unhex(?)',
      id.replaceAll('-', ''),
    )!
    await library.deps.storage.removeDerivatives(blob)
    for await (const _ of rescan(library.deps, { id: ann.id, name: 'Ann' }));
    assert.notEqual(await phashOf(id), null)
    const { body } = await library.call('GET', '/files/duplicates', ann)
    const clusters = body.items.map(({ files }: { files: { id: string }[] }) =>
      files.map((file) => file.id).sort(),
    )
    assert.deepEqual(
      clusters.filter((ids: string[]) => ids.includes(id)),
      [[copy.id, id].sort()],
    )
  })

  it('gets its hashes by itself while the server runs', async () => {
    const { id } = await upload(await scene(4))
    await turn(id, 180)
    const schedule = scheduleTurned(library.deps)
    await eventually(async () => (await phashOf(id)) !== null)
    await schedule.stop()
  })

  it('gets its hashes back from its thumbnail when its content is lost', async () => {
    const { id } = await upload(await scene(4))
    const own = (await phashOf(id))!
    const { blob } = library.deps.db.get<{ blob: string }>(
      'SELECT blob FROM files JOIN file_details ON file_rid = rid WHERE id = unhex(?)',
      id.replaceAll('-', ''),
    )!
    contentsOf(library).remove(blob)
    await turn(id, 90)
    await turn(id, 0)
    assert.deepEqual(await hashAll(), [])
    assert.ok(bitsBetween((await phashOf(id))!, own) <= 4)
  })

  it('starts upright with another content', async () => {
    const { id } = await upload(await corners())
    await turn(id, 90)
    const { body } = await library.call('PUT', `/files/${id}/content`, {
      token: ann.token,
      body: form(await corners(), 'y.jpg'),
    })
    assert.deepEqual([body.rotation, body.width, body.height], [0, 60, 40])
    assert.deepEqual(library.deps.db.all("SELECT 1 FROM owed_work WHERE work = 'turned'"), [])
    assert.deepEqual(await shown(await fetchBytes(`/files/${id}/thumbnail`)), [60, 40, 'rgbw'])
  })

  it('turns no other content when a turn is taken back', async () => {
    const { id } = await upload(await corners())
    await turn(id, 90)
    const back = await turn(id, 0)
    await library.call('PUT', `/files/${id}/content`, {
      token: ann.token,
      body: form(await corners(), 'y.jpg'),
    })
    const path = `/operations/${back.headers.get('Operation')}/undo`
    const { body } = await library.call('POST', path, ann)
    const kept = [{ object_type: 'file', object_id: id, reason: 'changed' }]
    assert.deepEqual([body.undone, body.kept, (await get(id)).rotation], [0, kept, 0])
  })

  it('is turned only by whoever may edit it, and only by quarters', async () => {
    const { id } = await upload(await corners())
    assert.equal((await turn(id, 90, bob)).status, 403)
    grant(library, bob.id, 'file', id, 'view')
    assert.equal((await turn(id, 90, bob)).status, 403)
    for (const wrong of [45, 360, -90, 'x', null]) {
      const { status, body } = await turn(id, wrong as number)
      assert.deepEqual([status, body.details[0].field], [400, 'rotation'])
    }
    assert.equal((await get(id)).rotation, 0)
    const cleo = await library.join('Cleo')
    grant(library, cleo.id, 'file', id, 'edit')
    assert.equal((await turn(id, 90, cleo)).body.rotation, 90)
  })

  it('is turned although it can not be decoded', async () => {
    const { id } = await upload(Buffer.from('\xff\xd8\xff and nothing more', 'latin1'))
    const { body } = await turn(id, 90)
    assert.deepEqual([body.rotation, body.width, body.thumbhash], [90, null, null])
    assert.deepEqual(await hashAll(), [])
    const rows = library.deps.db.all("SELECT 1 FROM owed_work WHERE work = 'turned'")
    assert.deepEqual(rows, [])
  })

  it('may be a film', { skip: without('ffmpeg', '-version') }, async () => {
    const film = await filmBytes(
      'film.mp4',
      ['-c:v', 'mpeg4'],
      'testsrc=size=96x64:duration=1:rate=10',
    )
    const { id } = await upload(film, 'x.mp4')
    const { body } = await turn(id, 90)
    assert.deepEqual([body.width, body.height, body.duration], [64, 96, 1])
    const [width, height] = await shown(await fetchBytes(`/files/${id}/thumbnail`))
    assert.deepEqual([width, height], [64, 96])
  })
})

describe('the look for files that are turned', () => {
  it('reads what is owed and no other file, though nothing was owed at the start', async () => {
    const other = await openLibrary()
    try {
      const { db } = other.deps
      const owner = await other.addUser('Ann')
      write(db, { now: 0 }, (tx) => addManyFiles(tx, 5000, { owner }))
      optimize(db)
      const plan: string[] = []
      const explained: Db = {
        ...db,
        prepare: (sql) => {
          const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, 0)
          plan.push(...steps.map(({ detail }) => detail))
          return db.prepare(sql)
        },
      }
      assert.equal(nextTurned(explained, 0), undefined)
      assert.match(plan[0]!, /^SEARCH owed_work /)
      assert.deepEqual(
        plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step)),
        [],
      )
    } finally {
      await other.close()
    }
  })
})

describe('files that are turned together', () => {
  it('turn from where they are, as one operation that is taken back', async () => {
    const files = [await upload(await corners()), await upload(await corners())]
    const hidden = '00000000-0000-7000-8000-000000000000'
    const [first, second] = files as [{ id: string }, { id: string }]
    await turn(second.id, 270)
    const before = await Promise.all([get(first.id), get(second.id)])
    const answer = await library.call('POST', '/files/bulk/update', {
      token: ann.token,
      body: { file_ids: [first.id, second.id, hidden], turn: 90 },
    })
    assert.deepEqual(answer.body, { changed: 2, skipped: 1, skipped_ids: [hidden] })
    const rotations = async () => [(await get(first.id)).rotation, (await get(second.id)).rotation]
    assert.deepEqual(await rotations(), [90, 0])
    const operation = answer.headers.get('Operation')
    const entries = library.deps.db.all<{ action: string; details: string }>(
      'SELECT action, details FROM audit_log WHERE operation = ? ORDER BY id',
      Number(operation),
    )
    const changed = (from: number, to: number) => ({
      action: 'file_edit',
      details: JSON.stringify({ changes: { rotation: { from, to } } }),
    })
    assert.deepEqual(entries, [changed(0, 90), changed(270, 0)])
    const undone = await library.call('POST', `/operations/${operation}/undo`, ann)
    assert.deepEqual([undone.body.undone, undone.body.kept], [2, []])
    const now = await Promise.all([get(first.id), get(second.id)])
    const looks = (all: Record<string, unknown>[]) =>
      all.map(({ rotation, width, height, thumbhash, version }) => ({
        rotation,
        width,
        height,
        thumbhash,
        version,
      }))
    assert.deepEqual(looks(now), looks(before))
  })

  it('are refused another turn than by quarters, and keep one that somebody gave them since', async () => {
    const { id } = await upload(await corners())
    const bulk = (turn: number) =>
      library.call('POST', '/files/bulk/update', {
        token: ann.token,
        body: { file_ids: [id], turn },
      })
    for (const wrong of [0, 45, 360]) assert.equal((await bulk(wrong)).status, 400)
    const answer = await bulk(90)
    await turn(id, 180)
    const path = `/operations/${answer.headers.get('Operation')}/undo`
    const { body } = await library.call('POST', path, ann)
    assert.deepEqual(
      body.kept.map(({ reason }: { reason: string }) => reason),
      ['changed'],
    )
    assert.equal((await get(id)).rotation, 180)
  })
})
