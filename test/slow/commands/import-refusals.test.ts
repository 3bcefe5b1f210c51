import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { picture } from '../../support/harness.ts'
import { type ImportCommand, openImportCommand } from '../../support/import-command.ts'
import { putFile } from '../../support/imports.ts'
import { commandLine } from '../../support/spawn.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'

/** The user who owns nothing. */
const NOBODY = 65534

let on: ImportCommand
before(async () => {
  on = await openImportCommand()
})
after(() => on.close())
beforeEach(() => on.clear())

describe('tagstead import', () => {
  it('refuses what it can not do, in a sentence', async () => {
    const refusal = async (args: string[], reason: string, env: Record<string, string> = {}) => {
      const stderr = `Tagstead can't import: ${reason}\n`
      assert.deepEqual(await on.command(args, { env }), { code: 1, stdout: '', stderr })
    }
    // These take the lock, and there is one.
    await refusal(['--user', 'nobody'], 'There is no user "nobody"')
    await refusal(['--user', 'uma'], 'The user "uma" is not an admin')
    await refusal(['--user', 'bob'], 'The user "bob" is blocked')
    await Promise.all([
      refusal(
        ['..', '--user', 'admin'],
        `the path must be in the import folder: "/" is outside of "${on.folder}", and only that folder ` +
          'and what is in it is imported; the setting IMPORT_PATH names another',
      ),
      refusal(['--user', 'admin'], 'Import is turned off', { IMPORT_PATH: '' }),
      refusal(['--user', 'admin'], 'There is no library in /nowhere', { DATA_DIR: '/nowhere' }),
    ])
  })

  it('shows how it is used when it is used in another way', async () => {
    const wrong = [[], ['a', 'b', '--user', 'admin'], ['--user', 'a', '--on-duplicate', 'merge']]
    for (const answer of await Promise.all(wrong.map((args) => on.command(args)))) {
      assert.deepEqual([answer.code, answer.stdout], [2, ''])
      assert.match(answer.stderr, /^Usage: tagstead import \[PATH\] --user NAME \[OPTION\]\.\.\.$/m)
    }
  })

  it('says what it may not read or remove, and imports that once', {
    skip: asAnother(),
  }, async () => {
    chmodSync(putFile(on.folder, 'secret.jpg', await picture(4)), 0)
    putFile(on.folder, 'stays.jpg', await picture(5), 1)
    execFileSync('chown', ['-R', String(NOBODY), on.dataDir])
    chownSync(on.folder, 0, 0)
    const [program, ...own] = commandLine()
    const asNobody = () =>
      on.ended(
        spawn(
          'setpriv',
          [`--reuid=${NOBODY}`, '--clear-groups', program, ...own, 'import', '--user', 'admin'],
          {
            env: {
              PATH: process.env.PATH,
              DATA_DIR: on.dataDir,
              IMPORT_SETTLE: '0',
            } as NodeJS.ProcessEnv,
            cwd: '/',
          },
        ),
      )
    const logged = (stderr: string) =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level === 'warn')
        .map(({ message, error }) => [message, /E[A-Z]+/.exec(error)?.[0]])
    const lines = [
      'Importing 50 %',
      'Importing 100 %',
      'error "secret.jpg": permission denied',
      'imported "stays.jpg": the source could not be removed',
      '2 entries: 1 imported, 0 skipped, 1 failed',
    ]
    const both = [
      ['import failed', 'EACCES'],
      ['source not removed', 'EACCES'],
    ]
    const first = await asNobody()
    assert.deepEqual([first.code, first.stdout], [1, `${lines.join('\n')}\n`])
    assert.deepEqual(logged(first.stderr), both)
    lines[3] = 'skipped "stays.jpg": already imported; the source could not be removed'
    lines[4] = '2 entries: 0 imported, 1 skipped, 1 failed'
    const again = await asNobody()
    assert.deepEqual([again.code, again.stdout], [1, `${lines.join('\n')}\n`])
    assert.deepEqual(logged(again.stderr), both)
    assert.equal(on.owners().filter((name) => name === 'admin stays.jpg').length, 1)
  })
})

/** Root may read everything, so that it has to become somebody else. */
function asAnother(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  const [program, ...own] = commandLine()
  const readable = ['-r', own.at(-1)!, '-a', '-x', program]
  const { status } = spawnSync('setpriv', [
    `--reuid=${NOBODY}`,
    '--clear-groups',
    'test',
    ...readable,
  ])
  return status === 0 ? false : 'another user can not run the program here'
}
