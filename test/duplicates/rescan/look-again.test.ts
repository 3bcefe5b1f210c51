import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runBackground } from '../../../src/background/run.ts'
import { isOutOfDate } from '../../../src/duplicates/rescan/schedule.ts'
import { NEAR } from '../../../src/duplicates/rescan/second-look.ts'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { randomFiner, turned } from '../../support/duplicates/finer.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { scene } from '../../support/scenes.ts'

const one = randomFiner(randomNumbers(17))

let library: Library
let root: { id: number; token: string }
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: '8' })
  root = await library.join('root', { is_admin: true })
})
after(() => library.close())
beforeEach(() => {
  for (const table of ['files', 'duplicate_scans']) library.deps.db.run(`DELETE FROM ${table}`)
})

describe('files whose finer hashes leave a doubt', () => {
  /** Two copies of a picture and another picture, all with one first hash and far but not too far. */
  async function doubtful() {
    const { db } = library.deps
    const pictures = [await scene(1, 95), await scene(1, 60), await scene(2)]
    const ids: string[] = []
    for (const bytes of pictures) ids.push((await library.upload(root.token, bytes)).body.id)
    const rows = db.all<{ rid: number; blob: string }>(
      'SELECT rid, blob FROM files JOIN file_details ON file_rid = rid ORDER BY rid',
    )
    db.run('UPDATE files SET phash = 0')
    for (const [index, { rid }] of rows.entries()) {
      const hash = turned(one, NEAR, index * NEAR)
      db.run('UPDATE finer_hashes SET hash = ?, is_plain = 0 WHERE file_rid = ?', hash, rid)
    }
    return { ids, rows }
  }
  const clusters = async () => {
    const { body } = await library.call('GET', '/files/duplicates', root)
    return body.items.map((item: { files: { id: string }[] }) => item.files.map((file) => file.id))
  }

  it('are pairs when their thumbnails show the same', async () => {
    const { ids } = await doubtful()
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
  })

  it('are compared though a thumbnail is missing, empty or broken, which is made anew', async () => {
    for (const lose of [
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, ''),
      (path: string) => writeFileSync(path, 'no picture'),
    ]) {
      library.deps.db.run('DELETE FROM files')
      const { ids, rows } = await doubtful()
      const path = library.deps.storage.thumbnailPath(rows[0]!.blob)
      const whole = readFileSync(path)
      lose(path)
      await rescanAll(library)
      assert.deepEqual(await clusters(), [ids.slice(0, 2)])
      assert.deepEqual(readFileSync(path), whole)
    }
  })

  it('are none when a content is lost with its thumbnail', async () => {
    const { rows } = await doubtful()
    const { storage } = library.deps
    rmSync(storage.thumbnailPath(rows[0]!.blob))
    rmSync(storage.pathForDecoder(rows[0]!.blob))
    await rescanAll(library)
    assert.deepEqual(await clusters(), [])
  })

  it('are looked at by the next rescan when the system refuses to', async () => {
    const { ids } = await doubtful()
    const { deps } = library
    await runBackground(deps).over
    const { decoder } = deps
    const refused: boolean[] = []
    deps.decoder = {
      ...decoder,
      async lookAtThumbnail({ isSecondTry = false }) {
        refused.push(isSecondTry)
        return null
      },
    }
    try {
      await rescanAll(library)
    } finally {
      deps.decoder = decoder
    }
    // Each of the pairs asks again for what was refused.
    assert.deepEqual(refused.slice(0, 4), [false, true, false, true])
    assert.deepEqual(await clusters(), [])
    library.time.now += 1000
    assert.equal(isOutOfDate(deps), true)
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
    assert.equal(isOutOfDate(deps), false)
  })

  it('are compared by the thumbnail of another file of their group', async () => {
    const { ids, rows } = await doubtful()
    const { body } = await library.upload(root.token, await scene(1, 95))
    const { db } = library.deps
    db.run('UPDATE files SET phash = 0')
    const copy =
      'UPDATE finer_hashes SET hash = ?, is_plain = 0 WHERE file_rid = (SELECT max(rid) FROM files)'
    db.run(copy, turned(one, NEAR, 0))
    const { storage } = library.deps
    rmSync(storage.thumbnailPath(rows[0]!.blob))
    rmSync(storage.pathForDecoder(rows[0]!.blob))
    await rescanAll(library)
    assert.deepEqual(await clusters(), [[ids[0], ids[1], body.id]])
  })
})
