import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runToEnd } from '../support/spawn.ts'

const COMMANDS = [
  ...['serve', 'rescan', 'import', 'dates', 'user', 'check', 'backup', 'restore', 'config'],
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

  it('is shown in place of what a command can not read', async () => {
    const { code, stdout, stderr } = await runToEnd(['rescan', '--fast'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^Usage: tagstead rescan\b/)
  })

  it('knows only the commands that there are', async () => {
    const { code, stdout, stderr } = await runToEnd(['help', 'fly'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^Unknown: fly\n\nUsage: tagstead/)
  })
})
