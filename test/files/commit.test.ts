import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError, inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

let library: Library
let token: string
before(async () => {
  library = await openLibrary()
  token = (await library.join('ann', { can_create: true })).token
})
after(() => library.close())

let seed = 0
const upload = async () => library.upload(token, await picture(seed++))
const stored = () => {
  const { blobs, thumbnails } = inventory(library)
  return [blobs, thumbnails]
}
const plus = ([blobs, thumbnails]: number[], more: number) => [blobs! + more, thumbnails! + more]

/** Uploads a picture whose commit ends with an error of SQLite, and returns the answer. */
async function uploadFailing(code: string) {
  const { db } = library.deps
  const { run } = db
  db.run = (sql, ...params) => {
    if (sql === 'COMMIT') throw Object.assign(new Error('the commit fails'), { code })
    return run(sql, ...params)
  }
  return upload().finally(() => {
    db.run = run
  })
}

describe('an upload whose commit fails', () => {
  for (const [code, status, error] of [
    ['SQLITE_IOERR', 500, 'internal_error'],
    // The memory that connections share could not grow, of a commit that may be on the disk by then.
    ['SQLITE_IOERR_SHMSIZE', 507, 'insufficient_storage'],
    ['ENOSPC', 507, 'insufficient_storage'],
  ] as const) {
    it(`with ${code} leaves nothing once a later one has shown that it is not there`, async () => {
      const before = stored()
      assertError(await uploadFailing(code), status, error)
      assert.deepEqual(stored(), plus(before, 1))
      assert.equal((await upload()).status, 201)
      assert.deepEqual(stored(), plus(before, 1))
    })
  }

  it('for want of room leaves nothing', async () => {
    const before = stored()
    assertError(await uploadFailing('SQLITE_FULL'), 507, 'insufficient_storage')
    assert.deepEqual(stored(), before)
  })

  const HINDRANCES: Record<string, () => () => void> = {
    removed() {
      const { storage } = library.deps
      const { removeBlob } = storage
      storage.removeBlob = async () => {
        throw new Error('the disk is broken')
      }
      return () => {
        storage.removeBlob = removeBlob
      }
    },
    'looked for'() {
      const { db } = library.deps
      const { run, select } = db
      db.run = (sql, ...params) => {
        const changed = run(sql, ...params)
        if (sql === 'COMMIT') {
          db.select = () => {
            throw new Error('the disk is broken')
          }
        }
        return changed
      }
      return () => Object.assign(db, { run, select })
    },
  }
  for (const [what, hinder] of Object.entries(HINDRANCES)) {
    it(`fails no later one when it can not be ${what}, and goes with the next`, async () => {
      const before = stored()
      await uploadFailing('SQLITE_IOERR')
      const logged = library.logged.length
      const mend = hinder()
      assert.equal((await upload().finally(mend)).status, 201)
      const told = library.logged.slice(logged).filter(({ level }) => level === 'warn')
      assert.deepEqual(
        told.map(({ message }) => message),
        ['content not removed'],
      )
      assert.deepEqual(stored(), plus(before, 2))
      assert.equal((await upload()).status, 201)
      assert.deepEqual(stored(), plus(before, 2))
    })
  }
})
