import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { beginUpload } from '../support/begun-upload.ts'
import { fileSeed, idAt, insertFiles, randomNumbers, writeContent } from '../support/file-rows.ts'
import { assertError, inventory } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { expectedEvents, namesIn, putFile, runImport } from '../support/imports.ts'

const QUOTA = 10_000
const OVER = "The creator's files have reached their quota"

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
let small: Uint8Array
before(async () => {
  library = await openLibrary({ USER_QUOTA: `${QUOTA}B` })
  ann = await library.join('Ann', { is_admin: true })
  bob = await library.join('Bob', { can_create: true })
  small = await picture(1)
})
after(() => library.close())

/** Returns a picture of that many bytes. */
const ofSize = (bytes: number) => Buffer.concat([small, Buffer.alloc(bytes - small.length)])

const begin = (token: string, size: number, headers: Record<string, string> = {}) => {
  const file = Buffer.alloc(size)
  file.set(small.subarray(0, size))
  return beginUpload(library, token, { file, headers })
}

const replace = (who: { token: string }, id: string, size: number) =>
  library.call('PUT', `/files/${id}/content`, {
    token: who.token,
    body: form(ofSize(size), 'new.jpg'),
  })

const usage = () =>
  library.deps.db.all<{ user_id: number; file_count: number; bytes: number }>(
    'SELECT user_id, file_count, bytes FROM usage WHERE file_count > 0 ORDER BY user_id',
  )
const summed = () =>
  library.deps.db.all(
    `SELECT creator_id AS user_id, count(*) AS file_count, sum(size) AS bytes
     FROM files JOIN file_details ON file_rid = rid GROUP BY creator_id ORDER BY creator_id`,
  )

describe('a quota', () => {
  let file: string
  before(async () => {
    file = (await library.upload(bob.token, ofSize(6000))).body.id
    // Under the quota of another creator.
    await library.upload(ann.token, ofSize(6000))
  })

  it('refuses what would be more, and leaves nothing of it behind', async () => {
    const before = inventory(library)
    const answer = await library.upload(bob.token, ofSize(4001))
    assertError(answer, 507, 'insufficient_storage', ['file'])
    assert.equal(answer.body.message, OVER)
    assert.deepEqual(inventory(library), before)
  })

  it('holds for a replaced content, which counts for its creator', async () => {
    assertError(await replace(bob, file, 10_001), 507, 'insufficient_storage', ['file'])
    assertError(await replace(ann, file, 10_001), 507, 'insufficient_storage', ['file'])
    assert.equal((await replace(ann, file, 10_000)).status, 200)
    assert.equal((await library.upload(ann.token, ofSize(4000))).status, 201)
    assertError(await library.upload(ann.token, small), 507, 'insufficient_storage', ['file'])
  })

  it('refuses even a small file when it is reached', async () => {
    assertError(await library.upload(bob.token, small), 507, 'insufficient_storage', ['file'])
  })

  it('counts the trash, and no longer what is purged', async () => {
    const { token } = bob
    await library.call('DELETE', `/files/${file}`, { token })
    assertError(await library.upload(token, small), 507, 'insufficient_storage', ['file'])
    await library.call('DELETE', `/files/${file}/permanent`, { token })
    assert.equal((await library.upload(token, ofSize(10_000))).status, 201)
  })

  it('is kept by uploads at the same time', async () => {
    const cid = await library.join('Cid', { can_create: true })
    const uploads = Array.from({ length: 4 }, () => library.upload(cid.token, ofSize(4000)))
    const statuses = (await Promise.all(uploads)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [201, 201, 507, 507])
    assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
  })

  it('is shared by uploads that have not come to their end', async () => {
    const dan = await library.join('Dan', { can_create: true })
    const slow = await begin(dan.token, 6000)
    assertError(await library.upload(dan.token, ofSize(4001)), 507, 'insufficient_storage', [
      'file',
    ])
    assert.equal((await library.upload(dan.token, ofSize(4000))).status, 201)
    slow.end()
    assert.equal((await slow.answer).status, 201)
    assert.equal(usage().find(({ user_id }) => user_id === dan.id)?.bytes, QUOTA)
  })

  it('counts what a known length promises, until the upload ends', async () => {
    const hal = await library.join('Hal', { can_create: true })
    // A form may add 2 MiB to its file.
    const slow = await begin(hal.token, 1, { 'Content-Length': String(2 * 2 ** 20 + 6000) })
    assertError(await library.upload(hal.token, ofSize(4001)), 507, 'insufficient_storage', [
      'file',
    ])
    slow.end()
    assert.equal((await slow.answer).status, 415)
    assert.equal((await library.upload(hal.token, ofSize(10_000))).status, 201)
    assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
  })

  it('keeps files out of an import, which goes on', async () => {
    const eve = await library.join('Eve', { is_admin: true })
    const folder = join(library.folder, 'import')
    mkdirSync(folder)
    putFile(folder, 'a.jpg', ofSize(6000), 1)
    putFile(folder, 'b.jpg', ofSize(6000), 2)
    putFile(folder, 'c.jpg', ofSize(12_000), 3)
    putFile(folder, 'd.jpg', ofSize(4000), 4)
    assert.deepEqual(
      await runImport(library, eve.token),
      expectedEvents([
        ['a.jpg', 'imported'],
        ['b.jpg', 'error', OVER],
        ['c.jpg', 'error', OVER],
        ['d.jpg', 'imported'],
      ]),
    )
    assert.deepEqual(namesIn(folder), ['b.jpg', 'c.jpg'])
    assert.deepEqual(readdirSync(join(library.folder, 'tmp')), [])
  })

  it('lets what is beyond it be replaced by something no larger', async () => {
    const fay = await library.join('Fay', { can_create: true })
    const id = idAt(1, 1)
    insertFiles(library.deps.db, [fileSeed(id, { owner: fay.id, size: 3 * QUOTA })])
    writeContent(library, id, small)
    assertError(await replace(fay, id, 3 * QUOTA + 1), 507, 'insufficient_storage', ['file'])
    assert.equal((await replace(fay, id, 3 * QUOTA)).status, 200)
  })
})

