import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { playedSystem, withoutRelease } from './played-system.ts'

describe('install.sh --remove', { skip: withoutRelease }, () => {
  const played = playedSystem()
  const { at, unit, isThere, install, installed, seen, cutOff } = played

  before(played.make)
  after(played.remove)
  beforeEach(played.empty)

  it('refuses to remove or replace a folder with a library in it', () => {
    installed('1.0.0')
    mkdirSync(at('opt/tagstead/data'))
    writeFileSync(at('opt/tagstead/data/tagstead.sqlite'), '')
    for (const args of [[], ['--remove']]) {
      const { code, stderr } = install('2.0.0', args)
      assert.equal(code, 1)
      assert.match(stderr, /there is a library in .*\/opt\/tagstead\/data: move it elsewhere first/)
    }
    assert.equal(isThere('opt/tagstead/data/tagstead.sqlite'), true)
  })

  it('refuses to remove what an upgrade has left half-way, and then removes it', () => {
    cutOff('2.0.0')
    assert.match(install('2.0.0', ['--remove']).stderr, /an upgrade was cut off/)
    assert.equal(isThere('opt/tagstead.old'), true)
    installed('2.0.0')
    for (const left of ['new', 'failed', 'gone']) mkdirSync(at(`opt/tagstead.${left}`))
    assert.equal(install('2.0.0', ['--remove']).code, 0)
    assert.deepEqual([readdirSync(at('opt')), isThere(unit)], [[], false])
    assert.deepEqual(seen(), ['1.0.0', '2.0.0', '2.0.0'])
  })

  it('refuses a folder that is no release', () => {
    mkdirSync(at('opt/tagstead/.git'), { recursive: true })
    assert.match(install('2.0.0').stderr, /is something else/)
    assert.match(install('2.0.0', ['--remove']).stderr, /is something else/)
  })
})
