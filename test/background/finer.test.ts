import assert from 'node:assert/strict'
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { runBackground } from '../../src/background/run.ts'
import type { Decoder } from '../../src/media/decoder/decoder.ts'
import { form } from '../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../support/media/fake-ffmpeg.ts'
import { bitsBetween, temporaryFolder } from '../support/media/media.ts'
import { eachWithOldLibrary } from '../support/old-library.ts'
import { scene } from '../support/scenes.ts'
import { pathsOf } from '../support/stored-files.ts'
import { after, before, beforeEach, describe, it } from '../support/test.ts'

/** Opens, but every read of its beginning fails with EIO. */
const UNREADABLE = '/proc/self/mem'

const old = eachWithOldLibrary()
const { upload, progress, blobOf, thumbnailOf, watchDecoder } = old
const run = () => runBackground(old.library.deps).over
const contentOf = (id: string) => pathsOf(old.library.deps).content(blobOf(id))

/** Makes the library one from before finer hashes were kept. */
const forget = () => old.library.deps.db.run('DELETE FROM finer_hashes')
const stored = () =>
  old.library.deps.db.all<{ id: string; hash: string; is_plain: number; sha256: string }>(
    `SELECT lower(hex(id)) AS id, lower(hex(hash)) AS hash, is_plain, lower(hex(sha256)) AS sha256
     FROM finer_hashes LEFT JOIN files ON rid = file_rid ORDER BY file_rid`,
  )
type Stored = ReturnType<typeof stored>
const of = (rows: Stored, { id }: { id: string }) =>
  rows.filter((row) => row.id === id.replaceAll('-', ''))

/** A thumbnail is a JPEG, so its hash may differ a little from that of the content. */
function assertLike(found: Stored, expected: Stored): void {
  const rest = (rows: Stored) => rows.map(({ hash: _, ...row }) => row)
  assert.deepEqual(rest(found), rest(expected))
  for (const [n, { hash }] of found.entries()) {
    assert.ok(bitsBetween(hash, expected[n]!.hash) <= 16)
  }
}

/** Uploads pictures, and returns them with what is stored of them. */
async function uploadScenes(count: number) {
  const files: { id: string }[] = []
  for (let n = 0; n < count; n++) files.push(await upload(await scene(n)))
  return { files, before: stored() }
}

/** Has the decoder answer so when it is asked to look at the thumbnail of a file. */
function answerFor(id: string, lookAtThumbnail: Decoder['lookAtThumbnail']): void {
  const { decoder } = old.library.deps
  const path = thumbnailOf(id)
  old.library.deps.decoder = {
    ...decoder,
    lookAtThumbnail: (input) =>
      input.path === path ? lookAtThumbnail(input) : decoder.lookAtThumbnail(input),
  }
}

