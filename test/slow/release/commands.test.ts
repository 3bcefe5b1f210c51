import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { eventually } from '../../support/eventually.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { playedSystem, withoutRelease } from './played-system.ts'

describe('install.sh, while commands are at work', { skip: withoutRelease }, () => {
  const played = playedSystem()
  const {
    at,
    command,
    install,
    installing,
    installed,
    seen,
    version,
    answers,
    aside,
    beginCommand,
    endCommand,
    runOwnBun,
  } = played

  before(played.make)
  after(played.remove)
  beforeEach(played.empty)

  const library = () => readdirSync(at('var/lib')).toSorted()
  const isRefused = (pid: number, done: { code: number | null; stderr: string }) => {
    const told = `at work (process ${pid}): wait for it; nothing was changed`
    assert.deepEqual(
      [done.code, done.stderr],
      [1, `install.sh: a command of ${at('opt/tagstead')} is ${told}\n`],
    )
    assert.deepEqual(
      [version(), readdirSync(at('opt')), library()],
      ['1.0.0', ['tagstead'], ['tagstead']],
    )
  }

  it('tells of one, and does not stop the server for it', async () => {
    installed('1.0.0')
    const pid = beginCommand('opt/tagstead')
    isRefused(pid, install('2.0.0'))
    rmSync(at('opt/tagstead/bin/bun'))
    symlinkSync(at('srv/bun'), at('opt/tagstead/bin/bun'))
    isRefused(pid, install('2.0.0'))
    assert.deepEqual([seen(), await answers()], [['1.0.0'], true])
    await endCommand()
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  it('finds one where what is installed is behind links, and what is installed itself', async () => {
    installed('1.0.0')
    for (const [name, target] of [
      ['opt/tagstead', 'opt/of-mine'],
      ['opt', 'mnt'],
    ] as const) {
      renameSync(at(name), at(target))
      symlinkSync(at(target), at(name))
    }
    const { stderr } = install('../opt/tagstead')
    assert.equal(
      stderr,
      'install.sh: this is what is installed: run it from the folder of another version\n',
    )
    const pid = beginCommand('opt/tagstead')
    const refused = install('2.0.0')
    await endCommand()
    assert.match(refused.stderr, new RegExp(`at work \\(process ${pid}\\): .* nothing was changed`))
    assert.deepEqual([version(), seen()], ['1.0.0', ['1.0.0']])
    rmSync(at('mnt'), { recursive: true })
  })

  it('takes neither the server nor what that has begun for one', () => {
    installed('1.0.0')
    runOwnBun()
    installed('2.0.0')
    assert.equal(version(), '2.0.0')
  })

  for (const [when, begins] of [
    ['before the server has stopped', () => ({ BEGINS_AT: 'stop', RUNUSER_REFUSES: '*VACUUM*' })],
    ['while the database is copied', () => ({ BEGINS_AT: at('var/lib/tagstead-before-upgrade') })],
  ] as const) {
    it(`changes nothing when one begins ${when}`, async () => {
      installed('1.0.0')
      const done = install('2.0.0', [], { ...begins(), BEGINS: at('opt/tagstead') })
      isRefused(command(), done)
      await eventually(answers)
      await endCommand()
      assert.deepEqual(seen(), ['1.0.0', '1.0.0'])
      installed('2.0.0')
      assert.deepEqual([version(), seen().at(-1)], ['2.0.0', '2.0.0'])
    })
  }

  /** Where a command begins while the new version is tried. */
  const onTrial = () => ({ BEGINS_AT: at('opt/tagstead'), BEGINS: at('opt/tagstead.new') })

  it('puts nothing back before one of the new version has ended', async () => {
    installed('1.0.0')
    const going = installing('3.0.0', onTrial())
    const closed = once(going, 'close')
    let stderr = ''
    going.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    await eventually(() => stderr.includes('\n') || going.exitCode !== null)
    const told = `install.sh: a command is at work (process ${command()}): it is waited for\n`
    assert.equal(stderr, told)
    assert.deepEqual([version(), seen()], ['3.0.0', ['1.0.0', '3.0.0']])
    await endCommand()
    await closed
    assert.match(stderr, /3\.0\.0 did not answer, and 1\.0\.0 is back/)
    assert.deepEqual(
      [version(), seen(), seen(aside(1))],
      ['1.0.0', ['1.0.0', '1.0.0'], ['1.0.0', '3.0.0']],
    )
  })

  for (const [when, begins, patience] of [
    ['does not end', onTrial, '0'],
    [
      'begins at the last moment',
      () => ({ BEGINS_AT: at('opt/tagstead.failed'), BEGINS: at('opt/tagstead') }),
      '5',
    ],
  ] as const) {
    it(`puts nothing back when one of the new version ${when}, and goes on later`, async () => {
      installed('1.0.0')
      const { code, stderr } = install('3.0.0', [], { ...begins(), PATIENCE: patience })
      const pid = command()
      assert.equal(code, 1)
      const again = 'run install.sh again then, because nothing is put back yet'
      assert.ok(stderr.endsWith(`at work (process ${pid}): wait for it; ${again}\n`), stderr)
      assert.deepEqual(
        [version(), readdirSync(at('opt')).toSorted()],
        ['3.0.0', ['tagstead', 'tagstead.old']],
      )
      assert.deepEqual(library(), ['tagstead', 'tagstead-before-upgrade'])
      await endCommand()
      installed('2.0.0')
      assert.deepEqual([version(), seen()], ['2.0.0', ['1.0.0', '1.0.0', '2.0.0']])
      assert.deepEqual(seen(aside(1)).slice(0, 2), ['1.0.0', '3.0.0'])
    })
  }
})
