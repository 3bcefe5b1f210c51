import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { uuidToBlob } from '../../../src/db/columns.ts'
import { hashUntried } from '../../../src/duplicates/rescan/hash-untried.ts'
import { type Library, type Logged, openLibrary } from '../../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { pathsOf } from '../../support/stored-files.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'

/** Opens, but every read of its beginning fails with EIO. */
const UNREADABLE = '/proc/self/mem'

let library: Library
let token: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  library = await openLibrary({}, { ffmpeg })
  token = (await library.join('ann', { can_create: true })).token
})
after(async () => {
  await library.close()
  await folder.remove()
})
beforeEach(() => {
  library.deps.db.run('DELETE FROM files')
  ffmpeg.answer('frame')
})

async function rescan(): Promise<{ hashed: number; failed: number }> {
  const hashing = hashUntried(library.deps)
  for (;;) {
    const { done, value } = await hashing.next()
    if (done) return value
  }
}
const states = () =>
  library.deps.db
    .all<{ state: string; hasHash: number }>(
      `SELECT d.derivative_state AS state, f.phash IS NOT NULL AS hasHash
       FROM files f JOIN file_details d ON d.file_rid = f.rid ORDER BY f.rid`,
    )
    .map(({ state, hasHash }) => (hasHash ? `${state}, hashed` : state))
const blobOf = (id: string) =>
  library.deps.db.get<{ blob: string }>(
    'SELECT blob FROM files JOIN file_details ON file_rid = rid WHERE id = ?',
    uuidToBlob(id),
  )!.blob
const addFilms = async (count: number) => {
  for (let film = 0; film < count; film++) {
    assert.equal((await library.upload(token, WEBM, 'film.webm')).status, 201)
  }
}