describe('the finer hashes of old files', () => {
  it('are made of their thumbnails, the newest first, in the trash too', async () => {
    const { files, before } = await uploadScenes(3)
    await upload(Buffer.from('\xff\xd8\xff and nothing more', 'latin1'))
    await old.library.call('DELETE', `/files/${files[0]!.id}`, old.ann)
    forget()
    const asked = watchDecoder()
    await run()
    assertLike(stored(), before)
    assert.deepEqual(
      asked,
      files.toReversed().map(({ id }) => `thumbnail ${blobOf(id)}`),
    )
    assert.equal(await progress(), null)
    await run()
    assert.equal(asked.length, files.length)
  })

  it('are made anew where the state of the work is lost, but only those that lack', async () => {
    const { files, before } = await uploadScenes(3)
    await run()
    const { db } = old.library.deps
    db.run('DELETE FROM background_work')
    db.run('DELETE FROM finer_hashes WHERE file_rid = (SELECT min(rid) FROM files)')
    const asked = watchDecoder()
    await run()
    assertLike(stored(), before)
    assert.deepEqual(asked, [`thumbnail ${blobOf(files[0]!.id)}`])
  })

  it('are made of the content where there is no thumbnail, which is made, too', async () => {
    const { files, before } = await uploadScenes(2)
    const { id } = files[0]!
    rmSync(thumbnailOf(id))
    forget()
    const asked = watchDecoder()
    await run()
    assert.deepEqual(of(stored(), files[0]!), of(before, files[0]!))
    assertLike(stored(), before)
    assert.deepEqual(asked, [`thumbnail ${blobOf(files[1]!.id)}`, `derive ${blobOf(id)}`])
    assert.ok(existsSync(thumbnailOf(id)))
  })

  it('are made of the content where the thumbnail is broken, and mend it', async () => {
    const { files, before } = await uploadScenes(2)
    const [half, nonsense] = files.map(({ id }) => thumbnailOf(id))
    const whole = readFileSync(half!)
    truncateSync(half!, whole.length / 2)
    writeFileSync(nonsense!, 'no picture')
    forget()
    await run()
    assert.deepEqual(stored(), before)
    assert.deepEqual(readFileSync(half!), whole)
  })

  for (const code of ['EIO', 'EACCES', 'ENOENT']) {
    it(`are made of the content where reading the thumbnail meets ${code}`, async () => {
      const { files, before } = await uploadScenes(2)
      forget()
      const { id } = files[1]!
      answerFor(id, async () => {
        throw Object.assign(new Error(id), { code })
      })
      await run()
      assert.deepEqual(of(stored(), files[1]!), of(before, files[1]!))
      assertLike(stored(), before)
      assert.ok(!old.library.waits.includes(10 * 60_000))
    })
  }

  it('come back after a pause to what the system refused', async () => {
    const { files, before } = await uploadScenes(3)
    forget()
    const { decoder } = old.library.deps
    let refusals = 2
    answerFor(files[1]!.id, async (input) =>
      refusals-- > 0 ? null : decoder.lookAtThumbnail(input),
    )
    await run()
    assertLike(stored(), before)
    assert.equal(old.library.waits.filter((ms) => ms === 10 * 60_000).length, 1)
  })

  it('are not those of a content that was replaced meanwhile', async () => {
    const { files } = await uploadScenes(2)
    forget()
    const { decoder } = old.library.deps
    const { id } = files[1]!
    let replaced: Stored = []
    answerFor(id, async (input) => {
      const looked = await decoder.lookAtThumbnail(input)
      const body = form(await scene(7), 'other.jpg')
      const answer = await old.library.call('PUT', `/files/${id}/content`, { ...old.ann, body })
      assert.equal(answer.status, 200)
      replaced = stored()
      return looked
    })
    await run()
    assert.equal(replaced.length, 1)
    assert.deepEqual(of(stored(), files[1]!), replaced)
    assert.equal(stored().length, 2)
  })
})

describe('what has no finer hash', () => {
  it('is not tried again by the same decoder, whether it is lost or broken', async () => {
    const { files, before } = await uploadScenes(3)
    const [lost, broken, whole] = files
    for (const { id } of [lost!, broken!]) rmSync(thumbnailOf(id))
    rmSync(contentOf(lost!.id))
    writeFileSync(contentOf(broken!.id), 'no picture')
    forget()
    const asked = watchDecoder()
    await run()
    assertLike(stored(), of(before, whole!))
    assert.equal(asked.length, 3)
    await run()
    assert.equal(asked.length, 3)
    assert.ok(!old.library.waits.includes(10 * 60_000))

    const { decoder } = old.library.deps
    old.library.deps.decoder = { ...decoder, version: `${decoder.version}-and-later` }
    await run()
    assert.deepEqual(
      asked.slice(3),
      [broken, lost].map((file) => `derive ${blobOf(file!.id)}`),
    )
  })

  it('is tried at the next start where the disk could not read it', {
    skip: !existsSync(UNREADABLE) && 'needs Linux',
  }, async () => {
    const { files, before } = await uploadScenes(3)
    const path = contentOf(files[1]!.id)
    rmSync(thumbnailOf(files[1]!.id))
    renameSync(path, `${path}.whole`)
    symlinkSync(UNREADABLE, path)
    forget()
    await run()
    assertLike(stored(), [...of(before, files[0]!), ...of(before, files[2]!)])
    assert.equal(await progress(), null)
    renameSync(`${path}.whole`, path)
    await run()
    assertLike(stored(), before)
  })
})

describe('the finer hash of an old film', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
  before(async () => {
    folder = await temporaryFolder()
    ffmpeg = await fakeFfmpeg(folder.path)
    const frame = await sharp(await scene(5))
      .png()
      .toBuffer()
    writeFileSync(join(folder.path, 'frame.png'), frame)
  })
  after(() => folder.remove())
  beforeEach(async () => {
    await old.close()
    await old.open({ ffmpeg })
  })

  it('is that of its thumbnail, or of its frame where there is none', async () => {
    const films = [await upload(WEBM, 'a.webm'), await upload(WEBM, 'b.webm')]
    const made = stored()
    assert.equal(made.length, 2)
    rmSync(thumbnailOf(films[0].id))
    forget()
    const runs = ffmpeg.runs()
    await run()
    assertLike(stored(), made)
    assert.equal(ffmpeg.runs(), runs + 1)
    assert.ok(existsSync(thumbnailOf(films[0].id)))
  })
})
