import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runBackground } from '../../../src/background/run.ts'
import { NEAR } from '../../../src/duplicates/rescan/finer-hashes.ts'
import { whyOutOfDate } from '../../../src/duplicates/rescan/schedule.ts'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { keepFiner, randomFiner, turned } from '../../support/duplicates/finer.ts'
import { addHashedFiles } from '../../support/duplicates/scans.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { scene } from '../../support/scenes.ts'
import { pathsOf } from '../../support/stored-files.ts'

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

describe('files whose finer hashes leave it undecided', () => {
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

  /** Adds files without contents that are undecided with each other, 12 at most. */
  function addDoubtful(count: number): void {
    const { db } = library.deps
    addHashedFiles(db, new Array(count).fill(0n))
    const rows = db.all<{ rid: number }>('SELECT rid FROM files ORDER BY rid')
    for (const [index, { rid }] of rows.entries()) {
      keepFiner(db, rid, { hash: turned(one, NEAR, index * NEAR) })
    }
  }

  /** Rescans while so many looks at a thumbnail are refused; returns whether each was a second try. */
  async function rescanRefused(count = Number.POSITIVE_INFINITY): Promise<boolean[]> {
    const { deps } = library
    const { decoder } = deps
    const tries: boolean[] = []
    deps.decoder = {
      ...decoder,
      async lookAtThumbnail(input) {
        if (tries.length === count) return decoder.lookAtThumbnail(input)
        tries.push(input.isSecondTry ?? false)
        return null
      },
    }
    try {
      await rescanAll(library)
    } finally {
      deps.decoder = decoder
    }
    return tries
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
      const path = pathsOf(library.deps).derivative('thumbnail', rows[0]!.blob)
      const whole = readFileSync(path)
      lose(path)
      await rescanAll(library)
      assert.deepEqual(await clusters(), [ids.slice(0, 2)])
      assert.deepEqual(readFileSync(path), whole)
    }
  })

  it('are looked at both at a time, but decoded one after the other', async () => {
    const { deps } = library
    const { decoder } = deps
    for (const { blob } of (await doubtful()).rows)
      rmSync(pathsOf(library.deps).derivative('thumbnail', blob))
    const most = { looks: 0, contents: 0 }
    const counted = <Args extends unknown[], Result>(
      kind: keyof typeof most,
      work: (...args: Args) => Promise<Result>,
    ) => {
      let running = 0
      return (...args: Args): Promise<Result> => {
        most[kind] = Math.max(most[kind], ++running)
        return work(...args).finally(() => running--)
      }
    }
    deps.decoder = {
      ...decoder,
      lookAtThumbnail: counted('looks', decoder.lookAtThumbnail),
      derive: counted('contents', decoder.derive),
    }
    try {
      await rescanAll(library)
    } finally {
      deps.decoder = decoder
    }
    assert.deepEqual(most, { looks: 2, contents: 1 })
  })

  it('are none when a content is lost with its thumbnail', async () => {
    const { rows } = await doubtful()
    rmSync(pathsOf(library.deps).derivative('thumbnail', rows[0]!.blob))
    rmSync(pathsOf(library.deps).content(rows[0]!.blob))
    await rescanAll(library)
    assert.deepEqual(await clusters(), [])
  })

  it('are looked at by the next rescan when a thumbnail can be made in no way now', async () => {
    const { ids, rows } = await doubtful()
    const { deps, logged } = library
    await runBackground(deps).over
    library.time.now += 1000
    const path = pathsOf(deps).derivative('thumbnail', rows[2]!.blob)
    rmSync(path)
    // No file can take the place of a folder.
    mkdirSync(path)
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
    const told = logged.filter((line) => line.message === 'could not look at a content')
    assert.deepEqual(
      told.map((line) => line.fields?.blob),
      [rows[2]!.blob],
    )
    assert.equal(whyOutOfDate(deps), 'unfinished')
    rmdirSync(path)
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
    assert.equal(whyOutOfDate(deps), null)
  })

  it('are looked at by the next rescan when the system refuses to', async () => {
    const { ids } = await doubtful()
    const { deps } = library
    await runBackground(deps).over
    library.time.now += 1000
    const refused = await rescanRefused()
    // Each once, with its second try.
    assert.deepEqual(refused.sort(), [false, false, false, true, true, true])
    assert.deepEqual(await clusters(), [])
    assert.equal(whyOutOfDate(deps), 'unfinished')
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(0, 2)])
    assert.equal(whyOutOfDate(deps), null)
  })

  it('are looked at when the system refuses for a moment alone', async () => {
    addDoubtful(9)
    const { ids } = await doubtful()
    assert.equal((await rescanRefused(2 * 8)).length, 2 * 8)
    assert.deepEqual(await clusters(), [ids.slice(-3, -1)])
  })

  it('are left when the system refuses for seconds to look at 8 files in a row', async () => {
    addDoubtful(12)
    const { length } = await rescanRefused()
    // Two at a time, each with its second try; and all that after each of two pauses.
    assert.ok(length >= 3 * 2 * 8 && length <= 3 * 2 * 9, `${length} tries`)
    const told = library.logged.find((line) => line.message.startsWith('the system refuses'))
    assert.ok(Number(told?.fields?.leftOut) > 0)
  })

  it('are looked at, however many before them can not be seen', async () => {
    addDoubtful(10)
    const { ids } = await doubtful()
    await rescanAll(library)
    assert.deepEqual(await clusters(), [ids.slice(-3, -1)])
  })

  it('are compared by the thumbnail of another file of their group', async () => {
    const { ids, rows } = await doubtful()
    const { body } = await library.upload(root.token, await scene(1, 95))
    const { db } = library.deps
    db.run('UPDATE files SET phash = 0')
    const copy =
      'UPDATE finer_hashes SET hash = ?, is_plain = 0 WHERE file_rid = (SELECT max(rid) FROM files)'
    db.run(copy, turned(one, NEAR, 0))
    rmSync(pathsOf(library.deps).derivative('thumbnail', rows[0]!.blob))
    rmSync(pathsOf(library.deps).content(rows[0]!.blob))
    await rescanAll(library)
    assert.deepEqual(await clusters(), [[ids[0], ids[1], body.id]])
  })
})
