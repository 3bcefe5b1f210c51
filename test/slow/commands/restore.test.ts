import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { acquireLock } from '../../../src/db/lock.ts'
import { eachWithBackups } from '../../support/backup-world.ts'
import { command, damaged, filesIn, sha256, signIn } from '../../support/backups.ts'
import { openSmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { spawnServer } from '../../support/spawn.ts'
import { lookWhileStuck, whileNobodyCanRead, withoutPipes } from '../../support/stuck-command.ts'
import { describe, it } from '../../support/test.ts'

const world = eachWithBackups()

describe('a restore', () => {
  const restore = (to: string, ...args: string[]) => command(to, ['restore', ...args])
  const everything = async (one: typeof world.admin) => {
    const { items } = (await one.get('/files?limit=200')) as { items: { id: string }[] }
    const contents = await Promise.all(items.map(({ id }) => one.bytes(`/files/${id}/content`)))
    const lists = ['/tags', '/pools', '/categories', '/users', '/audit'].map((path) =>
      one.get(path),
    )
    return { items, contents: contents.map(sha256), lists: await Promise.all(lists) }
  }

  it('gives back what there was, object by object, and has all sign in again', async () => {
    const before = await everything(world.admin)
    await world.backup(world.dir)
    await world.admin.call('POST', '/tags', { name: 'Afterwards' }).then(async (answer) => {
      const { id } = (await answer.json()) as { id: string }
      await world.admin.call('DELETE', `/tags/${id}`)
    })
    const to = join(world.folder, 'restored')
    const { code, stdout, stderr } = await restore(to, world.dir)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^\S+ is in .*: 5 of 5 contents \(.*\)\n$/)
    const restored = await spawnServer({ dataDir: to })
    const refresh = await fetch(`${restored.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: world.admin.refresh_token }),
    })
    assert.equal(refresh.status, 401)
    const again = await signIn(restored)
    const after = await everything(again)
    // Whoever signs in is in the log.
    const entries = (all: typeof after) => (all.lists.at(-1) as { items: { id: number }[] }).items
    const known = new Set(entries(before).map(({ id }) => id))
    const log = after.lists.at(-1) as { items: { id: number }[]; total: number }
    log.items = log.items.filter(({ id }) => known.has(id))
    assert.deepEqual(log.items, entries(before))
    assert.deepEqual([after.items, after.contents], [before.items, before.contents])
    assert.deepEqual(after.lists.slice(0, 3), before.lists.slice(0, 3))
    for (const { id } of after.items) await again.bytes(`/files/${id}/thumbnail`)
    await restored.stop()
  })

  it('goes into an empty data folder only', async () => {
    await world.backup(world.dir)
    const to = join(world.folder, 'restored')
    mkdirSync(join(to, 'lost+found'), { recursive: true })
    writeFileSync(join(to, 'mine.txt'), '')
    const { code, stderr } = await restore(to, world.dir)
    assert.equal(code, 1)
    assert.match(stderr, /is not empty: a library is restored into an empty data folder only/)
    assert.deepEqual(filesIn(to), ['mine.txt'])
    rmSync(join(to, 'mine.txt'))
    assert.equal((await restore(to, world.dir)).code, 0)
  })

  it('goes on when it was interrupted, before which no server starts', async () => {
    await world.backup(world.dir)
    const to = join(world.folder, 'restored')
    mkdirSync(to)
    writeFileSync(join(to, 'restoring'), '')
    const [whole, changed, half] = world.uploaded.map(({ bytes }) => bytes)
    const left = (bytes: Uint8Array, now: Uint8Array, ending = '') => {
      const shelf = join(to, 'files', basename(dirname(world.inBackup(bytes))))
      mkdirSync(shelf, { recursive: true })
      writeFileSync(join(shelf, `${basename(world.inBackup(bytes))}${ending}`), now)
    }
    left(whole!, whole!)
    left(changed!, damaged(changed!))
    left(half!, half!.subarray(0, 9), '.part')
    writeFileSync(join(to, 'tagstead.sqlite.part'), 'half')
    writeFileSync(
      join(to, 'tagstead.sqlite.part-journal'),
      readFileSync(join(world.server.dataDir, 'secret.key')),
    )
    await assert.rejects(spawnServer({ dataDir: to }), /has not come to its end: run it again/)
    const { stderr } = await command(to, ['user', 'list'])
    assert.match(stderr, /There is no library|has not come to its end/)
    assert.equal((await restore(to, world.dir)).code, 0)
    assert.ok(!existsSync(join(to, 'restoring')) && !existsSync(join(to, 'tagstead.sqlite.part')))
    const digests = filesIn(join(to, 'files')).map((path) =>
      sha256(readFileSync(join(to, 'files', path))),
    )
    assert.deepEqual(digests.sort(), world.uploaded.map(({ bytes }) => sha256(bytes)).sort())
    await (await spawnServer({ dataDir: to })).stop()
  })

  it('is refused while a backup goes into the same folder, which may remove what it reads', async () => {
    const { result } = await world.backup(world.dir, '--json')
    const to = join(world.folder, 'restored')
    const lock = acquireLock(join(world.dir, 'lock'), 'taken')
    const { code, stderr } = await restore(to, world.dir)
    assert.equal(code, 1)
    assert.match(stderr, /Another backup or restore is at work in .*\/backups\n$/)
    assert.ok(!existsSync(to))
    const database = join(world.dir, 'generations', result.generation, 'database')
    const parts = ['--database', database, '--contents', join(world.server.dataDir, 'files')]
    assert.equal((await restore(to, ...parts)).code, 0)
    lock.release()
  })

  it('has a backup refused as long as it runs', { skip: withoutPipes }, async () => {
    await world.backup(world.dir)
    const to = join(world.folder, 'restored')
    const options = { dataDir: to, sign: join(to, 'restoring') }
    await whileNobodyCanRead(world.inBackup(world.uploaded[0]!.bytes), () =>
      lookWhileStuck(['restore', world.dir], options, async () => {
        const { code, stderr } = await world.backup(world.dir)
        assert.equal(code, 1)
        assert.match(stderr, /Another backup or restore is at work in /)
      }),
    )
    assert.equal((await restore(to, world.dir)).code, 0)
    assert.equal((await world.backup(world.dir)).code, 0)
  })

  it('reads a disk that nobody can write to', { skip: withoutSmallDisk }, async () => {
    const disk = openSmallDisk(1100)
    try {
      const dir = join(disk.path, 'backups')
      assert.equal((await world.backup(dir)).code, 0)
      execFileSync('mount', ['-o', 'remount,ro', disk.path])
      const { code, stderr } = await restore(join(world.folder, 'restored'), dir)
      assert.deepEqual([code, stderr], [0, ''])
    } finally {
      disk.remove()
    }
  })

  it('lists what the backup has not as it was written, and restores the rest', async () => {
    await world.backup(world.dir)
    const [first, second] = world.uploaded.map(({ bytes }) => world.inBackup(bytes))
    writeFileSync(first!, damaged(readFileSync(first!)))
    rmSync(second!)
    const to = join(world.folder, 'restored')
    const { code, result } = await restore(to, world.dir, '--json')
    assert.equal(code, 1)
    const nameOf = (path: string) => path.slice(-32)
    assert.deepEqual([result.damaged, result.missing], [[nameOf(first!)], [nameOf(second!)]])
    assert.equal(filesIn(join(to, 'files')).length, 3)
  })

  it('refuses a database or a manifest that is damaged, and leaves no library', async () => {
    const { result } = await world.backup(world.dir, '--json')
    for (const file of ['database', 'manifest']) {
      const path = join(world.dir, 'generations', result.generation, file)
      const bytes = readFileSync(path)
      writeFileSync(path, damaged(bytes))
      const to = join(world.folder, `of a damaged ${file}`)
      const { code, stderr } = await restore(to, world.dir)
      assert.equal(code, 1)
      assert.match(stderr, /damaged|no content|no head/)
      assert.deepEqual(existsSync(to) ? filesIn(to).filter((name) => name !== 'lock') : [], [])
      writeFileSync(path, bytes)
    }
  })

  it('takes the generation that is named, and the key if that is asked for', async () => {
    const first = await world.backupOf('2026-01-01', '--with-secret')
    const more = await world.admin.upload('later.jpg', 'gold')
    await world.backup(world.dir)
    await world.admin.call('DELETE', `/files/${more.id}`)
    await world.admin.call('DELETE', `/files/${more.id}/permanent`)
    const to = join(world.folder, 'restored')
    const { result } = await restore(to, world.dir, '--at', first, '--with-secret', '--json')
    assert.equal(result.contents, 5)
    const key = (dataDir: string) => readFileSync(join(dataDir, 'secret.key'), 'utf8')
    assert.equal(key(to), key(world.server.dataDir))
    const restored = await spawnServer({ dataDir: to })
    const headers = { Authorization: `Bearer ${world.admin.access_token}` }
    assert.equal((await fetch(`${restored.url}/api/v1/files`, { headers })).status, 200)
    await restored.stop()
    const newest = await restore(join(world.folder, 'newest'), world.dir, '--with-secret')
    assert.match(newest.stderr, /has no secret\.key/)
    const unknown = await restore(
      join(world.folder, 'unknown'),
      world.dir,
      '--at',
      '2001-01-01T00-00-00.000Z',
    )
    assert.match(unknown.stderr, /There is no generation 2001-01-01T00-00-00\.000Z in/)
  })

  it('takes a database and contents that other programs have copied', async () => {
    const { result } = await world.backup(world.dir, '--json')
    const database = join(world.dir, 'generations', result.generation, 'database')
    const to = join(world.folder, 'restored')
    const contents = join(world.server.dataDir, 'files')
    const parts = await restore(to, '--database', database, '--contents', contents, '--json')
    assert.deepEqual([parts.code, parts.result.contents], [0, 5])
    assert.equal(filesIn(join(to, 'files')).length, 5)
    // As a copy of a data folder has it after a crash.
    writeFileSync(join(world.folder, 'copy.sqlite'), readFileSync(database))
    writeFileSync(join(world.folder, 'copy.sqlite-wal'), 'changes')
    const copied = ['--database', join(world.folder, 'copy.sqlite'), '--contents', contents]
    const refused = await restore(join(world.folder, 'other'), ...copied)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /copy\.sqlite-wal is not empty/)
  })
})
