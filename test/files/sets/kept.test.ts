import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { write } from '../../../src/db/write.ts'
import { namedFiles } from '../../../src/files/filter/named.ts'
import type { Timeline } from '../../../src/files/sets/schema.ts'
import { openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { setWalks } from '../../support/set-walks.ts'

describe('what is kept', () => {
  it('counts no file that was hidden while something else was read', async () => {
    // A search of so many is read with three pauses.
    const files = 60_500
    const own = await openLibrary()
    try {
      const { db } = own.deps
      const owner = await own.addUser('owner')
      const { token } = await own.join('viewer')
      write(db, { now: 0 }, (tx) => {
        addManyFiles(tx, files, { owner })
        tx.run('UPDATE files SET is_public = 1')
      })
      const { got } = setWalks(own, { viewer: token })
      const total = async (search: Record<string, string>) => {
        const asked = { sort: 'content_datetime', ...search }
        return (await got<Timeline>('viewer', '/files/timeline', asked)).total
      }
      assert.equal(await total({}), files)
      let left = files
      let meanwhile = 0
      // All of them are found by each, which is read anew.
      for (const [turns, search] of ['i', 'm', 'g', '_', 'im', 'mg', 'g_'].entries()) {
        const asked = total({ search })
        let isRead = false
        // They share one reading.
        const reading = namedFiles(db, search).then(() => {
          isRead = true
        })
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        const wasRead = isRead
        write(db, { now: 0 }, (tx) => tx.run('UPDATE files SET is_public = 0 WHERE rid = ?', left))
        left--
        const found = await asked
        // Who has read all of them may have answered before that.
        if (!wasRead || found !== left + 1) assert.equal(found, left, `after ${turns} turns`)
        if (!wasRead) meanwhile++
        await reading
        assert.equal(await total({ search }), left)
        assert.equal(await total({}), left)
      }
      assert.ok(meanwhile > 1)
    } finally {
      await own.close()
    }
  })
})