describe('what the files of a creator come to', () => {
  it('is their sum, whatever happens to them', async () => {
    library.deps.config.userQuota = 0
    const random = randomNumbers(11)
    const people = [ann, bob, await library.join('Gus', { can_create: true })]
    const { db } = library.deps
    let last = 0
    const one = () =>
      db.get<{ id: string; is_deleted: number }>(
        'SELECT lower(hex(id)) AS id, is_deleted FROM files ORDER BY rid LIMIT 1 OFFSET ?',
        random(db.get<{ n: number }>('SELECT count(*) AS n FROM files')!.n),
      )
    const asUuid = (hex: string) => hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const deeds = [
      async () => {
        const owner = people[random(people.length)]!.id
        insertFiles(db, [fileSeed(idAt(2, last++), { owner, size: 1 + random(5000) })])
      },
      async () => {
        const file = one()
        if (file) await replace(ann, asUuid(file.id), small.length + random(500))
      },
      async () => {
        const file = one()
        if (!file) return
        const path = `/files/${asUuid(file.id)}`
        await library.call('DELETE', path, ann)
        if (random(2) === 0) await library.call('DELETE', `${path}/permanent`, ann)
        else await library.call('POST', `${path}/restore`, ann)
      },
      async () => {
        const answer = await library.upload(ann.token, ofSize(small.length + random(300)))
        const operation = answer.headers.get('Operation')
        if (operation) await library.call('POST', `/operations/${operation}/undo`, ann)
      },
      async () => {
        // Somebody else's files pass to Ann, and somebody new comes.
        if (random(4) > 0) return
        const [gone] = people.splice(1, 1)
        assert.equal((await library.call('DELETE', `/users/${gone!.id}`, ann)).status, 204)
        people.push(await library.join(`person ${last++}`, { can_create: true }))
      },
    ]
    for (let step = 0; step < 120; step++) {
      await deeds[random(deeds.length)]!()
      assert.deepEqual(usage(), summed())
    }
    assert.ok(usage().length > 1)
  })
})
