import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parseConfig } from '../../../src/base/config.ts'
import { createLog } from '../../../src/base/log.ts'
import { recordPlaces, withPlaces } from '../../../src/files/content/places.ts'
import { requireStore } from '../../../src/files/content/store-marker.ts'
import { findPlaces } from '../../../src/files/content/store-queries.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'

describe('the places of contents', () => {
  let library: Library
  let store: SmallS3
  before(async () => {
    store = await openSmallS3()
    library = await openLibrary({ CONTENTS: 'local' })
    const { token } = await library.join('Ann', { is_admin: true })
    await library.upload(token, await picture(1))
  })
  after(async () => {
    await library.close()
    await store.close()
  })

  const db = () => library.deps.db
  const recorded = () => Object.values(findPlaces(db()))
  const config = (settings: Record<string, string>) =>
    parseConfig({ DATA_DIR: library.folder, ...settings })
  const start = async (settings: Record<string, string>) =>
    (await recordPlaces(db(), config(settings), createLog('silent'))).config
  const STORE = 's3://family/photos'

  it('are what the first server finds, which may be another than its settings say', async () => {
    assert.deepEqual(recorded(), [null, null])
    assert.equal(withPlaces(db(), config(store.env)).oldPlace, null)
    const placed = await start(store.env)
    assert.deepEqual(placed.oldPlace, { store: null })
    assert.deepEqual(recorded(), [STORE, 'local'])
    assert.deepEqual([...store.objects.keys()], ['photos/files/.library'])
  })

  it('change places when a server starts with the other, and only then', async () => {
    assert.deepEqual((await start(store.env)).oldPlace, { store: null })
    assert.throws(
      () => withPlaces(db(), config({})),
      /^Error: The contents are in s3:\/\/family\/photos, and CONTENTS is local: give this command CONTENTS=s3/,
    )
    await assert.rejects(start({}), /S3_ENDPOINT and the settings of its key must stay/)
    const { CONTENTS: _, ...access } = store.env
    assert.deepEqual((await start(access)).oldPlace, { store: store.settings })
    assert.deepEqual(recorded(), ['local', STORE])
    assert.deepEqual(withPlaces(db(), config(access)).oldPlace, { store: store.settings })
  })

  it('are two at most, and not two stores', async () => {
    const other = { ...store.env, CONTENTS: 's3://family/other' }
    await assert.rejects(start(other), /while contents are moved from s3:\/\/family\/photos/)
    db().run("UPDATE library SET place = 's3://family/photos', old_place = NULL")
    await assert.rejects(start(other), /can't be moved from the store .* but to local/)
    assert.deepEqual(recorded(), [STORE, null])
    assert.deepEqual([...store.objects.keys()], ['photos/files/.library'])
  })

  it('are not that of another library, nor one that does not answer', async () => {
    db().run("UPDATE library SET place = 'local', old_place = NULL")
    const object = store.objects.get('photos/files/.library')!
    const { bytes } = object
    object.bytes = Buffer.from('ab'.repeat(16))
    await assert.rejects(start(store.env), /files: It has the contents of another library/)
    store.trouble = () => 503
    await assert.rejects(start(store.env), { code: 'busy' })
    assert.deepEqual(recorded(), ['local', null])
    store.trouble = () => undefined
    object.bytes = bytes
    await start(store.env)
    store.trouble = () => 503
    await start(store.env)
    store.trouble = () => undefined
  })

  it('need the mark of both, so that an absent disk is not taken for an empty one', async () => {
    const { storeMarker, contents } = dataFolder(library.folder)
    const away = join(library.folder, 'away')
    renameSync(contents, away)
    mkdirSync(contents)
    await assert.rejects(start(store.env), /none of the contents: is its disk mounted\?/)
    writeFileSync(storeMarker, `${'cd'.repeat(16)}\n`)
    await assert.rejects(start(store.env), /the contents of another library/)
    rmSync(contents, { recursive: true })
    renameSync(away, contents)
    await start(store.env)
  })
})

it('a store that goes away before it is marked is asked again before it is used', async () => {
  const [library, store] = [await openLibrary({ CONTENTS: 'local' }), await openSmallS3()]
  try {
    const { db, log } = library.deps
    const where = { dataDir: library.folder, store: store.settings }
    store.trouble = ({ method }) => (method === 'PUT' ? 503 : undefined)
    assert.equal(await requireStore(db, where, log), false)
    store.trouble = ({ method }) => (method === 'PUT' ? 403 : undefined)
    await assert.rejects(requireStore(db, where, log), /answered 403/)
    store.trouble = () => undefined
    assert.equal(await requireStore(db, where, log), true)
    assert.deepEqual([...store.objects.keys()], ['photos/files/.library'])
  } finally {
    await library.close()
    await store.close()
  }
})

it('a store is refused when another library marks it in the same moment', async () => {
  const [library, store] = [await openLibrary({ CONTENTS: 'local' }), await openSmallS3()]
  try {
    const { db, log } = library.deps
    const [key, other] = ['photos/files/.library', 'ab'.repeat(16)]
    const mark = { bytes: Buffer.from(other), etag: '', sha256: undefined }
    store.trouble = ({ method }) => void (method === 'PUT' && store.objects.set(key, mark))
    const where = { dataDir: library.folder, store: store.settings }
    await assert.rejects(requireStore(db, where, log), /photos\/files: Another library has marked/)
    assert.equal(store.objects.get(key)!.bytes.toString(), other)
  } finally {
    await library.close()
    await store.close()
  }
})
