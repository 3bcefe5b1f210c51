import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before } from 'node:test'
import sharp from 'sharp'
import { createApp } from '../../src/app.ts'
import { setReader } from '../../src/reader/question.ts'
import { contentsOf } from '../support/contents.ts'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { assertError, blobOf } from '../support/files.ts'
import {
  addPicture,
  ask,
  guestForm,
  makeLink,
  makePool,
  openWith,
  shownBy,
} from '../support/guests.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { insertPool, ridOf } from '../support/object-rows.ts'
import { pathsOf } from '../support/stored-files.ts'
import { describe, it } from '../support/test.ts'
import { unzippedBytes, withoutUnzip } from '../support/zip.ts'

const DAY = 86_400_000

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
let admin: { id: number; token: string }
/** Ann's, and the last one Bob's. */
let files: string[]
before(async () => {
  library = await openLibrary({ ACCESS_TOKEN_TTL: '20d' })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  admin = await library.join('Admin', { is_admin: true })
  files = []
  for (const seed of [1, 2, 3]) files.push(await addPicture(library, ann.token, { seed }))
  files.push(await addPicture(library, bob.token, { seed: 4 }))
  for (const id of files.slice(3)) {
    await library.call('PATCH', `/files/${id}`, { token: bob.token, body: { is_public: true } })
  }
})
after(() => library.close())

const made = (body: object, token = ann.token) => makeLink(library, token, body)
const shares = (token: string) => library.call('GET', '/shares', { token })
const create = (body: object, token = ann.token) => library.call('POST', '/shares', { token, body })
const reach = async (body: object, token = ann.token) =>
  (await library.call('POST', '/shares/reach', { token, body })).body

