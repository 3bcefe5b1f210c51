import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { listContents } from '../../../src/files/content/content-queries.ts'
import { createActivity } from '../../../src/http/clients/activity.ts'
import { findScrub } from '../../../src/keep/scrub/queries.ts'
import { damageOf, readContents } from '../../../src/keep/scrub/read-contents.ts'
import { type Reader, startReader } from '../../../src/keep/scrub/reader.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { contentsIn } from '../../support/scrubbing.ts'

const { signal } = new AbortController()

describe('contents that are read again', () => {
  let library: Library
  let reader: Reader
  let ann: { id: number; token: string }
  let contents: ReturnType<typeof contentsIn>
  beforeEach(async () => {
    library = await openLibrary()
    ann = await library.join('Ann', { is_admin: true })
    contents = contentsIn(library.folder)
    reader = await startReader(
      library.folder,
      createActivity(async () => {}),
      signal,
    )
  })
  afterEach(async () => {
    reader.end()
    await library.close()
  })

  /** Uploads pictures and returns them, with their blobs. */
  const upload = async (count: number) => {
    const files: { id: string; blob: string; bytes: Uint8Array }[] = []
    for (let n = 0; n < count; n++) {
      const bytes = await picture(n)
      const { id } = (await library.upload(ann.token, bytes, `${n}.jpg`)).body
      const { blob } = library.deps.db.get<{ blob: string }>(
        'SELECT blob FROM file_details ORDER BY file_rid DESC LIMIT 1',
      )!
      files.push({ id, blob, bytes })
    }
    return files
  }
  const look = (options: { place?: string } = {}) =>
    readContents(library.deps, reader, {
      contents: listContents(library.deps.db, { after: '', limit: 100 }),
      signal,
      ...options,
    })
  const damages = () =>
    Object.fromEntries(
      library.deps.db
        .all<{ blob: string; what: string }>('SELECT blob, what FROM damages')
        .map(({ blob, what }) => [blob, what]),
    )
  const audited = () => library.audit().filter(({ action }) => action === 'content_damaged')
  /** Has something happen in the pause before a content is read for another time, counted from 2. */
  const before = (read: number, happens: () => unknown) => {
    let reads = 1
    library.deps.wait = async (ms) => {
      assert.equal(ms, 1000)
      if (++reads === read) await happens()
    }
  }

  it('are judged by what was read of them', () => {
    const content = { blob: 'aa', size: 3, sha256: '00' }
    assert.equal(damageOf(content, { size: 3, sha256: '00' }), null)
    assert.equal(damageOf(content, { size: 3, sha256: '01' }), 'sha256')
    assert.equal(damageOf(content, { size: 2, sha256: '01' }), 'size')
    assert.equal(damageOf(content, { size: 3, sha256: null }), null)
    assert.equal(damageOf(content, { size: 2, sha256: null }), 'size')
    assert.equal(damageOf(content, { code: 'ENOENT' }), 'missing')
    assert.equal(damageOf(content, { code: 'EIO' }), 'unreadable')
    assert.equal(damageOf(content, { code: 'ESTALE' }), 'unreadable')
  })

  it('are no findings when they are as they were stored', async () => {
    await upload(3)
    await look()
    assert.deepEqual([damages(), audited(), library.waits], [{}, [], []])
  })

  it('are found, audited once, and cleared when they are well again', async () => {
    const [flipped, shorter, gone, unreadable] = await upload(5)
    contents.flip(flipped!.blob)
    contents.truncate(shorter!.blob)
    contents.remove(gone!.blob)
    // Root may read any file, but nobody a folder.
    contents.remove(unreadable!.blob)
    mkdirSync(contents.path(unreadable!.blob))
    const expected = {
      [flipped!.blob]: 'sha256',
      [shorter!.blob]: 'size',
      [gone!.blob]: 'missing',
      [unreadable!.blob]: 'unreadable',
    }
    await look()
    assert.deepEqual(damages(), expected)
    // Between three reads there are two pauses.
    assert.deepEqual(library.waits, [1000, 1000])
    const { sha256 } = listContents(library.deps.db, { after: '', limit: 100 }).find(
      ({ blob }) => blob === flipped!.blob,
    )!
    const entries = audited()
    assert.equal(entries.length, Object.keys(expected).length)
    const entry = entries.find(({ details }) => details.sha256 === sha256)
    const size = flipped!.bytes.length
    assert.deepEqual(entry, {
      user_id: 0,
      user_name: 'system',
      action: 'content_damaged',
      details: { original_name: '0.jpg', what: 'sha256', size, sha256 },
    })
    assert.equal((await library.call('GET', '/status', ann)).body.damaged, entries.length)
    const history = await library.call('GET', `/files/${flipped!.id}/history`, ann)
    assert.equal(history.body.items[0].action, 'content_damaged')

    // It is worse now, and known already.
    contents.remove(flipped!.blob)
    await look()
    assert.deepEqual(damages(), { ...expected, [flipped!.blob]: 'missing' })
    assert.equal(audited().length, entries.length)

    for (const { blob, bytes } of [flipped!, shorter!, gone!, unreadable!])
      contents.restore(blob, bytes)
    await look()
    assert.deepEqual(damages(), {})
    assert.equal((await library.call('GET', '/status', ann)).body.damaged, 0)
    assert.equal(audited().length, entries.length)
  })

  it('are never undone', async () => {
    const [file] = await upload(2)
    contents.flip(file!.blob)
    await look()
    const { operation } = library.deps.db.get<{ operation: number }>(
      "SELECT operation FROM audit_log WHERE action = 'content_damaged'",
    )!
    const { body } = await library.call('POST', `/operations/${operation}/undo`, ann)
    assert.deepEqual(
      [body.operation, body.kept.map(({ reason }: { reason: string }) => reason)],
      [null, ['not_undoable']],
    )
  })

  for (const read of [2, 3]) {
    it(`are no findings when they are well at read ${read}`, async () => {
      const [file] = await upload(2)
      contents.flip(file!.blob)
      before(read, () => contents.restore(file!.blob, file!.bytes))
      await look()
      assert.deepEqual([damages(), audited()], [{}, []])
    })
  }

  it('are no findings when they are purged or replaced meanwhile', async () => {
    const [purged, replaced, flipped] = await upload(5)
    for (const { blob } of [purged!, replaced!, flipped!]) contents.flip(blob)
    before(3, async () => {
      await library.call('DELETE', `/files/${purged!.id}`, ann)
      await library.call('DELETE', `/files/${purged!.id}/permanent`, ann)
      const body = form(await picture(9), '9.jpg')
      const put = await library.call('PUT', `/files/${replaced!.id}/content`, { ...ann, body })
      assert.equal(put.status, 200)
    })
    await look()
    assert.deepEqual(damages(), { [flipped!.blob]: 'sha256' })
    assert.equal(audited().length, 1)
  })

  it('are forgotten when they are purged or replaced later', async () => {
    const [purged, replaced] = await upload(4)
    for (const { blob } of [purged!, replaced!]) contents.flip(blob)
    await look()
    assert.equal(Object.keys(damages()).length, 2)
    const body = form(await picture(9), '9.jpg')
    await library.call('PUT', `/files/${replaced!.id}/content`, { ...ann, body })
    assert.deepEqual(Object.keys(damages()), [purged!.blob])
    await library.call('DELETE', `/files/${purged!.id}`, ann)
    assert.deepEqual(Object.keys(damages()), [purged!.blob])
    await library.call('DELETE', `/files/${purged!.id}/permanent`, ann)
    assert.deepEqual(damages(), {})
  })

  it('are no findings when their disk is not there, and the place stays', async () => {
    const files = await upload(3)
    const folder = dataFolder(library.folder).contents
    renameSync(folder, `${folder} elsewhere`)
    await assert.rejects(
      look({ place: 'ff' }),
      /Hardly any content is in .*: is it the right place/,
    )
    assert.deepEqual([damages(), audited(), findScrub(library.deps.db)], [{}, [], undefined])
    renameSync(`${folder} elsewhere`, folder)
    // Most of them, but not all.
    for (const { blob } of files.slice(1)) contents.remove(blob)
    await look()
    assert.deepEqual(Object.values(damages()), ['missing', 'missing'])
    assert.deepEqual(readFileSync(contents.path(files[0]!.blob)), Buffer.from(files[0]!.bytes))
  })
})
