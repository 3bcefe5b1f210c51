import assert from 'node:assert/strict'
import { without } from '../../support/media/media.ts'
import { withoutInsight } from '../../support/processes.ts'
import { describe, it } from '../../support/test.ts'
import { killBackups } from '../../torture/faults/backup.ts'
import { callsOfOne, failAtCalls, killAtCalls } from '../../torture/faults/calls.ts'
import { killMigrations } from '../../torture/faults/migration.ts'

/** Containers may have the program and not the right to use it. */
const skip = withoutInsight || without('strace', '-o', '/dev/null', 'true')
const OPTIONS = { skip, timeout: 180_000 }
const seed = 1

describe('a kill at a call that changes the disk', () => {
  it('of an upload leaves a library that is as it was, or has all of it', OPTIONS, async () => {
    assert.ok((await killAtCalls('upload', { seed, most: 4 })).harmed >= 3)
  })

  it(
    'of a permanent delete leaves a library without the file, or with all of it',
    OPTIONS,
    async () => {
      assert.ok((await killAtCalls('purge', { seed, most: 3 })).harmed >= 2)
    },
  )

  it(
    'of a backup leaves the generations that there were, and the next one succeeds',
    OPTIONS,
    async () => {
      assert.ok((await killBackups({ seed, most: 3 })).harmed >= 1)
    },
  )

  it('of a migration leaves a library that the next start brings', OPTIONS, async () => {
    assert.ok((await killMigrations({ most: 3 })).harmed >= 2)
  })
})

describe('an upload', () => {
  it('syncs its bytes, then their name, then its rows', OPTIONS, async () => {
    const called = await callsOfOne('upload', { seed, most: 1 })
    const steps = ['write tmp/*', 'fsync tmp/*', 'rename files/*/*', 'fsync files/*']
    const told = called.filter((what) => [...steps, 'fsync tagstead.sqlite-wal'].includes(what))
    assert.deepEqual(told, [...steps, 'fsync tagstead.sqlite-wal'])
  })
})

describe('an error of the disk', () => {
  it('during an upload is not acknowledged, and the next one succeeds', OPTIONS, async () => {
    const { harmed, ended } = await failAtCalls('upload', { seed, most: 8 })
    assert.ok(harmed >= 6)
    assert.equal(ended, 0)
  })
})