describe('a link', () => {
  it('shows named files of its maker in their order, and tells nothing else of them', async () => {
    const link = await made({ file_ids: [files[1], files[3], files[0]], title: 'Summer' })
    const { status, headers, body } = await ask(library, `${link}/list`)
    assert.equal(status, 200)
    assert.equal(headers.get('X-Robots-Tag'), 'noindex')
    assert.equal(headers.get('Referrer-Policy'), 'no-referrer')
    const { items, ...page } = body
    assert.deepEqual(page, {
      title: 'Summer',
      total: 2,
      downloads: 'without_place',
      may_upload: false,
      most_bytes: 2 * 1024 ** 3,
      next_cursor: null,
    })
    for (const item of items) {
      assert.match(item.id, /^[\w-]{22}$/)
      assert.match(item.thumbhash, /^[\w+/]+=*$/)
    }
    assert.deepEqual(
      items.map(({ id, thumbhash, ...item }: Record<string, unknown>) => item),
      ['photo-1.jpg', 'photo-2.jpg'].map((name) => ({
        ...{ kind: 'picture', name, width: 48, height: 32, duration: null, film: null },
      })),
    )
  })

  it('has the address under which people reach the server, or else a path', async () => {
    assert.match(await made({ file_ids: [] }), /^\/s\/[\w-]{22}$/)
    const reached = await openLibrary({ PUBLIC_URL: 'https://photos.example.org' })
    try {
      const { token } = await reached.join('Ann', { can_create: true })
      const url = await makeLink(reached, token, { file_ids: [] })
      assert.match(url, /^https:\/\/photos\.example\.org\/s\/[\w-]{22}$/)
      assert.deepEqual(await shownBy(reached, new URL(url).pathname), [])
    } finally {
      await reached.close()
    }
  })

  it('names files in another way than other links do', async () => {
    const [one, other] = [await made({ file_ids: files }), await made({ file_ids: files })]
    const ids = [...(await shownBy(library, one)), ...(await shownBy(library, other))]
    assert.equal(new Set(ids).size, 6)
  })

  it('shows names where that is chosen', async () => {
    const link = await made({ file_ids: files, shows_names: true })
    const { body } = await ask(library, `${link}/list`)
    assert.equal(body.items[0].name, 'secret name.jpg')
  })

  it('gives pages that follow each other, and go on when the last file has gone', async () => {
    const named = []
    for (const seed of [11, 12, 13, 14]) named.push(await addPicture(library, ann.token, { seed }))
    const link = await made({ file_ids: named })
    const all = await shownBy(library, link)
    const first = await ask(library, `${link}/list?limit=2`)
    const next = `${link}/list?limit=2&cursor=${first.body.next_cursor}`
    const second = await ask(library, next)
    const ids = [...first.body.items, ...second.body.items].map((item) => item.id)
    assert.deepEqual([ids, second.body.next_cursor], [all, null])
    assert.equal(second.body.items[0].name, 'photo-3.jpg')
    const shown = async () => {
      const { items, next_cursor } = (await ask(library, next)).body
      return [items.map(({ id, name }: Record<string, string>) => [id, name]), next_cursor]
    }
    const [, gone, third, last] = all
    const remove = (id?: string) => library.call('DELETE', `/files/${id}`, { token: ann.token })
    await remove(named[1])
    assert.ok(!(await shownBy(library, link)).includes(gone!))
    const rest = [
      [third, 'photo-2.jpg'],
      [last, 'photo-3.jpg'],
    ]
    assert.deepEqual(await shown(), [rest, null])
    await remove(named[3])
    assert.deepEqual(await shown(), [rest.slice(0, 1), null])
    await remove(named[0])
    await remove(named[2])
    assert.deepEqual(await shown(), [[], null])
    for (const cursor of ['x', `0.${'A'.repeat(22)}`]) {
      assert.equal((await ask(library, `${link}/list?cursor=${cursor}`)).status, 400)
    }
  })

  it('of a pool shows what was there when it was made and still is, in the order of the pool', async () => {
    const pool = await makePool(library, ann.token, [files[2]!, files[0]!, files[3]!])
    const link = await made({ pool_id: pool })
    const [last, first] = await shownBy(library, link)
    const added = { token: ann.token, body: { file_ids: [files[1]] } }
    await library.call('POST', `/pools/${pool}/files`, added)
    assert.deepEqual(await shownBy(library, link), [last, first])
    const sorted = { token: ann.token, body: { sort_key: 'created', sort_order: 'asc' } }
    await library.call('PATCH', `/pools/${pool}`, sorted)
    assert.deepEqual(await shownBy(library, link), [first, last])
    const removed = { token: ann.token, body: { file_ids: [files[0]] } }
    await library.call('POST', `/pools/${pool}/files/remove`, removed)
    assert.deepEqual(await shownBy(library, link), [last])
    await library.call('POST', `/pools/${pool}/files`, { ...removed })
    assert.deepEqual(await shownBy(library, link), [first, last])
  })

  it('that follows a pool also shows what of its maker comes there later, and of an admin all', async () => {
    const pool = await makePool(library, ann.token, [files[0]!], { is_public: true })
    const link = await made({ pool_id: pool, follows: true })
    const added = { token: ann.token, body: { file_ids: [files[1], files[3]] } }
    await library.call('POST', `/pools/${pool}/files`, added)
    assert.equal((await shownBy(library, link)).length, 2)
    const ofAdmin = await made({ pool_id: pool, follows: true }, admin.token)
    assert.equal((await shownBy(library, ofAdmin)).length, 3)
    const ofBob = await made({ pool_id: pool, follows: true }, bob.token)
    assert.equal((await shownBy(library, ofBob)).length, 1)
    // Whoever adds it.
    const byOther = { token: admin.token, body: { file_ids: [files[2]] } }
    await library.call('POST', `/pools/${pool}/files`, byOther)
    const lengths = [link, ofAdmin, ofBob].map(async (one) => (await shownBy(library, one)).length)
    assert.deepEqual(await Promise.all(lengths), [3, 4, 1])
  })

  it('names the film of a living picture beside the picture', async () => {
    const { db } = library.deps
    const pool = await makePool(library, ann.token, files.slice(0, 3))
    const link = await made({ pool_id: pool })
    const [picture, film, other] = await shownBy(library, link)
    db.run(
      'INSERT INTO companions (film_rid, picture_rid) VALUES (?, ?)',
      ridOf(db, 'file', files[1]!),
      ridOf(db, 'file', files[0]!),
    )
    const items = async () => (await ask(library, `${link}/list`)).body.items
    const found = async () =>
      (await items()).map((item: { id: string; film: string | null }) => [item.id, item.film])
    assert.deepEqual(await found(), [
      [picture, film],
      [other, null],
    ])
    assert.equal((await ask(library, `${link}/f/${film}/preview`)).status, 200)
    // Without its picture, it stands for itself.
    const body = { file_ids: [files[0]] }
    await library.call('POST', `/pools/${pool}/files/remove`, { token: ann.token, body })
    assert.deepEqual(await found(), [
      [film, null],
      [other, null],
    ])
    db.run('DELETE FROM companions')
  })

  it('shows a large pool page by page, and names no more than 10,000 files', async () => {
    const { db } = library.deps
    const owner = (await library.join('Large', { can_create: true })).id
    const token = (await library.signIn('Large')).access_token
    const many = Array.from({ length: 10_001 }, (_, n) => idAt(Date.UTC(2026, 0, 1), 10_000 + n))
    insertFiles(
      db,
      many.map((id) => fileSeed(id, { owner })),
    )
    const pool = idAt(Date.UTC(2026, 0, 1), 99)
    insertPool(db, { id: pool, name: 'Large', owner, files: many })
    assertError(await create({ pool_id: pool }, token), 409, 'conflict')
    const link = await made({ pool_id: pool, follows: true }, token)
    const seen = new Set<string>()
    for (let cursor = '', pages = 0; pages < 20; pages++) {
      const { body } = await ask(library, `${link}/list?limit=1000${cursor}`)
      for (const { id } of body.items) seen.add(id)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    assert.equal(seen.size, 10_001)
    const { items } = (await shares(token)).body
    assert.equal(items[0].files, 10_001)
    assert.deepEqual(await reach({ pool_id: pool }, token), { files: 10_001, left_out: 0 })
    await library.call('DELETE', `/files/${many[0]}`, { token })
    const { status, body } = await create({ pool_id: pool }, token)
    assert.deepEqual([status, body.files], [201, 10_000])
    const named =
      'SELECT count(*) AS files FROM share_files WHERE share_rid = (SELECT max(rid) FROM shares)'
    assert.deepEqual({ ...(db.get<object>(named) ?? {}) }, { files: 10_000 })
  })

  it('that names many files leaves them to the reader, so that nobody waits', async () => {
    const { db } = library.deps
    const { id: owner, token } = await library.join('Many', { can_create: true })
    const many = Array.from({ length: 2001 }, (_, n) => idAt(Date.UTC(2026, 1, 1), 10_000 + n))
    insertFiles(
      db,
      many.map((id) => fileSeed(id, { owner })),
    )
    const links = [many, many.slice(1)].map((file_ids) => made({ file_ids }, token))
    const [long, short] = await Promise.all(links)
    const asked: string[] = []
    setReader(db, {
      running: () => 0,
      async ask(_, name) {
        asked.push(name)
        return null
      },
    })
    const totals = []
    for (const link of [long, short]) totals.push((await ask(library, `${link}/list`)).body.total)
    const { items } = (await shares(token)).body
    assert.deepEqual(
      [totals, items.map(({ files }: { files: number }) => files).sort()],
      [
        [2001, 2000],
        [2000, 2001],
      ],
    )
    assert.deepEqual(asked, ['sharedPage', 'shownCounts'])
  })

  it('is listed with how many files it shows now, each for itself', async () => {
    const { token } = await library.join('Counted', { can_create: true })
    const own: string[] = []
    for (const seed of [31, 32, 33]) own.push(await addPicture(library, token, { seed }))
    const pool = await makePool(library, token, own.slice(0, 2))
    const lent = await makePool(library, bob.token, [files[3]!], { is_public: true })
    for (const body of [
      { pool_id: pool },
      { pool_id: lent, follows: true },
      { pool_id: pool, follows: true },
      { file_ids: own },
      { file_ids: own, expires_at: new Date(library.time.now + 1).toISOString() },
    ]) {
      await made(body, token)
    }
    library.time.now += 1
    const added = { token, body: { file_ids: own.slice(2) } }
    await library.call('POST', `/pools/${pool}/files`, added)
    await library.call('PATCH', `/pools/${lent}`, { token: bob.token, body: { is_public: false } })
    await library.call('DELETE', `/files/${own[0]}`, { token })
    const { items } = (await shares(token)).body
    assert.deepEqual(
      items.map((share: { files: number }) => share.files),
      [0, 2, 2, 0, 1],
    )
  })

  it('says beforehand how much it leaves out', async () => {
    const pool = await makePool(library, ann.token, files)
    assert.deepEqual(await reach({ pool_id: pool }), { files: 3, left_out: 1 })
    assert.deepEqual(await reach({ pool_id: pool }, admin.token), { files: 4, left_out: 0 })
    assert.deepEqual(await reach({ file_ids: files }), { files: 3, left_out: 1 })
    // What the caller doesn't see isn't counted.
    assert.deepEqual(await reach({ file_ids: files }, bob.token), { files: 1, left_out: 0 })
  })

  it('is refused for a pool that fills itself, and for what the caller may not do', async () => {
    const smart = { name: 'Smart', filter: '{r=1}', sort_key: 'created' }
    const { body } = await library.call('POST', '/pools', { token: ann.token, body: smart })
    for (const path of ['/shares', '/shares/reach']) {
      const asked = { token: ann.token, body: { pool_id: body.id } }
      assertError(await library.call('POST', path, asked), 409, 'conflict')
    }
    const mine = await makePool(library, ann.token, files)
    assertError(await create({ pool_id: mine }, bob.token), 403, 'forbidden')
    const guest = await library.join('Guest')
    assertError(await create({ file_ids: [], may_upload: true }, guest.token), 403, 'forbidden')
    assertError(await create({ file_ids: [], pool_id: mine }), 400, 'validation_error', [
      'file_ids',
    ])
    assertError(await create({ file_ids: [], follows: true }), 400, 'validation_error', ['follows'])
    assertError(await create({ file_ids: [], password: '' }), 400, 'validation_error', ['password'])
    const expires_at = new Date(library.time.now).toISOString()
    assertError(await create({ file_ids: [], expires_at }), 400, 'validation_error', ['expires_at'])
    const later = new Date(library.time.now + 1).toISOString()
    assert.equal((await create({ file_ids: [], expires_at: later })).status, 201)
  })

  it('is one of at most 1,000 of a user that have not ended', async () => {
    const { token } = await library.join('Thousand', { can_create: true })
    const expires_at = new Date(library.time.now + DAY).toISOString()
    await made({ file_ids: [], expires_at }, token)
    await made({ file_ids: [] }, token)
    const { db } = library.deps
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO shares (id, token_hash, creator_id, follows, downloads, shows_names, may_upload, created_at)
      SELECT randomblob(16), randomblob(32), creator_id, 0, downloads, 0, 0, created_at
      FROM n, (SELECT * FROM shares ORDER BY rid DESC LIMIT 1)`,
    )
    assertError(await create({ file_ids: [] }, token), 409, 'conflict')
    library.time.now += DAY
    await made({ file_ids: [] }, token)
    assertError(await create({ file_ids: [] }, token), 409, 'conflict')
    assert.equal((await shares(token)).body.total, 1001)
  })

  it('is listed for its maker and for admins, with its last use, and ended by them alone', async () => {
    const pool = await makePool(library, ann.token, files)
    const expires_at = new Date(library.time.now + DAY).toISOString()
    const link = await made({ pool_id: pool, title: 'Ours', expires_at, password: 'kitten' })
    const [share] = (await shares(ann.token)).body.items
    const { id, ...fields } = share
    assert.deepEqual(fields, {
      title: 'Ours',
      pool_id: pool,
      pool_name: 'Secret',
      files: 3,
      follows: false,
      downloads: 'without_place',
      shows_names: false,
      may_upload: false,
      has_password: true,
      creator_id: ann.id,
      creator_name: 'Ann',
      created_at: new Date(library.time.now).toISOString(),
      expires_at,
      last_used_at: null,
    })
    const cookie = await openWith(library, link, 'kitten')
    await shownBy(library, link, cookie)
    const used = (await shares(admin.token)).body.items[0]
    assert.deepEqual(used, { ...share, last_used_at: new Date(library.time.now).toISOString() })
    const end = (token: string) => library.call('DELETE', `/shares/${id}`, { token })
    assert.equal((await end(bob.token)).status, 404)
    assert.equal((await end(admin.token)).status, 204)
    assert.equal((await end(ann.token)).status, 404)
    assert.equal((await ask(library, `${link}/list`, { headers: cookie })).status, 404)
  })

  it('is stored and logged without its characters, and audited once a day of use', async () => {
    const link = await made({ file_ids: files })
    const token = link.slice(3)
    const [shown] = await shownBy(library, link)
    library.time.now += 2 * 60_000
    await ask(library, `${link}/f/${shown}/preview`)
    await ask(library, `${link}/f/nonsense/preview`)
    await ask(library, `${link}/archive`)
    await createApp(library.deps).request(`${link}/none`, { headers: { Accept: 'text/html' } })
    // As proxies and programs that read mail make of it.
    const odd = [`/s//${token}`, `/s%2F${token}/list`, `/s%2f%2F${token}`, `/%73/${token}/list`]
    for (const path of odd) await createApp(library.deps).request(path)
    library.time.now += DAY
    await shownBy(library, link)
    const { items } = (await shares(ann.token)).body
    const ended = await library.call('DELETE', `/shares/${items[0].id}`, { token: ann.token })
    assert.equal(ended.status, 204)
    const entries = (await library.audit()).filter(
      ({ details }) => details?.share_id === items[0].id,
    )
    assert.deepEqual(
      entries.map(({ action, user_name }) => [action, user_name]),
      [
        ['share_create', 'Ann'],
        ['share_use', 'system'],
        ['share_use', 'system'],
        ['share_end', 'Ann'],
      ],
    )
    assert.ok(!JSON.stringify(library.logged).includes(token))
    assert.ok(library.logged.some(({ fields }) => fields?.path === '/s/…/list'))
    assert.ok(!JSON.stringify(await library.audit()).includes(token))
    const rows = library.deps.db.all<object>('SELECT * FROM shares')
    assert.ok(!JSON.stringify(rows).includes(token))
  })

  it('goes with its pool and its maker, and leaves no rows', async () => {
    const user = await library.join('Gone', { can_create: true })
    const file = await addPicture(library, user.token, { seed: 21 })
    const pool = await makePool(library, user.token, [file])
    await made({ pool_id: pool }, user.token)
    await made({ file_ids: [file] }, user.token)
    const count = () =>
      library.deps.db.get(
        `SELECT (SELECT count(*) FROM shares WHERE creator_id = ${user.id}) AS shares,
          (SELECT count(*) FROM share_files JOIN files ON rid = file_rid WHERE creator_id = ${user.id}) AS files`,
      )
    assert.deepEqual({ ...(count() as object) }, { shares: 2, files: 2 })
    assert.equal(
      (await library.call('DELETE', `/pools/${pool}`, { token: user.token })).status,
      204,
    )
    assert.deepEqual({ ...(count() as object) }, { shares: 1, files: 1 })
    const { status } = await library.call('DELETE', `/users/${user.id}`, { token: admin.token })
    assert.equal(status, 204)
    assert.deepEqual({ ...(count() as object) }, { shares: 0, files: 0 })
  })
})

describe('what a link lets be saved', () => {
  const content = async (link: string, part = 'content') =>
    ask(library, `${link}/f/${(await shownBy(library, link))[0]}/${part}`)
  const isPreview = async (bytes: Buffer) => (await sharp(bytes).metadata()).format === 'jpeg'

  it('is the content as it is', async () => {
    const link = await made({ file_ids: files, downloads: 'as_they_are' })
    const { status, headers, bytes } = await content(link)
    assert.equal(status, 200)
    assert.deepEqual(bytes, Buffer.from(await picture(1)))
    assert.equal(headers.get('Content-Disposition'), 'attachment')
    assert.equal(headers.get('Content-Type'), 'application/octet-stream')
  })

  it('is all of that in a ZIP', { skip: withoutUnzip }, async () => {
    const link = await made({ file_ids: files, downloads: 'as_they_are' })
    const { status, headers, bytes } = await ask(library, `${link}/archive`)
    assert.equal(status, 200)
    assert.equal(headers.get('Content-Disposition'), 'attachment; filename="Photos.zip"')
    const found = unzippedBytes(bytes).map(({ name, sha256 }) => [name, sha256])
    const expected = [1, 2, 3].map(async (seed) => [
      `photo-${seed}.jpg`,
      hash('sha256', await picture(seed)),
    ])
    assert.deepEqual(found, await Promise.all(expected))
  })

  it('is all but what can not be read, which the ZIP names', { skip: withoutUnzip }, async () => {
    const gone = await addPicture(library, ann.token, { seed: 21 })
    const { derivative } = pathsOf(library.deps)
    const blob = blobOf(library.deps.db, gone)
    contentsOf(library).remove(blob)
    await rm(derivative('preview', blob), { force: true })
    const link = await made({ file_ids: [files[0], gone, files[1]] })
    const { status, bytes } = await ask(library, `${link}/archive`)
    assert.equal(status, 200)
    const found = unzippedBytes(bytes).map(({ name, size }) => [name, size > 0])
    assert.deepEqual(found, [
      ['photo-1.jpg', true],
      ['photo-2.jpg', false],
      ['photo-3.jpg', true],
      ['MISSING.txt', true],
    ])
    await library.call('DELETE', `/files/${gone}`, { token: ann.token })
  })

  it('is never the picture that stands in for what can not be decoded', async () => {
    const broken = (
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
    ).subarray(0, 40)
    const file = await addPicture(library, ann.token, { bytes: broken, name: 'broken.png' })
    const link = await made({ file_ids: [file] })
    assert.equal((await content(link, 'preview')).status, 200)
    const saved = await content(link)
    assert.deepEqual([saved.status, saved.body.code], [404, 'not_found'])
    const { bytes } = await ask(library, `${link}/archive`)
    assert.ok(!bytes.includes('photo-1.jpg') && bytes.includes('photo-1.png'))
    assert.ok(bytes.includes('MISSING.txt'))
  })

  it('is named as a JPEG where it is a preview', async () => {
    // A directory without entries, which no EXIF has (TIFF 6.0, section 2).
    const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')
    const plain = Buffer.from(await picture(22))
    const head = Buffer.of(0xff, 0xe1, 0, exif.length + 2)
    const bytes = Buffer.concat([plain.subarray(0, 2), head, exif, plain.subarray(2)])
    const file = await addPicture(library, ann.token, { bytes, name: 'odd.jpeg' })
    for (const [shows_names, name] of [
      [false, 'photo.jpg'],
      [true, 'odd.jpeg'],
    ]) {
      const { status, headers } = await content(await made({ file_ids: [file], shows_names }))
      assert.equal(status, 200)
      assert.equal(headers.get('Content-Disposition'), `attachment; filename="${name}"`)
    }
  })

  it('is nothing, where nothing is chosen', async () => {
    const link = await made({ file_ids: files, downloads: 'none' })
    assert.equal((await content(link)).status, 403)
    assert.equal((await ask(library, `${link}/archive`)).status, 403)
    assert.ok(await isPreview((await content(link, 'preview')).bytes))
  })

  it('is sent with tags of its own, and in ranges', async () => {
    const [one, other] = [
      await made({ file_ids: files, downloads: 'as_they_are' }),
      await made({ file_ids: files, downloads: 'as_they_are' }),
    ]
    for (const part of ['content', 'thumbnail', 'preview']) {
      const { headers } = await content(one, part)
      assert.notEqual(headers.get('ETag'), (await content(other, part)).headers.get('ETag'))
      assert.equal(headers.get('Last-Modified'), new Date(library.time.now).toUTCString())
      const address = `${one}/f/${(await shownBy(library, one))[0]}/${part}`
      const again = { headers: { 'If-None-Match': headers.get('ETag')! } }
      assert.equal((await ask(library, address, again)).status, 304)
      const range = await ask(library, address, { headers: { Range: 'bytes=2-5' } })
      assert.deepEqual([range.status, range.bytes.length], [206, 4])
    }
  })
})

describe('a file that a guest adds', () => {
  it('goes to the inbox of the maker, with the name of the guest', async () => {
    const link = await made({ file_ids: [], may_upload: true })
    const body = await guestForm('Anna <b>', null, { modified: '2024-05-06T07:08:09Z' })
    const { status, bytes, headers } = await ask(library, `${link}/files`, { body })
    assert.deepEqual([status, bytes.length, headers.get('Operation')], [204, 0, null])
    const query = `/files?limit=1&filter={u=${ann.id}}`
    const [file] = (await library.call('GET', query, { token: ann.token })).body.items
    const { notes, original_name, needs_review, is_public, tags, content_datetime } = file
    assert.deepEqual(
      { notes, original_name, needs_review, is_public, tags, content_datetime },
      {
        notes: 'Anna <b>',
        original_name: 'IMG_0001.jpg',
        needs_review: true,
        is_public: false,
        tags: [],
        content_datetime: '2024-05-06T07:08:09.000Z',
      },
    )
    const [share] = (await shares(ann.token)).body.items
    const entry = (await library.audit()).findLast(({ action }) => action === 'file_create')!
    assert.equal(entry.user_id, ann.id)
    assert.deepEqual(entry.details.through, { share_id: share.id, guest: 'Anna <b>' })
    // It isn't shown by the link.
    assert.deepEqual(await shownBy(library, link), [])
  })

  it('is stored once, whoever sends it and whether the maker has it already', async () => {
    const { id, token } = await library.join('Host', { can_create: true })
    const own = await addPicture(library, token, { seed: 41 })
    const stored = async () =>
      (await library.call('GET', `/files?filter={u=${id}}`, { token })).body.items.map(
        (file: Record<string, string>) => [file.id === own, file.original_name, file.notes],
      )
    const link = await made({ file_ids: [], may_upload: true }, token)
    const other = await made({ file_ids: [], may_upload: true }, token)
    for (const [seed, name, to] of [
      [41, 'Anna', link],
      // Bob's, who is somebody else.
      [4, 'Anna', link],
      [4, 'Zoe', other],
    ] as const) {
      const body = await guestForm(name, await picture(seed))
      assert.equal((await ask(library, `${to}/files`, { body })).status, 204)
    }
    assert.deepEqual(await stored(), [
      [false, 'IMG_0001.jpg', 'Anna'],
      [true, 'secret name.jpg', null],
    ])
  })
})
