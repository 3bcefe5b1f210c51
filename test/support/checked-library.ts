import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { signIn } from './backups.ts'
import { form, picture } from './harness.ts'
import { commandLine, runToEnd, type SpawnedServer, spawnServer } from './spawn.ts'

/** Returns, for the tests of a file, a server with four pictures, whose library is checked, or a copy of it. */
export function withCheckedLibrary(): CheckedLibrary {
  const checked = new CheckedLibrary()
  before(() => checked.start())
  after(() => checked.server.stop())
  return checked
}

class CheckedLibrary {
  server!: SpawnedServer
  admin!: Awaited<ReturnType<typeof signIn>>

  async start() {
    this.server = await spawnServer()
    this.admin = await signIn(this.server)
    for (let n = 0; n < 4; n++) await this.upload(n)
  }

  /** Uploads a picture and returns its id. */
  upload = async (n: number): Promise<string> => {
    const answer = await this.admin.call('POST', '/files', form(await picture(n), `${n}.jpg`))
    return ((await answer.json()) as { id: string }).id
  }

  /** Returns a copy of the library as it is, without the locks of the server. */
  copied = (): string => {
    const to = mkdtempSync(join(tmpdir(), 'tagstead-copy-'))
    const [original, copy] = [dataFolder(this.server.dataDir), dataFolder(to)]
    const db = openDatabase(original.database)
    db.run('VACUUM INTO ?', copy.database)
    db.close()
    chmodSync(copy.database, 0o600)
    cpSync(original.contents, copy.contents, { recursive: true })
    chmodSync(copy.contents, 0o700)
    return to
  }
}

/** Runs `check` in a data folder to its end. */
export function check(dataDir: string, ...args: string[]) {
  return runToEnd(['check', ...args], { env: { DATA_DIR: dataDir } })
}

/** Starts `check` in a data folder. */
export function startCheck(dataDir: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const [program, ...own] = commandLine()
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv
  return spawn(program, [...own, 'check', ...args], { env, cwd: tmpdir() })
}
