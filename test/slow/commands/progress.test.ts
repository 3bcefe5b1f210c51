import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { eachWithBackups } from '../../support/backup-world.ts'
import { command } from '../../support/backups.ts'
import { commandLine } from '../../support/spawn.ts'
import { noTerminal, onTerminal } from '../../support/terminal.ts'
import { describe, it } from '../../support/test.ts'

const world = eachWithBackups()

/** Of a backup, its verification, a restore and a check, in this order: each needs the one before. */
const COMMANDS = [
  { line: () => ['backup', world.dir], result: /^\S+ in .*: 5 contents .*\n$/ },
  { line: () => ['backup', '--verify', world.dir], result: /^generations: 1, .*\n$/ },
  { line: () => ['restore', world.dir], result: /^\S+ is in .*: 5 of 5 contents .*\n$/ },
  { line: () => ['check'], result: /^.*contents.*\n$/ },
]

describe('a command that copies or reads contents', () => {
  /** Where the library is that a command is about. */
  const dataDirOf = ([name]: string[]) =>
    name === 'restore' ? join(world.folder, 'restored') : world.server.dataDir

  it('shows on a terminal how far it is', { skip: noTerminal }, async () => {
    for (const { line } of COMMANDS) {
      const DATA_DIR = dataDirOf(line())
      const { child, shown } = onTerminal([...commandLine(), ...line()], { DATA_DIR })
      await once(child, 'close')
      assert.match(shown(), /\r[A-Z][a-z ]+ █{30} 100 %.*\n[^\r█]+\n$/)
    }
  })

  it('says elsewhere only what it has come to, as a mail of cron has it', async () => {
    for (const { line, result } of COMMANDS) {
      const { code, stdout } = await command(dataDirOf(line()), line())
      assert.deepEqual([code, result.exec(stdout)?.[0]], [0, stdout])
    }
  })
})
