import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runToEnd } from '../../support/spawn.ts'

const COMMANDS = [
  ...['serve', 'rescan', 'import', 'user', 'check', 'backup', 'restore', 'config', 'export'],
  'move-contents',
]

describe('help', () => {
  it('lists the commands', async () => {
    const asked = await Promise.all([['help'], ['--help'], ['-h']].map((args) => runToEnd(args)))
    for (const { code, stdout, stderr } of asked) {
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      for (const name of [...COMMANDS, 'help']) {
        assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'))
      }
    }
  })

  for (const name of COMMANDS) {
    it(`tells how ${name} is used, and runs nothing`, async () => {
      const ways = [
        ['help', name],
        [name, '--help'],
        [name, 'anything', '-h'],
      ]
      for (const answer of await Promise.all(ways.map((args) => runToEnd(args)))) {
        assert.deepEqual([answer.code, answer.stderr], [0, ''])
        assert.match(answer.stdout, new RegExp(`^Usage: tagstead ${name}\\b`))
      }
    })
  }

  it('is shown behind the option that a command does not know', async () => {
    const answers = await Promise.all(COMMANDS.map((name) => runToEnd([name, '--fast'])))
    for (const [n, { code, stdout, stderr }] of answers.entries()) {
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(
        stderr,
        new RegExp(`^Unknown option '--fast'.*\\n\\nUsage: tagstead ${COMMANDS[n]}\\b`),
      )
    }
  })

  for (const [args, complaint] of [
    [['serve', 'here'], "Unexpected argument 'here'"],
    [['config', 'x'], "Unexpected argument 'x'"],
    [['check', '--part', '3/2'], "Option '--part' must be as in 1/7, the first of seven parts"],
    [['check', '--quick=yes'], "Option '--quick' does not take an argument"],
    [['backup', 'a', '--keep', '1,2'], "Option '--keep' must be as in 7,4,12"],
    [['restore', 'a', '--at'], "Option '--at <value>' argument missing"],
    [['move-contents', '--to', 'x'], "Option '--to' must be local, or a bucket and a prefix"],
    [
      ['import', '--user', 'a', '--on-duplicate', 'merge'],
      "Option '--on-duplicate' must be keep, skip or conflict",
    ],
  ] as const) {
    it(`is shown behind what is wrong with "${args.join(' ')}"`, async () => {
      const { code, stdout, stderr } = await runToEnd([...args])
      assert.deepEqual([code, stdout], [2, ''])
      const [told = '', usage = ''] = stderr.split('\n\n')
      assert.ok(told.startsWith(complaint), told)
      assert.match(usage, new RegExp(`^Usage: tagstead ${args[0]}\\b`))
    })
  }

  it('is shown alone where arguments do not go together', async () => {
    const { code, stdout, stderr } = await runToEnd(['import'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^Usage: tagstead import\b/)
  })

  it('knows only the commands that there are', async () => {
    const { code, stdout, stderr } = await runToEnd(['help', 'fly'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^Unknown: fly\n\nUsage: tagstead/)
  })
})
