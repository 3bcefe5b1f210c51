import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { FAR } from '../../../src/duplicates/rescan/finer-hashes.ts'
import { rescan } from '../../../src/duplicates/rescan/rescan.ts'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { randomFiner, turned } from '../../support/duplicates/finer.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { form, type Library, openLibrary } from '../../support/harness.ts'
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

describe('a file that gets another content while a rescan runs', () => {
  async function uploadScenes(scenes: [number, quality: number][]): Promise<string[]> {
    const ids: string[] = []
    for (const [number, quality] of scenes) {
      ids.push((await library.upload(root.token, await scene(number, quality))).body.id)
    }
    return ids
  }
  async function replace(id: string, bytes: Uint8Array): Promise<void> {
    const body = form(bytes, 'other.jpg')
    const { status } = await library.call('PUT', `/files/${id}/content`, { ...root, body })
    assert.equal(status, 200)
  }
  /** Rescans, and does something at the first progress of a stage. */
  async function rescanWith(stage: 'hash' | 'search', change: () => Promise<void>): Promise<void> {
    let isDone = false
    for await (const event of rescan(library.deps, { id: root.id, name: 'root' })) {
      if (event.type !== 'progress' || event.stage !== stage || isDone) continue
      await change()
      isDone = true
    }
    assert.ok(isDone)
  }
  const clusters = async () => {
    const { body } = await library.call('GET', '/files/duplicates', root)
    return body.items.map((item: { files: { id: string }[] }) => item.files.map((file) => file.id))
  }

  it('is no duplicate by what it was', async () => {
    const bytes = await scene(3)
    const ids = await uploadScenes([
      [3, 95],
      [3, 90],
    ])
    await rescanWith('search', () => replace(ids[0]!, bytes))
    assert.deepEqual(await clusters(), [])
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids])
  })

  it('is one by what it is when the hashes were read after that', async () => {
    const ids = await uploadScenes([
      [3, 95],
      [4, 90],
      [5, 90],
    ])
    const untried = "UPDATE file_details SET derivative_state = 'pending' WHERE file_rid = "
    library.deps.db.run(`${untried} (SELECT max(rid) FROM files)`)
    const copy = await scene(3, 90)
    await rescanWith('hash', () => replace(ids[1]!, copy))
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
  })

  it('does not stand for the others of its group, though it has their first hash', async () => {
    const { db } = library.deps
    const ids = await uploadScenes([
      [3, 95],
      [3, 90],
      [4, 95],
    ])
    const rids = db.all<{ rid: number }>('SELECT rid FROM files ORDER BY rid')
    for (const [index, hash] of [one, one, turned(one, FAR)].entries()) {
      const { rid } = rids[index]!
      db.run('UPDATE finer_hashes SET hash = ?, is_plain = 0 WHERE file_rid = ?', hash, rid)
    }
    db.run('UPDATE files SET phash = 0')
    const copy = await scene(4, 90)
    await rescanWith('search', async () => {
      await replace(ids[0]!, copy)
      db.run('UPDATE files SET phash = 0')
      // The finer hashes, too, may have been read before.
      const hash = 'UPDATE finer_hashes SET hash = ? WHERE file_rid = ?'
      db.run(hash, one, rids[0]!.rid)
    })
    assert.deepEqual(await clusters(), [])
  })
})
