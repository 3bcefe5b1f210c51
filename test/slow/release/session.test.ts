import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { after, before, describe, it } from '../../support/test.ts'
import { playedSystem, withoutRelease } from './played-system.ts'

/** Of a process, as the system knows it. */
const sessionOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[5]!

describe('an upgrade', { skip: withoutRelease }, () => {
  const played = playedSystem()
  before(played.make)
  after(played.remove)

  it("runs nothing of the service's account in the session of root's terminal", async () => {
    await played.empty()
    played.installed('1.0.0')
    rmSync(played.at('log.sessions'), { force: true })
    // It copies the database, and puts it back.
    assert.equal(played.install('3.0.0').code, 1)
    const sessions = readFileSync(played.at('log.sessions'), 'utf8').trim().split('\n')
    assert.equal(sessions.length, 3)
    assert.equal(sessions.includes(sessionOf(process.pid)), false, `${sessions}`)
    assert.deepEqual(played.seen(), ['1.0.0', '1.0.0'])
  })
})
