import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { runBackground } from '../../src/background/run.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { WEBM } from '../support/media/fake-ffmpeg.ts'
import { without } from '../support/media/media.ts'
import { assertLike, eachWithOldLibrary, pictureOf } from '../support/old-library.ts'
import { pathsOf } from '../support/stored-files.ts'
import { describe, it } from '../support/test.ts'

const old = eachWithOldLibrary()
const {
  upload,
  get,
  progress,
  forget,
  blobOf,
  thumbnailOf,
  watchDecoder,
  refuse,
  whenLookedAt,
  addFiles,
} = old

/** Opens, but every read of its beginning fails with EIO. */
const UNREADABLE = '/proc/self/mem'

/** Has looking at a file fail once, with an error of that code. */
function failAt(id: string, code: string): void {
  const { decoder } = old.library.deps
  const path = pathsOf(old.library.deps).content(blobOf(id))
  let isFirst = true
  old.library.deps.decoder = {
    ...decoder,
    look: async (input) => {
      if (input.path !== path || !isFirst) return decoder.look(input)
      isFirst = false
      throw Object.assign(new Error(blobOf(id)), { code })
    },
  }
}

/** Returns the errors that the background has logged of contents. */
function told(): unknown[] {
  const lines = old.library.logged.filter((line) => line.message === 'could not look at a content')
  return lines.map((line) => line.fields?.error)
}

