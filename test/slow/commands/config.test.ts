import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { SETTINGS } from '../../../src/base/config.ts'
import { commandLine } from '../../support/spawn.ts'

describe('tagstead config', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-config-'))
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs the command in the folder, with this `.env` file there. */
  async function config(file: string, env: Record<string, string>) {
    await writeFile(join(folder, '.env'), file)
    const [program, ...args] = commandLine()
    const child = spawn(program, [...args, 'config'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [code] = await once(child, 'close')
    const rows = stdout.trimEnd().split('\n')
    const shown = Object.fromEntries(
      rows.map((row) => {
        const [name, source, ...value] = row.split(/ +/)
        return [name, [source, value.join(' ')]]
      }),
    )
    return { code, stdout, stderr, shown }
  }

  it('shows each setting and where it is from, but no secret', async () => {
    const secret = 'x'.repeat(40)
    const { code, stdout, stderr, shown } = await config(
      `PORT=8080\nDATA_DIR=photos\nADMIN_PASSWORD=not to be seen\nMAX_UPLOAD_SIZE=4GB\n`,
      { PORT: '9090', JWT_SECRET: secret, TIME_ZONE: 'Europe/Rome' },
    )
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.deepEqual(Object.keys(shown), SETTINGS)
    assert.deepEqual(shown.PORT, ['environment', '9090'])
    assert.deepEqual(shown.DATA_DIR, ['.env', join(folder, 'photos')])
    assert.deepEqual(shown.IMPORT_PATH, ['default', join(folder, 'photos/import')])
    assert.deepEqual(shown.MAX_UPLOAD_SIZE, ['.env', '4GB'])
    assert.deepEqual(shown.ACCESS_TOKEN_TTL, ['default', '15m'])
    assert.deepEqual(shown.BACKUP_DIR, ['default', '-'])
    assert.deepEqual(shown.TIME_ZONE, ['environment', 'Europe/Rome'])
    assert.deepEqual(shown.ADMIN_PASSWORD, ['.env', '(hidden)'])
    assert.deepEqual(shown.JWT_SECRET, ['environment', '(hidden)'])
    assert.ok(!stdout.includes('seen') && !stdout.includes(secret))
  })

  it('tells what is wrong, of the file and of the values, all at once', async () => {
    const { code, stderr, shown } = await config('ADMIN_PASWORD=secret\nDATA_DIR=~/photos\n', {
      PORT: '99999',
    })
    assert.equal(code, 1)
    assert.equal(
      stderr,
      `Wrong settings:
  .env, line 1: ADMIN_PASWORD is no setting: is it ADMIN_PASSWORD?
  PORT must be from 0 to 65535
  DATA_DIR must not begin with "~", which only a shell replaces: write the whole path
`,
    )
    assert.deepEqual(shown.PORT, ['environment', '99999'])
    assert.deepEqual(shown.DATA_DIR, ['.env', '~/photos'])
  })
})
