import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../support/small-server.ts'
import { BUN, playedSystem } from './played-system.ts'

const skip = (process.platform !== 'linux' || process.arch !== 'x64') && 'a release is for Linux'

describe('install.sh, with a system that is played', { skip }, () => {
  const played = playedSystem()
  const { at, unit, isThere, install, installed, systemctl, stop } = played
  const { seen, version, answers, aside, cutOff, steps, port } = played

  before(played.make)
  after(played.remove)
  beforeEach(played.empty)

  it('lets the user of the service read what was unpacked for root alone, under any CDPATH', () => {
    execFileSync('chmod', ['-R', 'go=', at('srv/1.0.0')])
    installed('1.0.0', { CDPATH: at('') })
    const modes = ['src', 'src/main.ts', 'tagstead'].map(
      (name) => statSync(at(`opt/tagstead/${name}`)).mode & 0o777,
    )
    assert.deepEqual(modes, [0o755, 0o644, 0o755])
  })

  it('upgrades, and leaves nothing about', async () => {
    installed('1.0.0')
    installed('2.0.0')
    assert.deepEqual(readdirSync(at('opt')), ['tagstead'])
    assert.deepEqual(readdirSync(at('var/lib')), ['tagstead'])
    assert.deepEqual([version(), seen(), await answers()], ['2.0.0', ['1.0.0', '2.0.0'], true])
  })

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

  it('keeps what a new version has taken since its upgrade was cut off, though it was stopped', async () => {
    cutOff('2.0.0')
    systemctl('start')
    await eventually(answers)
    stop()
    mkdirSync(at('var/lib/tagstead-replaced/unfinished'), { recursive: true })
    installed('2.0.0')
    assert.deepEqual(seen(), ['1.0.0', '2.0.0', '2.0.0', '2.0.0'])
    assert.deepEqual(readdirSync(at('var/lib/tagstead-replaced')), [])
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

  it('changes nothing when the running server is not where it is asked', async () => {
    installed('1.0.0')
    writeFileSync(at('etc/tagstead.conf'), 'PORT=1\n')
    const { code, stderr } = install('2.0.0', [], { SOON: '0' })
    const where = 'http://127.0.0.1:1; nothing was changed'
    assert.deepEqual(
      [code, stderr],
      [1, `install.sh: the running server does not answer at ${where}\n`],
    )
    assert.deepEqual([version(), seen(), await answers()], ['1.0.0', ['1.0.0'], true])
    assert.deepEqual(readdirSync(at('opt')), ['tagstead'])
  })

  it('changes nothing when there is too little room for the worst that may come', async () => {
    installed('1.0.0')
    for (const full of ['var/lib/tagstead', 'var/lib']) {
      const { code, stderr } = install('2.0.0', [], { FULL: at(full) })
      const told = `an upgrade needs 1 MB in ${at(full)}, where 0 MB are free; nothing was changed`
      assert.deepEqual([code, stderr], [1, `install.sh: ${told}\n`])
    }
    assert.deepEqual([version(), seen(), await answers()], ['1.0.0', ['1.0.0'], true])
    assert.deepEqual(
      [readdirSync(at('opt')), readdirSync(at('var/lib'))],
      [['tagstead'], ['tagstead']],
    )
  })

  it('changes nothing when the database can not be copied', async () => {
    installed('1.0.0')
    const { code, stderr } = install('2.0.0', [], { RUNUSER_REFUSES: '*VACUUM*' })
    assert.deepEqual(
      [code, stderr],
      [1, "install.sh: the database can't be copied, and nothing was changed\n"],
    )
    await eventually(answers)
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    assert.deepEqual(
      [readdirSync(at('opt')), readdirSync(at('var/lib'))],
      [['tagstead'], ['tagstead']],
    )
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

  it('has on the disk what a step relies on before that begins', () => {
    installed('1.0.0')
    const begun = [
      'stop',
      'sync',
      'mv var/lib/tagstead-before-upgrade',
      'sync',
      'mv opt/tagstead.old',
      'mv opt/tagstead',
      'sync',
      'start',
    ]
    assert.deepEqual(steps('3.0.0'), [
      ...begun,
      'stop',
      'sync',
      'mv opt/tagstead.failed',
      'sync',
      'mv var/lib/tagstead-replaced/DATE',
      'sync',
      'mv tagstead.sqlite',
      'sync',
      'mv opt/tagstead',
      'sync',
      'rm var/lib/tagstead-before-upgrade',
      'sync',
      'start',
      'start',
    ])
    const removed = ['opt/tagstead.gone', 'opt/tagstead.failed', 'var/lib/tagstead-before-upgrade']
    assert.deepEqual(steps('2.0.0'), [
      ...begun,
      'mv opt/tagstead.gone',
      'sync',
      ...removed.map((name) => `rm ${name}`),
      'start',
    ])
  })

  it('waits for no command that is at work, but tells of it', async () => {
    installed('1.0.0')
    const bun = at('opt/tagstead/bin/bun')
    rmSync(bun)
    cpSync(BUN, bun)
    const ends = 'console.log("begun"); process.stdin.resume()'
    const command = spawn(bun, ['--no-env-file', '-e', ends], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const isOver = once(command, 'close')
    try {
      await once(command.stdout, 'data')
      const refused = async () => {
        const { code, stderr } = install('2.0.0')
        const told = `at work (process ${command.pid}): wait for it; nothing was changed`
        assert.deepEqual(
          [code, stderr],
          [1, `install.sh: a command of ${at('opt/tagstead')} is ${told}\n`],
        )
        await eventually(answers)
      }
      await refused()
      rmSync(bun)
      symlinkSync(BUN, bun)
      await refused()
    } finally {
      command.stdin.end()
      await isOver
    }
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0', '1.0.0']])
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('tells when what is installed does not start', async () => {
    installed('1.0.0')
    rmSync(at('opt/tagstead/src'), { recursive: true })
    const { code, stderr } = install('2.0.0')
    assert.equal(code, 1)
    assert.match(stderr, /what is in .*\/opt\/tagstead does not start: .*; nothing was changed\n$/)
    assert.equal(await answers(), true)
  })

  it('reads settings with indents, quotes and the line ends of Windows', () => {
    writeFileSync(at('etc/tagstead.conf'), `# PORT=1\r\n  PORT="${port()}" \r\n`)
    installed('1.0.0')
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('leaves the old one running when something fails after the stop', async () => {
    installed('1.0.0')
    const refused = { MV_REFUSES: at('var/lib/tagstead-before-upgrade') }
    assert.equal(install('2.0.0', [], refused).code, 1)
    await eventually(answers)
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0', '1.0.0']])
    const between = { MV_REFUSES: at('opt/tagstead') }
    assert.equal(install('2.0.0', [], between).code, 1)
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('goes on when the terminal is closed, and leaves a server when it is ended', async () => {
    installed('1.0.0')
    assert.equal(install('2.0.0', [], { MV_SENDS: 'TERM', MV_SENDS_AT: '*' }).code, 1)
    await eventually(answers)
    assert.equal(version(), '1.0.0')
    installed('2.0.0', { MV_SENDS: 'HUP', MV_SENDS_AT: '*' })
    assert.deepEqual([version(), await answers()], ['2.0.0', true])
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

  it('upgrades where the unit is gone', () => {
    installed('1.0.0')
    stop()
    rmSync(at(unit))
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

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
