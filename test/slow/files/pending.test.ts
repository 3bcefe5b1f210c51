import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { runBackground } from '../../../src/background/run.ts'
import { openDatabase } from '../../../src/db/client.ts'
import { derivativeKey, makerOf } from '../../../src/files/content/makers.ts'
import { eventually } from '../../support/eventually.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { hashOf } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'
import { pathsOf } from '../../support/stored-files.ts'

/** Keeps what is made later from being heard of; `made` is when it is there. */
function holdBack({ deps: { decoder } }: Library) {
  const { deriveInTime } = decoder
  const held = { made: Promise.resolve<unknown>(null), release: () => {} }
  const released = new Promise<void>((resolve) => {
    held.release = resolve
  })
  decoder.deriveInTime = async (input) => {
    const { derivatives, later } = await deriveInTime(input)
    assert.ok(later)
    held.made = later
    return { derivatives, later: released.then(() => later) }
  }
  return held
}

/** When the server is killed, and whether the thumbnail is on the disk then. */
const KILLS = { 'before its thumbnail is there': false, 'when its thumbnail is there': true }

for (const [when, hasThumbnail] of Object.entries(KILLS)) {
  it(`a picture that follows an upload is made after the next start if a kill comes ${when}`, async () => {
    const library = await openLibrary({}, { wait: async () => {} })
    const copy = mkdtempSync(join(tmpdir(), 'tagstead-'))
    const { db } = library.deps
    try {
      // Nothing is left to do but what the upload leaves.
      await runBackground(library.deps).over
      const held = holdBack(library)
      const { token } = await library.join('ann', { can_create: true })
      const bytes = await picture(1)
      const { body } = await library.upload(token, bytes)
      assert.equal(body.phash, null)
      await held.made
      cpSync(library.folder, copy, { recursive: true })
      const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details')!
      const thumbnail = pathsOf(library.deps)
        .derivative('thumbnail', blob)
        .replace(library.folder, copy)
      if (!hasThumbnail) rmSync(thumbnail)

      const copied = openDatabase(join(copy, 'tagstead.sqlite'))
      const known = () =>
        copied.get<{ state: string; phash: string | null; hashes: number; looks: number }>(
          `SELECT d.derivative_state AS state, CAST(f.phash AS TEXT) AS phash,
           (SELECT count(*) FROM finer_hashes) AS hashes,
           (SELECT count(thumbhash) FROM file_looks) AS looks
           FROM files f JOIN file_details d ON d.file_rid = f.rid`,
        )!
      const server = await spawnServer({ dataDir: copy, env: { FFMPEG_PATH: '' } })
      try {
        assert.deepEqual({ ...known() }, { state: 'pending', phash: null, hashes: 0, looks: 0 })
        await eventually(() => known().state !== 'pending')
        const phash = await hashOf(Buffer.from(bytes))
        assert.deepEqual({ ...known() }, { state: 'made', phash, hashes: 1, looks: 1 })
        assert.ok(existsSync(thumbnail))
      } finally {
        await server.stop()
        copied.close()
      }
      held.release()
      await makerOf(derivativeKey('thumbnail', blob))
    } finally {
      await library.close()
      rmSync(copy, { recursive: true })
    }
  })
}
