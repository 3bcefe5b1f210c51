import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { eventually } from '../../support/eventually.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { playedSystem, withoutRelease } from './played-system.ts'

describe('install.sh, when the new version does not answer', { skip: withoutRelease }, () => {
  const played = playedSystem()
  const { at, isThere, install, installed, seen, version, answers, aside, cutOff } = played

  before(played.make)
  after(played.remove)
  beforeEach(played.empty)

  it('puts the old one back, and keeps the database of the new one', async () => {
    installed('1.0.0')
    const { code, stderr } = install('3.0.0')
    assert.equal(code, 1)
    assert.match(stderr, /until now is kept in .*\n.*3\.0\.0 did not answer, and 1\.0\.0 is back/)
    assert.deepEqual([version(), await answers()], ['1.0.0', true])
    assert.deepEqual(seen(), ['1.0.0', '1.0.0'])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
    assert.equal(isThere('opt/tagstead.failed'), true)
  })

  it('puts back an upgrade that was cut off when its version does not answer', () => {
    cutOff('3.0.0')
    installed('2.0.0')
    assert.deepEqual(seen(), ['1.0.0', '1.0.0', '2.0.0'])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
  })

  it('goes on with putting back where that was cut off', () => {
    cutOff('3.0.0')
    rmSync(at('opt/tagstead'), { recursive: true })
    installed('2.0.0')
    assert.deepEqual([version(), seen()], ['2.0.0', ['1.0.0', '1.0.0', '2.0.0']])
  })

  it('can put back later what it had no room to put back', () => {
    installed('1.0.0')
    const { code, stderr } = install('3.0.0', [], { RUNUSER_REFUSES: '*cat*' })
    assert.equal(code, 1)
    assert.match(stderr, /the database can't be put back: look at the room in .*\/tagstead and run/)
    assert.equal(version(), '3.0.0')
    installed('2.0.0')
    assert.deepEqual([version(), seen()], ['2.0.0', ['1.0.0', '1.0.0', '2.0.0']])
    assert.deepEqual(seen(aside(1)).slice(0, 2), ['1.0.0', '3.0.0'])
  })

  it('copies the database that it replaces where no link can be made', () => {
    installed('1.0.0')
    install('3.0.0', [], { LN_REFUSES: '*' })
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    assert.deepEqual(seen(aside(1)), ['1.0.0', '3.0.0'])
  })

  it('puts back to the end, however often it is interrupted', async () => {
    installed('1.0.0')
    const isBack = async () => {
      await eventually(answers)
      assert.deepEqual([version(), seen().at(-1)], ['1.0.0', '1.0.0'])
      assert.equal(isThere('opt/tagstead.old'), false)
    }
    const broken = install('3.0.0', [], { MV_SENDS: 'INT', MV_SENDS_AT: '*/opt/tagstead.failed' })
    assert.match(broken.stderr, /3\.0\.0 did not answer, and 1\.0\.0 is back/)
    await isBack()
    const twice = { MV_SENDS: 'TERM', MV_SENDS_AT: '*/opt/tagstead*' }
    assert.equal(install('2.0.0', [], twice).code, 1)
    await isBack()
  })
})