describe('a file that the system refused to have decoded', () => {
  it('is tried at each rescan, until the system lets it', async () => {
    ffmpeg.answer('no process')
    await addFilms(2)
    assert.deepEqual(states(), ['pending', 'pending'])
    for (const answer of ['no process', 'no file', 'gone'] as const) {
      ffmpeg.answer(answer)
      assert.deepEqual(await rescan(), { hashed: 0, failed: 2 })
      assert.deepEqual(states(), ['pending', 'pending'])
    }
    ffmpeg.answer('frame')
    assert.deepEqual(await rescan(), { hashed: 2, failed: 0 })
    assert.deepEqual(states(), ['made, hashed', 'made, hashed'])
    const finer = '(SELECT count(*) FROM finer_hashes h WHERE h.sha256 = d.sha256) AS finer'
    assert.deepEqual(library.deps.db.all(`SELECT ${finer} FROM file_details d`), [
      { finer: 2 },
      { finer: 2 },
    ])
    assert.deepEqual(await rescan(), { hashed: 0, failed: 0 })
  })

  it('keeps the rescan no longer than a few tries, however many there are', async () => {
    ffmpeg.answer('no process')
    await addFilms(10)
    const before = ffmpeg.runs()
    await rescan()
    // One batch, and one of it again.
    assert.equal(ffmpeg.runs() - before, 8 + 1)
    ffmpeg.answer('frame')
    assert.deepEqual(await rescan(), { hashed: 10, failed: 0 })
  })

  it('has its EXIF and its time read late, where nobody gave another', {
    skip: without('prlimit', '--version'),
  }, async () => {
    const photo = await sharp({
      create: { width: 48, height: 32, channels: 3, background: '#c04020' },
    })
      .withExif({ IFD0: { Make: 'Maker' }, IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
      .jpeg()
      .toBuffer()
    const upload = async (name: string, fields: Record<string, string> = {}) =>
      (await library.upload(token, photo, name, fields)).body
    const { id } = await upload('first.jpg')
    // The second tries of a rescan are for another child, which is to be there, too.
    const path = pathsOf(library.deps).content(blobOf(id))
    await library.deps.decoder.read({ path, mime_type: 'image/jpeg', isSecondTry: true })
    const pids = ['healthy', 'suspects'].map((child) => {
      const isReady = ({ message, fields }: Logged) =>
        message === 'decoder ready' && fields?.child === child
      return String(library.logged.findLast(isReady)!.fields!.pid)
    })
    const limitFiles = (limit: string) => {
      for (const pid of pids) execFileSync('prlimit', ['--pid', pid, `--nofile=${limit}:`])
    }
    const ask = ['--pid', pids[0]!, '--nofile', '-o', 'SOFT', '--noheadings']
    const usual = execFileSync('prlimit', ask).toString().trim()
    limitFiles('3')
    const given = '2020-01-02T03:04:05.000Z'
    const refused = [await upload('a.jpg'), await upload('b.jpg', { content_datetime: given })]
    assert.deepEqual(states(), ['made, hashed', 'pending', 'pending'])
    assert.deepEqual(
      refused.map(({ exif, phash }) => [exif, phash]),
      [
        [{}, null],
        [{}, null],
      ],
    )
    assert.deepEqual(await rescan(), { hashed: 0, failed: 2 })
    assert.deepEqual(states(), ['made, hashed', 'pending', 'pending'])

    limitFiles(usual)
    assert.deepEqual(await rescan(), { hashed: 2, failed: 0 })
    const found = await Promise.all(
      refused.map(async ({ id }) => (await library.call('GET', `/files/${id}`, { token })).body),
    )
    assert.deepEqual(
      found.map(({ exif, content_datetime }) => [exif.Make, content_datetime]),
      [
        ['Maker', '2024-05-06T07:08:09.000Z'],
        ['Maker', given],
      ],
    )
    assert.equal(library.logged.filter((line) => line.message === 'decoder ready').length, 2)
  })
})

describe('a file that can not be read', () => {
  it('is passed over, told of, and tried again by the next rescan', {
    skip: !existsSync(UNREADABLE) && 'needs Linux',
  }, async () => {
    ffmpeg.answer('no process')
    await addFilms(3)
    ffmpeg.answer('frame')
    const { decoder } = library.deps
    const blobs = library.deps.db.all<{ blob: string }>(
      'SELECT blob FROM file_details ORDER BY file_rid',
    )
    const path = pathsOf(library.deps).content(blobs[1]!.blob)
    const failing: typeof decoder = {
      ...decoder,
      derive: async (input) => {
        if (input.path !== path) return decoder.derive(input)
        throw Object.assign(new Error('bad sector'), { code: 'EIO' })
      },
    }
    library.deps.decoder = failing
    rmSync(path)
    symlinkSync(UNREADABLE, path)
    assert.deepEqual(await rescan(), { hashed: 2, failed: 1 })
    assert.deepEqual(states(), ['made, hashed', 'pending', 'made, hashed'])
    const { level, message, fields } = library.logged.findLast((line) => line.level !== 'info')!
    assert.deepEqual(
      { level, message, fields },
      {
        level: 'warn',
        message: 'could not read a content',
        fields: { blob: blobs[1]!.blob, error: 'Error: bad sector' },
      },
    )

    // Where the content can be read, it is the thumbnail that can't be written, as any other.
    rmSync(path)
    writeFileSync(path, WEBM)
    await assert.rejects(rescan(), /bad sector/)
    library.deps.decoder = decoder
    assert.deepEqual(await rescan(), { hashed: 1, failed: 0 })
  })
})

describe('a file that is purged while it is hashed', () => {
  it('leaves no thumbnail behind', async () => {
    ffmpeg.answer('no process')
    await addFilms(1)
    const { id, blob } = library.deps.db.get<{ id: string; blob: string }>(
      'SELECT lower(hex(id)) AS id, blob FROM files JOIN file_details ON file_rid = rid',
    )!
    ffmpeg.answer('waits')
    const hashing = rescan()
    await ffmpeg.waiting()
    const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    for (const path of [`/files/${uuid}`, `/files/${uuid}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
    await ffmpeg.goOn()
    await hashing
    assert.equal(existsSync(pathsOf(library.deps).derivative('thumbnail', blob)), false)
  })
})

describe('a file that takes more than it may', () => {
  it('is tried once more by a rescan, alone, and not again', async () => {
    for (const answer of ['killed', 'no memory'] as const) {
      library.deps.db.run('DELETE FROM files')
      ffmpeg.answer(answer)
      await addFilms(2)
      assert.deepEqual(states(), ['pending', 'pending'])
      assert.deepEqual(await rescan(), { hashed: 0, failed: 2 })
      assert.deepEqual(states(), ['failed', 'failed'])
      const runs = ffmpeg.runs()
      assert.deepEqual(await rescan(), { hashed: 0, failed: 0 })
      assert.equal(ffmpeg.runs(), runs)
    }
  })

  it('is hashed when it does not at the second time', async () => {
    ffmpeg.answer('killed')
    await addFilms(1)
    ffmpeg.answer('frame')
    assert.deepEqual(await rescan(), { hashed: 1, failed: 0 })
    assert.deepEqual(states(), ['made, hashed'])
  })
})
