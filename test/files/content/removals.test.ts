import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { acquireLock, isLocked } from '../../../src/db/lock.ts'
import { scheduleRemovals } from '../../../src/files/content/removals.ts'
import { contentsOf, withoutSmallStore } from '../../support/contents.ts'
import { blobOf } from '../../support/files.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'

let library: Library
let token: string
let id: string
let blob: string
let seed = 0
before(async () => {
  library = await openLibrary()
  token = (await library.join('ann', { can_create: true })).token
})
after(() => library.close())
beforeEach(async () => {
  id = (await library.upload(token, await picture(seed++))).body.id
  blob = blobOf(library.deps.db, id)
})

const isThere = (name: string) => contentsOf(library).has(name)
const waiting = () =>
  library.deps.db.all<{ blob: string }>('SELECT blob FROM removals').map((row) => row.blob)
const backUp = () => acquireLock(join(library.folder, 'backup.lock'), 'another one')
const sweep = () => scheduleRemovals(library.deps).stop()
const purge = async (file: string) => {
  for (const path of [`/files/${file}`, `/files/${file}/permanent`]) {
    assert.equal((await library.call('DELETE', path, { token })).status, 204)
  }
}
const replace = async (file: string) => {
  const body = form(await picture(seed++), 'other.jpg')
  assert.equal((await library.call('PUT', `/files/${file}/content`, { token, body })).status, 200)
}

for (const [what, change] of Object.entries({ purged: purge, replaced: replace })) {
  describe(`the content of a file that is ${what}`, () => {
    it('goes at once', async () => {
      await change(id)
      assert.deepEqual([isThere(blob), waiting()], [false, []])
    })

    it('stays while a backup is running, and goes with the first sweep after that', async () => {
      const backup = backUp()
      await change(id)
      await sweep()
      assert.deepEqual([isThere(blob), waiting()], [true, [blob]])
      backup.release()
      await sweep()
      assert.deepEqual([isThere(blob), waiting()], [false, []])
    })

    it('goes without the others that wait: nobody waits for those', async () => {
      const backup = backUp()
      const other = (await library.upload(token, await picture(seed++))).body.id
      const its = blobOf(library.deps.db, other)
      await purge(other)
      backup.release()
      await change(id)
      assert.deepEqual([isThere(blob), isThere(its), waiting()], [false, true, [its]])
      await sweep()
      assert.deepEqual([isThere(its), waiting()], [false, []])
    })

    it('goes after the next start when the server was killed before', async () => {
      const backup = backUp()
      await change(id)
      backup.release()
      await library.restart()
      assert.deepEqual([isThere(blob), waiting()], [true, [blob]])
      await sweep()
      assert.deepEqual([isThere(blob), waiting()], [false, []])
    })
  })
}

it('a content that can not be removed keeps no other one', async () => {
  const { storage } = library.deps
  const { removeBlob } = storage
  storage.removeBlob = async (name) => {
    if (name === blob) throw new Error('the disk is broken')
    return removeBlob(name)
  }
  await purge(id)
  const other = (await library.upload(token, await picture(seed++))).body.id
  const its = blobOf(library.deps.db, other)
  await purge(other)
  assert.deepEqual([isThere(blob), isThere(its), waiting()], [true, false, [blob]])
  storage.removeBlob = removeBlob
  await sweep()
  assert.deepEqual([isThere(blob), waiting()], [false, []])
})

it('those of many files go in one request', async () => {
  const ids = [id]
  for (let n = 1; n < 40; n++) {
    ids.push((await library.upload(token, await picture(seed++))).body.id)
  }
  const blobs = ids.map((each) => blobOf(library.deps.db, each))
  for (const path of ['/files/bulk/delete', '/files/bulk/permanent']) {
    await library.call('POST', path, { token, body: { file_ids: ids } })
  }
  assert.deepEqual([blobs.filter(isThere), waiting()], [[], []])
})

it('what an upload has left in a store that went away goes once it is back', {
  skip: withoutSmallStore,
}, async () => {
  const stored = await openLibrary({ CONTENTS: 's3' })
  try {
    const ann = await stored.join('ann', { can_create: true })
    const { deps, store } = stored
    const contents = () => contentsOf(stored).list()
    // The object is stored, and nobody hears of it.
    store!.trouble = ({ method }) => (method === 'PUT' ? 'lost' : 503)
    assert.equal((await stored.upload(ann.token, await picture(seed++))).status, 503)
    const [left, ...more] = contents()
    assert.deepEqual(more, [])
    const owed = deps.db.all<{ blob: string }>('SELECT blob FROM removals')
    assert.deepEqual(owed, [{ blob: left }])
    store!.trouble = () => undefined
    await scheduleRemovals(deps).stop()
    assert.deepEqual([contents(), deps.db.all('SELECT blob FROM removals')], [[], []])
  } finally {
    await stored.close()
  }
})

describe('a sweep of many', () => {
  const MANY = 250
  const STRETCH = 100
  beforeEach(() => {
    library.deps.db.run('DELETE FROM removals')
    for (let n = 0; n < MANY; n++) {
      library.deps.db.run(
        'INSERT INTO removals (blob) VALUES (?)',
        n.toString(16).padStart(32, '0'),
      )
    }
  })
  const untilLeft = async (count: number) => {
    while (waiting().length > count) await setImmediate()
  }

  it('goes on to the end', async () => {
    const removals = scheduleRemovals(library.deps)
    await untilLeft(0)
    await removals.stop()
  })

  it('is left within a stretch when the server stops', async () => {
    await sweep()
    assert.equal(waiting().length, MANY - STRETCH)
  })

  it('is left within a stretch when a backup begins', async () => {
    let backup: ReturnType<typeof backUp> | undefined
    const storage = {
      async removeBlob() {
        backup ??= backUp()
        return true
      },
    }
    const removals = scheduleRemovals({ ...library.deps, storage })
    await untilLeft(MANY - STRETCH)
    await removals.stop()
    assert.equal(waiting().length, MANY - STRETCH)
    backup?.release()
  })
})

it('looks at the lock without keeping it', () => {
  const path = join(library.folder, 'backup.lock')
  assert.equal(isLocked(join(library.folder, 'no such lock')), false)
  assert.equal(isLocked(path), false)
  const backup = backUp()
  assert.equal(isLocked(path), true)
  backup.release()
  backUp().release()
})
