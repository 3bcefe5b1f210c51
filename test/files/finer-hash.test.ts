import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import type { FinerHash } from '../../src/media/child/finer-hash.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { putFile, runImport } from '../support/imports.ts'
import { fakeFfmpeg, WEBM } from '../support/media/fake-ffmpeg.ts'
import { finerHashOf, temporaryFolder } from '../support/media/media.ts'
import { scene } from '../support/scenes.ts'

let library: Library
let ann: { id: number; token: string }
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  library = await openLibrary({}, { ffmpeg })
  ann = await library.join('Ann', { is_admin: true })
})
after(async () => {
  await library.close()
  await folder.remove()
})
beforeEach(() => library.deps.db.run('DELETE FROM files'))

/** All hashes that are stored, in the order of their files, which must be there. */
const stored = () =>
  library.deps.db.all(
    `SELECT original_name AS name, lower(hex(hash)) AS hash, is_plain, lower(hex(sha256)) AS sha256
     FROM finer_hashes LEFT JOIN files ON rid = file_rid ORDER BY file_rid`,
  )
const row = (name: string, bytes: Uint8Array, { hash, isPlain }: FinerHash) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, hash, is_plain: isPlain ? 1 : 0, sha256 }
}
const expected = async (name: string, bytes: Uint8Array) =>
  row(name, bytes, await finerHashOf(bytes))
const upload = async (bytes: Uint8Array, name: string): Promise<string> =>
  (await library.upload(ann.token, bytes, name)).body.id
const replace = async (id: string, bytes: Uint8Array, name: string) => {
  const body = form(bytes, name)
  const answer = await library.call('PUT', `/files/${id}/content`, { token: ann.token, body })
  assert.equal(answer.status, 200)
}
const broken = Buffer.from('\xff\xd8\xff and nothing more', 'latin1')

describe('the finer hash of a file', () => {
  it('is stored with an upload, next to the digest of its content', async () => {
    const files: [string, Uint8Array][] = [
      ['scene.jpg', await scene(1)],
      ['plain.jpg', await picture(1)],
      ['other.jpg', await scene(2)],
    ]
    for (const [name, bytes] of files) await upload(bytes, name)
    await upload(broken, 'broken.jpg')
    const rows = await Promise.all(files.map(([name, bytes]) => expected(name, bytes)))
    assert.deepEqual(stored(), rows)
    assert.deepEqual(
      rows.map(({ is_plain }) => is_plain),
      [0, 1, 0],
    )
    assert.notEqual(rows[0]!.hash, rows[2]!.hash)
  })

  it('is stored with an import', async () => {
    const inbox = join(library.folder, 'import')
    mkdirSync(inbox, { recursive: true })
    const bytes = await scene(1)
    putFile(inbox, 'scene.jpg', bytes)
    await runImport(library, ann.token)
    assert.deepEqual(stored(), [await expected('scene.jpg', bytes)])
  })

  it('is renewed with a content that is replaced, also by the same bytes', async () => {
    const id = await upload(await scene(1), 'first.jpg')
    await replace(id, await scene(2), 'second.jpg')
    assert.deepEqual(stored(), [await expected('second.jpg', await scene(2))])
    await replace(id, await scene(2), 'third.jpg')
    assert.deepEqual(stored(), [await expected('third.jpg', await scene(2))])
  })

  it('goes with a content that is replaced by one that can not be decoded', async () => {
    const id = await upload(await scene(1), 'first.jpg')
    await replace(id, broken, 'broken.jpg')
    assert.deepEqual(stored(), [])
  })

  it('stays in the trash, and goes with its file', async () => {
    const id = await upload(await scene(1), 'scene.jpg')
    const kept = await expected('scene.jpg', await scene(1))
    const remove = (path: string) => library.call('DELETE', `/files/${id}${path}`, ann)
    await remove('')
    assert.deepEqual(stored(), [kept])
    assert.equal((await remove('/permanent')).status, 204)
    assert.deepEqual(stored(), [])
  })

  it('is stored with a thumbnail that is made late, here that of a film', async () => {
    ffmpeg.answer('no process')
    const id = await upload(WEBM, 'film.webm')
    assert.deepEqual(stored(), [])
    ffmpeg.answer('frame')
    assert.equal((await library.fetchRaw('GET', `/files/${id}/thumbnail`, ann)).status, 200)
    const frame = await finerHashOf(readFileSync(join(folder.path, 'frame.png')))
    assert.deepEqual(stored(), [row('film.webm', WEBM, frame)])
  })

  it('has 32 bytes, and so has its digest', async () => {
    await upload(
      await sharp(await scene(1))
        .png()
        .toBuffer(),
      'scene.png',
    )
    for (const column of ['hash', 'sha256']) {
      for (const length of [0, 31, 33]) {
        const change = `UPDATE finer_hashes SET ${column} = zeroblob(${length})`
        assert.throws(() => library.deps.db.run(change), /CHECK constraint failed/)
      }
    }
  })
})
