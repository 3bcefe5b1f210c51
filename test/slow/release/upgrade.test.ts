import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { eventually } from '../../support/eventually.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { playedSystem, withoutRelease } from './played-system.ts'

describe('install.sh, with a system that is played', { skip: withoutRelease }, () => {
  const played = playedSystem()
  const {
    at,
    unit,
    install,
    installed,
    systemctl,
    stop,
    seen,
    version,
    answers,
    cutOff,
    steps,
    port,
  } = played

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

  it('upgrades where the unit is gone', () => {
    installed('1.0.0')
    stop()
    rmSync(at(unit))
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })
})