describe('what the background can not read, or not now', () => {
  it('knows nothing of what can not be decoded or is lost, and is done with it', async () => {
    const broken = await upload(Buffer.from('\xff\xd8\xff and nothing more', 'latin1'))
    const lost = await upload(await pictureOf(60, 40))
    rmSync(pathsOf(old.library.deps).content(blobOf(lost.id)))
    const damaged = await upload(await pictureOf(50, 40))
    writeFileSync(pathsOf(old.library.deps).content(blobOf(damaged.id)), 'no picture')
    rmSync(thumbnailOf(damaged.id))
    forget()
    const asked = watchDecoder()
    await runBackground(old.library.deps).over
    for (const { id } of [broken, lost, damaged]) {
      const { width, height, duration, thumbhash } = await get(id)
      assert.deepEqual([width, height, duration, thumbhash], [null, null, null, null])
    }
    // What this version has failed on is not even looked at.
    assert.ok(!asked.some((job) => job.endsWith(blobOf(broken.id))))
    const count = asked.length
    await runBackground(old.library.deps).over
    assert.equal(asked.length, count)

    // Another version tries these again, and no others.
    const whole = await upload(await pictureOf(70, 40))
    const { decoder } = old.library.deps
    old.library.deps.decoder = { ...decoder, version: `${decoder.version}-and-later` }
    await runBackground(old.library.deps).over
    const tried = new Set(asked.slice(count).map((job) => job.slice(-32)))
    assert.deepEqual(tried, new Set([broken, lost, damaged].map(({ id }) => blobOf(id))))
    assert.deepEqual(await get(whole.id), whole)
  })

  it('is done with a film whose container hangs, and does not try it again', {
    skip: without('mkfifo', '--version'),
  }, async () => {
    await old.close()
    await old.open({ timeLimit: 500 })
    const film = await upload(WEBM, 'film.webm')
    // On a slow machine, the upload may have taken too long.
    const { db, decoder } = old.library.deps
    const failed = "UPDATE file_details SET derivative_state = 'failed', decoder_version = ?"
    db.run(failed, decoder.version)
    const path = pathsOf(old.library.deps).content(blobOf(film.id))
    rmSync(path)
    // Nobody writes to it, so that whoever reads it waits for ever.
    execFileSync('mkfifo', [path])
    forget()
    await runBackground(old.library.deps).over
    assert.equal(await progress(), null)
    const asked = watchDecoder()
    await runBackground(old.library.deps).over
    assert.deepEqual(asked, [])
  })

  it('goes on behind what the disk can not read, and tries that at the next start', {
    skip: !existsSync(UNREADABLE) && 'needs Linux',
  }, async () => {
    const whole = await upload(await pictureOf(60, 40))
    const damaged = await upload(await pictureOf(50, 40))
    forget()
    const path = pathsOf(old.library.deps).content(blobOf(damaged.id))
    renameSync(path, `${path}.whole`)
    symlinkSync(UNREADABLE, path)
    failAt(damaged.id, 'EIO')
    await runBackground(old.library.deps).over
    assert.equal((await get(damaged.id)).thumbhash, null)
    assertLike(await get(whole.id), whole)
    assert.equal(await progress(), null)
    assert.ok(!old.library.waits.includes(10 * 60_000))
    assert.deepEqual(told(), [`Error: ${blobOf(damaged.id)}`])
    renameSync(`${path}.whole`, path)
    await runBackground(old.library.deps).over
    assertLike(await get(damaged.id), damaged)
  })

  for (const code of ['EACCES', 'EPERM']) {
    it(`goes on behind what it may not read, as ${code} says, until the next start`, async () => {
      const whole = await upload(await pictureOf(60, 40))
      const locked = await upload(await pictureOf(50, 40))
      forget()
      failAt(locked.id, code)
      // Whoever runs this may be root, who may read everything.
      const { storage } = old.library.deps
      const blob = blobOf(locked.id)
      old.library.deps.storage = {
        ...storage,
        readStart: async (other) => {
          if (other === blob) throw Object.assign(new Error(blob), { code })
          return storage.readStart(other)
        },
      }
      await runBackground(old.library.deps).over
      assert.equal((await get(locked.id)).thumbhash, null)
      assertLike(await get(whole.id), whole)
      assert.ok(!old.library.waits.includes(10 * 60_000))
      assert.deepEqual(told(), [`Error: ${blob}`])
      old.library.deps.storage = storage
      await runBackground(old.library.deps).over
      assertLike(await get(locked.id), locked)
    })
  }

  it('takes no content for lost while its disk is absent and nothing is stored in its place', async () => {
    const files: { id: string }[] = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    const { contents } = dataFolder(old.library.folder)
    renameSync(contents, `${contents}-elsewhere`)
    // As a start makes it.
    mkdirSync(contents)
    await runBackground(old.library.deps).over
    assert.equal(await progress(), null)
    assert.ok(!old.library.waits.includes(10 * 60_000))
    rmdirSync(contents)
    renameSync(`${contents}-elsewhere`, contents)
    await runBackground(old.library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
    assert.deepEqual(old.library.deps.db.all('SELECT * FROM owed_work'), [])
  })

  it('takes no error for that of a content that can be read', async () => {
    const files: { id: string }[] = []
    for (const n of [1, 2, 3, 4]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    for (const [n, code] of ['EIO', 'EACCES', 'ENOENT'].entries()) failAt(files[n]!.id, code)
    await runBackground(old.library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
    assert.deepEqual(
      told(),
      [2, 1, 0].map((n) => `Error: ${blobOf(files[n]!.id)}`),
    )
  })

  it('leaves no thumbnail of a file that is purged while it is made', async () => {
    const file = await upload(await pictureOf(60, 40))
    const thumbnail = thumbnailOf(file.id)
    rmSync(thumbnail)
    forget()
    const { decoder } = old.library.deps
    old.library.deps.decoder = {
      ...decoder,
      derive: async (input) => {
        const made = await decoder.derive(input)
        // As if it came to its place behind the purge, which removes what is there.
        const bytes = readFileSync(thumbnail)
        for (const path of [`/files/${file.id}`, `/files/${file.id}/permanent`]) {
          assert.equal((await old.library.call('DELETE', path, old.ann)).status, 204)
        }
        writeFileSync(thumbnail, bytes)
        return made
      },
    }
    await runBackground(old.library.deps).over
    assert.equal(existsSync(thumbnail), false)
  })

  it('leaves what the system refuses for later, and is not over before', async () => {
    const file = await upload(await pictureOf(60, 40))
    forget()
    const { decoder } = old.library.deps
    let tries = 0
    const refused = new Promise<void>((resolve) => {
      old.library.deps.decoder = {
        ...decoder,
        look: async () => {
          if (++tries === 1) setImmediate(resolve)
          return null
        },
      }
    })
    const background = runBackground(old.library.deps)
    await refused
    await background.stop()
    assert.deepEqual(await progress(), { looked_at: 0, total: 1 })
    old.library.deps.decoder = decoder
    await runBackground(old.library.deps).over
    assertLike(await get(file.id), file)
  })

  it('comes back after a pause to what the system refused once', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    refuse(files[1].id, 2)
    const begun = old.library.waits.length
    await runBackground(old.library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
    assert.deepEqual(
      old.library.waits.slice(begun).filter((ms) => ms !== 2000),
      [10 * 60_000],
    )
    assert.equal(await progress(), null)
  })

  it('comes back to what it was refused before a restart', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    refuse(files[2].id, 2)
    const middle = whenLookedAt(files[1].id)
    const { stop } = runBackground(old.library.deps)
    await middle
    await stop()
    assert.deepEqual(await progress(), { looked_at: 1, total: 3 })
    assert.equal((await get(files[2].id)).width, null)
    await runBackground(old.library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
  })

  it('passes over what the system always refuses, though it refuses nothing else', async () => {
    const file = await upload(await pictureOf(60, 40))
    addFiles(2000)
    const newest = await upload(await pictureOf(50, 40))
    old.library.deps.db.run('DELETE FROM file_looks WHERE thumbhash IS NOT zeroblob(1)')
    refuse(newest.id, Number.POSITIVE_INFINITY)
    const reached = whenLookedAt(file.id)
    const { stop } = runBackground(old.library.deps)
    await reached
    await stop()
    assert.equal((await get(newest.id)).width, null)
  })
})
