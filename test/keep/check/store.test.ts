import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, it } from 'node:test'
import { acquireLock } from '../../../src/db/lock.ts'
import { adoptStore } from '../../../src/files/content/store-marker.ts'
import { checkLibrary } from '../../../src/keep/check/check.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { blobOf } from '../../support/files.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'

let library: Library
let token: string
before(async () => {
  library = await openLibrary({ CONTENTS: 's3', DISK_RESERVE: '0' })
  token = (await library.join('Ann', { is_admin: true })).token
})
after(() => library.close())

const kinds = async (
  read: 'all' | 'none',
  { config = library.deps.config, repair = false } = {},
) => {
  const found: string[] = []
  const { signal } = new AbortController()
  for await (const event of checkLibrary({ ...library.deps, config }, { read, repair, signal })) {
    if (event.type === 'finding' && /^(content_|unchecked)/.test(event.kind)) found.push(event.kind)
  }
  return found
}

it('a check of contents in a store lists them, and reads them when asked', async () => {
  const objects = library.store!.objects
  const upload = async (seed: number) => {
    const { id } = (await library.upload(token, await picture(seed))).body
    const blob = blobOf(library.deps.db, id)
    return [...objects.keys()].find((key) => key.endsWith(blob))!
  }
  const [damaged, cut, missing] = [await upload(1), await upload(2), await upload(3)]
  assert.deepEqual(await kinds('all'), [])
  const bytes = Buffer.from(objects.get(damaged)!.bytes)
  bytes[bytes.length >> 1]! ^= 1
  objects.get(damaged)!.bytes = bytes
  objects.get(cut)!.bytes = objects.get(cut)!.bytes.subarray(1)
  objects.delete(missing)
  const asked = library.store!.asked.length
  assert.deepEqual(await kinds('none'), ['content_size', 'content_missing'])
  const reads = library.store!.asked.slice(asked).filter(({ headers }) => headers.range)
  // The mark alone is read.
  assert.equal(reads.length, 1)
  assert.deepEqual(await kinds('all'), ['content_damaged', 'content_size', 'content_missing'])
})

it('a check tells objects that no file has, beside a server those it has known for an hour', async () => {
  const { objects } = library.store!
  const [object] = objects.values()
  const before = await kinds('none')
  const blob = 'ab00112233445566778899aabbccddee'
  objects.set(`photos/files/ab/${blob}`, object!)
  const server = acquireLock(dataFolder(library.folder).serverLock, '')
  assert.deepEqual(await kinds('none'), before)
  library.time.now += 60 * 60_000
  assert.deepEqual(await kinds('none'), ['content_unknown', ...before])
  server.release()
  objects.delete(`photos/files/ab/${blob}`)
  assert.deepEqual(await kinds('none'), before)
  objects.set(`photos/files/ab/${blob}`, object!)
  assert.deepEqual(await kinds('none'), ['content_unknown', ...before])
})

it('a check ends when the store goes away, and takes nothing for damaged then', async () => {
  const { store } = library
  store!.trouble = ({ key, headers }) =>
    /files\/..\//.test(key) && headers.range !== undefined ? 503 : undefined
  assert.deepEqual(
    (await kinds('all')).filter((kind) => kind !== 'content_unknown'),
    ['unchecked'],
  )
  store!.trouble = () => undefined
})

it('a check names an unknown file once while contents are moved, and moves it away', async () => {
  const config = { ...library.deps.config, oldPlace: { store: null } }
  await adoptStore(library.deps.db, config)
  const before = await kinds('none', { config })
  const blob = 'cd00112233445566778899aabbccddee'
  const path = dataFolder(library.folder).content(blob)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'anything')
  const there = await kinds('none', { config })
  assert.deepEqual(there, ['content_unknown', ...before])
  assert.deepEqual(await kinds('none', { config, repair: true }), there)
  assert.deepEqual([existsSync(path), await kinds('none', { config })], [false, before])
})
