import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Locked {
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
}

describe('what npm installs', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-install-'))
    for (const name of ['package.json', 'package-lock.json', 'on-node', '.npmrc'])
      await cp(name, join(folder, name), { recursive: true })
  })
  after(() => rm(folder, { recursive: true }))

  it('for a server on Bun has nothing to compile', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const packages = Object.entries<Locked>(lock.packages)
    const named = packages.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev)
    // The first may run nothing (allowScripts), the others put a binary in its place.
    assert.deepEqual(
      named.map(([path]) => path.replace(/^node_modules\//, '')),
      ['@scarf/scarf', 'bun', 'esbuild'],
    )
    // Where it can't be compiled, everything else is installed all the same.
    const sqlite = lock.packages['node_modules/sqlite-on-node']
    assert.deepEqual([sqlite.name, sqlite.dev, sqlite.optional], ['better-sqlite3', true, true])
  })

  it('for a server on Bun is without better-sqlite3, under either name', {
    timeout: 180_000,
  }, async () => {
    // What npm would put there, without fetching it.
    const { stdout } = await run(
      'npm',
      ['ls', '--all', '--package-lock-only', '--omit=dev', '--parseable'],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
      },
    ).catch((error: { stdout: string }) => error)
    const names = stdout.split('\n').map((path) => path.split('node_modules/').at(-1))
    assert.ok(names.includes('hono'), stdout)
    assert.deepEqual(
      names.filter((name) =>
        /^(better-sqlite3|sqlite-on-node|bindings|prebuild-install)$/.test(name ?? ''),
      ),
      [],
    )
  })
})
