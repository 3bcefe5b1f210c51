import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { playedSystem, withoutRelease } from './played-system.ts'

describe('install.sh --remove', { skip: withoutRelease }, () => {
  const played = playedSystem()
  const { at, unit, isThere, install, installed, seen, aside, cutOff } = played

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

  it('removes each database that upgrades have left, but for those that were replaced, which it names', () => {
    installed('1.0.0')
    install('3.0.0')
    const database = aside(1)
    for (const name of ['before-upgrade', 'before-upgrade.new', 'replaced/unfinished']) {
      mkdirSync(at(`var/lib/tagstead-${name}`))
      writeFileSync(at(`var/lib/tagstead-${name}/tagstead.sqlite`), '')
    }
    const { code, stdout } = install('2.0.0', ['--remove'])
    const told = `The databases that upgrades have replaced are still in ${at('var/lib/tagstead-replaced')}.\n`
    assert.deepEqual([code, stdout.endsWith(told)], [0, true])
    assert.deepEqual(readdirSync(at('var/lib')).toSorted(), ['tagstead', 'tagstead-replaced'])
    assert.equal(aside(1), database)
  })

  it('says nothing of replaced databases where there are none', () => {
    installed('1.0.0')
    mkdirSync(at('var/lib/tagstead-replaced/unfinished'), { recursive: true })
    const { stdout } = install('2.0.0', ['--remove'])
    assert.doesNotMatch(stdout, /replaced/)
    assert.deepEqual(readdirSync(at('var/lib')), ['tagstead'])
  })
})
