import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach } from 'node:test'
import { command, filesIn, redated, sha256, signIn } from './backups.ts'
import { type SpawnedServer, spawnServer } from './spawn.ts'

const COLORS = ['red', 'green', 'blue', 'white', 'navy']

/** Returns, for the tests of a file, a server with five pictures, and for each test folders of its own. */
export function eachWithBackups(): BackupWorld {
  const world = new BackupWorld()
  before(() => world.start())
  after(() => world.server.stop())
  beforeEach(() => world.makeFolder())
  afterEach(() => rm(world.folder, { recursive: true }))
  return world
}

class BackupWorld {
  server!: SpawnedServer
  admin!: Awaited<ReturnType<typeof signIn>>
  uploaded: { id: string; bytes: Uint8Array }[] = []
  /** For whatever a test makes. */
  folder!: string
  /** In it, where backups go; it is not there yet. */
  dir!: string

  async start() {
    this.server = await spawnServer()
    this.admin = await signIn(this.server)
    const tag = await (await this.admin.call('POST', '/tags', { name: 'Sea' })).json()
    const { id } = tag as { id: string }
    for (const color of COLORS) {
      this.uploaded.push(await this.admin.upload(`${color}.jpg`, color, [id]))
    }
  }

  async makeFolder() {
    this.folder = await mkdtemp(join(tmpdir(), 'tagstead-backup-'))
    this.dir = join(this.folder, 'backups')
  }

  backup = (...args: string[]) => command(this.server.dataDir, ['backup', ...args])

  /** Makes a backup that is taken for one of an earlier day, and returns its name: of one day, only the last is kept. */
  backupOf = async (day: string, ...args: string[]) => {
    const { result } = await this.backup(this.dir, '--json', ...args)
    const name = `${day}T03-00-00.000Z`
    const own = join(this.dir, 'generations', name)
    renameSync(join(this.dir, 'generations', result.generation), own)
    const manifest = readFileSync(join(own, 'manifest'), 'utf8')
    writeFileSync(join(own, 'manifest'), redated(manifest, `${day}T03:00:00.000Z`))
    return name
  }

  /** Returns where a backup has these bytes. */
  inBackup = (bytes: Uint8Array) => {
    const contents = join(this.dir, 'contents')
    const isIt = (path: string) => sha256(readFileSync(join(contents, path))) === sha256(bytes)
    return join(contents, filesIn(contents).find(isIt)!)
  }
}
