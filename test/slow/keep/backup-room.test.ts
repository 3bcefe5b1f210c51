import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { eachWithBackups } from '../../support/backup-world.ts'
import { command, damaged, filesIn, foldersIn } from '../../support/backups.ts'
import { form, picture } from '../../support/harness.ts'
import {
  openSharingDisk,
  openSmallDisk,
  type SmallDisk,
  withoutSharingDisk,
  withoutSmallDisk,
} from '../../support/small-disk.ts'
import { afterEach, before, beforeEach, describe, it } from '../../support/test.ts'

const MIB = 2 ** 20
/** What stays free; what the database and the small contents take; and the large content. */
const [RESERVE, SMALL, LARGE] = [1024 * MIB, 8 * MIB, 24 * MIB]

const isContent = (path: string) => /^[0-9a-f]{2}\//.test(path)

function freeOn(disk: string): number {
  const { bsize, bavail } = statfsSync(disk)
  return bsize * bavail
}

describe('a disk with little room', { skip: withoutSmallDisk }, () => {
  const world = eachWithBackups()
  let disk: SmallDisk
  let dir: string
  let ballast: string
  let large: string
  before(async () => {
    const bytes = Buffer.concat([await picture(1), Buffer.alloc(LARGE)])
    await world.admin.call('POST', '/files', form(bytes, 'large.jpg'))
    const contents = join(world.server.dataDir, 'files')
    large = filesIn(contents).find((path) => statSync(join(contents, path)).size > LARGE)!
  })
  beforeEach(() => {
    disk = openSmallDisk((RESERVE + SMALL + LARGE) / MIB)
    dir = join(disk.path, 'backups')
    ballast = join(disk.path, 'ballast')
    writeFileSync(ballast, Buffer.alloc(LARGE))
  })
  afterEach(() => disk.remove())

  it('gets nothing of a backup that finds no room, and is told what it needs', async () => {
    const { code, stderr } = await world.backup(dir)
    assert.equal(code, 1)
    assert.match(stderr, /are needed in .*\/backups, where .* are free/)
    assert.deepEqual([filesIn(dir), foldersIn(dir)], [['lock'], []])
    rmSync(ballast)
    assert.equal((await world.backup(dir)).code, 0)
  })

  it('keeps its reserve when a content finds none, and the next backup uses what was copied', async () => {
    // It seems to be there, and has to be copied anew.
    const cut = join(dir, 'contents', large)
    mkdirSync(dirname(cut), { recursive: true })
    writeFileSync(cut, '')
    const { code, stderr } = await world.backup(dir)
    assert.deepEqual(
      [code, stderr.trim()],
      [1, `Tagstead can't backup: ${dir} has no room for 24.0 MiB: 1 GiB is kept free`],
    )
    const free = freeOn(disk.path)
    assert.ok(free >= RESERVE, `${free} bytes are left`)
    const copied = filesIn(join(dir, 'contents')).length - 1
    assert.ok(copied > 0)
    assert.match((await world.backup('--verify', dir)).stderr, /There is no backup in/)
    rmSync(ballast)
    const { result } = await world.backup(dir, '--json')
    assert.deepEqual([result.contents, result.copied], [6, 6 - copied])
    assert.equal((await world.backup('--verify', dir)).code, 0)
  })

  it('needs none for what the library has lost', async () => {
    const original = join(world.server.dataDir, 'files', large)
    const aside = join(world.folder, 'aside')
    renameSync(original, aside)
    try {
      const { code, result, stderr } = await world.backup(dir, '--json')
      assert.deepEqual([code, stderr], [1, ''])
      assert.deepEqual([result.missing, result.copied], [[basename(large)], 5])
    } finally {
      renameSync(aside, original)
    }
  })

  it('takes links, which need none, and no copies in place of them', async () => {
    const dataDir = join(disk.path, 'data')
    rmSync(ballast)
    await world.backup(world.dir)
    assert.equal((await command(dataDir, ['restore', world.dir])).code, 0)
    const linked = await command(dataDir, ['backup', dir, '--link', '--json'])
    assert.deepEqual([linked.code, linked.result.copied], [0, 6], linked.stderr)
    const before = [filesIn(dir), foldersIn(dir)]
    const { code, stderr } = await command(dataDir, ['backup', dir])
    assert.equal(code, 1)
    assert.match(stderr, /are needed in .*\/backups, where .* are free/)
    assert.deepEqual([filesIn(dir), foldersIn(dir)], before)
  })

  it('finds none for a content that is there cut short', async () => {
    const dataDir = join(disk.path, 'data')
    rmSync(ballast)
    await world.backup(world.dir)
    assert.equal((await command(dataDir, ['restore', world.dir])).code, 0)
    const cut = join(dir, 'contents', large)
    mkdirSync(dirname(cut), { recursive: true })
    writeFileSync(cut, '')
    const { code, stderr } = await command(dataDir, ['backup', dir])
    assert.equal(code, 1)
    assert.match(stderr, /are needed in .*\/backups, where .* are free/)
    assert.deepEqual(filesIn(dir), [`contents/${large}`, 'lock'])
  })

  it('gets no database for which there is none, of whatever program', async () => {
    const database = join(world.folder, 'replica.sqlite')
    writeFileSync(database, '')
    truncateSync(database, SMALL + MIB)
    const to = join(disk.path, 'data')
    const parts = ['--database', database, '--contents', world.folder]
    const { code, stderr } = await command(to, ['restore', ...parts])
    assert.equal(code, 1)
    assert.match(stderr, /are needed in .*\/data, where .* are free/)
    assert.ok(!existsSync(join(to, 'restoring')))
  })

  it('keeps its reserve when a restore finds none, too', async () => {
    rmSync(ballast)
    await world.backup(world.dir)
    const dataDir = join(disk.path, 'data')
    const changed = join(dataDir, 'files', large)
    mkdirSync(dirname(changed), { recursive: true })
    writeFileSync(changed, damaged(readFileSync(join(world.dir, 'contents', large))))
    writeFileSync(join(dataDir, 'restoring'), '')
    const { code, stderr } = await command(dataDir, ['restore', world.dir])
    const told = `${join(dataDir, 'files')} has no room for 24.0 MiB: 1 GiB is kept free`
    assert.deepEqual([code, stderr.trim()], [1, `Tagstead can't restore: ${told}`])
  })

  it('takes copies that share their blocks, and names what the library has lost', {
    skip: withoutSharingDisk,
  }, async () => {
    const disk = openSharingDisk((RESERVE + 512 * MIB) / MIB)
    try {
      const dataDir = join(disk.path, 'data')
      await world.backup(world.dir)
      assert.equal((await command(dataDir, ['restore', world.dir])).code, 0)
      const contents = join(dataDir, 'files')
      const first = filesIn(contents).find((path) => isContent(path) && path !== large)!
      rmSync(join(contents, first))
      rmSync(join(contents, large))
      mkdirSync(join(contents, large))
      // Btrfs frees what was removed with its next transaction.
      execFileSync('sync', ['-f', disk.path])
      const ballast = freeOn(disk.path) - RESERVE - SMALL
      execFileSync('fallocate', ['-l', `${ballast}`, join(disk.path, 'ballast')])
      const dir = join(disk.path, 'backups')
      const { code, result, stderr } = await command(dataDir, ['backup', dir, '--json'])
      assert.deepEqual([code, stderr], [1, ''])
      const lost = [first, large].map((path) => basename(path)).sort()
      assert.deepEqual([result.missing, result.copied, result.same_disk], [lost, 4, true])
      assert.deepEqual(
        filesIn(dir).filter((path) => path.endsWith('.part')),
        [],
      )
    } finally {
      disk.remove()
    }
  })
})
