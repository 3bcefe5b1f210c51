import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPasswords } from '../../src/auth/password.ts'
import { openDatabase } from '../../src/db/client.ts'
import { commandLine } from './spawn.ts'

interface Way {
  cwd?: string
  env?: Record<string, string>
}

export type ImportCommand = Awaited<ReturnType<typeof openImportCommand>>

/** Makes a library for `tagstead import`, with the admin `admin`, `uma`, who is none, and `bob`, who is blocked. */
export async function openImportCommand() {
  const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-import-'))
  const folder = join(dataDir, 'import')
  mkdirSync(folder)
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  const hash = await createPasswords({ memoryCost: 64, timeCost: 1 }).hash('a password for tests')
  const add = (name: string, isAdmin: number, isBlocked: number) =>
    db.run(
      'INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (NULL, ?, ?, ?, 1, ?)',
      name,
      hash,
      isAdmin,
      isBlocked,
    )
  add('admin', 1, 0)
  add('uma', 0, 0)
  add('bob', 1, 1)

  function start(args: string[], { cwd = tmpdir(), env = {} }: Way = {}) {
    const [program, ...own] = commandLine()
    return spawn(program, [...own, 'import', ...args], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        IMPORT_SETTLE: '0',
        ...env,
      },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  return {
    dataDir,
    folder,
    db,
    start,
    ended,
    /** Runs the command to its end. */
    command: (args: string[], way?: Way) => ended(start(args, way)),
    /** Returns the names of creators and files, in the order of import. */
    owners: () =>
      db
        .all<{ name: string; original_name: string }>(
          'SELECT name, original_name FROM files JOIN users ON users.id = creator_id ORDER BY rid',
        )
        .map(({ name, original_name }) => `${name} ${original_name}`),
    /** Leaves the import folder empty. */
    clear: () => {
      execFileSync('find', [folder, '-mindepth', '1', '-delete'])
    },
    close: async () => {
      db.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function ended(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
