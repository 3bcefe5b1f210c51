import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { acquireLock } from '../../../src/db/lock.ts'
import { eachWithBackups } from '../../support/backup-world.ts'
import { command, damaged, filesIn, manifestOf, sha256 } from '../../support/backups.ts'
import { spawnServer } from '../../support/spawn.ts'
import { lookWhileStuck, whileNobodyCanRead, withoutPipes } from '../../support/stuck-command.ts'
import { describe, it } from '../../support/test.ts'

const world = eachWithBackups()

describe('a backup beside a server', () => {
  it('has each content once, and a generation whose manifest names them', async () => {
    const before = Date.now()
    const { code, result, stderr } = await world.backup(world.dir, '--json')
    assert.deepEqual([code, stderr], [0, ''])
    const generation = result.generation as string
    const { head, lines, foot, above } = manifestOf(world.dir, generation)
    const expected = world.uploaded.map(({ bytes }) => [bytes.length, sha256(bytes)])
    assert.deepEqual(lines.map(({ size, sha256 }) => [size, sha256]).sort(), expected.toSorted())
    const blobs = lines.map(({ blob }) => blob as string)
    assert.deepEqual(blobs, blobs.toSorted())
    for (const { blob, sha256: digest } of lines) {
      assert.equal(
        sha256(readFileSync(join(world.dir, 'contents', blob.slice(0, 2), blob))),
        digest,
      )
    }
    assert.deepEqual(foot, { lines: 5, sha256: sha256(Buffer.from(above)) })
    const database = readFileSync(join(world.dir, 'generations', generation, 'database'))
    const { library, version, migration, made_at, ...rest } = head
    assert.deepEqual(rest, {
      format: 1,
      linked: false,
      database: { size: database.length, sha256: sha256(database) },
    })
    assert.match(library, /^[0-9a-f]{32}$/)
    assert.equal(version, '3.0.0')
    assert.ok(Number.isInteger(migration))
    assert.equal(made_at.replaceAll(':', '-'), generation)
    assert.ok(Date.parse(made_at) >= before && Date.parse(made_at) <= Date.now())
    const own = filesIn(world.dir).filter((path) => !path.startsWith('contents/'))
    assert.deepEqual(own, [
      `generations/${generation}/database`,
      `generations/${generation}/manifest`,
      'lock',
    ])
    assert.equal(filesIn(world.dir).length, 5 + 3)
  })

  it('is for the account alone that makes it', async () => {
    await world.backup(world.dir)
    for (const path of filesIn(world.dir))
      assert.equal(statSync(join(world.dir, path)).mode & 0o077, 0, path)
  })

  it('copies only what has come, and lets what is there be', async () => {
    await world.backup(world.dir)
    const times = () =>
      filesIn(join(world.dir, 'contents')).map((path) => [
        path,
        statSync(join(world.dir, 'contents', path)).ino,
      ])
    const first = times()
    const more = await world.admin.upload('more.jpg', 'teal')
    const { result } = await world.backup(world.dir, '--json')
    assert.deepEqual(
      [result.contents, result.copied, result.copied_bytes],
      [6, 1, more.bytes.length],
    )
    for (const one of first) assert.ok(times().some((other) => String(other) === String(one)))
    await world.admin.call('DELETE', `/files/${more.id}`)
    await world.admin.call('DELETE', `/files/${more.id}/permanent`)
  })

  it('has the key that tokens are signed with only when that is asked for', async () => {
    const { result } = await world.backup(world.dir, '--with-secret', '--json')
    const copy = readFileSync(join(world.dir, 'generations', result.generation, 'secret.key'))
    assert.deepEqual(copy, readFileSync(join(world.server.dataDir, 'secret.key')))
    assert.equal(manifestOf(world.dir, result.generation).head.secret, sha256(copy))
  })

  it('has links in place of copies when that is asked for, and copies again when it is not', async () => {
    const linked = await world.backup(world.dir, '--link', '--json')
    assert.deepEqual([linked.result.linked, linked.result.same_disk], [true, true])
    assert.equal(manifestOf(world.dir, linked.result.generation).head.linked, true)
    for (const path of filesIn(join(world.dir, 'contents'))) {
      assert.equal(statSync(join(world.dir, 'contents', path)).nlink, 2)
    }
    const { code, stderr } = await world.backup(world.dir)
    const told = `${world.dir} is on the disk of the library and protects only against deletion`
    assert.deepEqual([code, stderr], [0, `${told}: is its own disk mounted?\n`])
    for (const path of filesIn(join(world.dir, 'contents'))) {
      assert.equal(statSync(join(world.dir, 'contents', path)).nlink, 1)
    }
  })

  it('is refused while another one runs', async () => {
    const lock = acquireLock(join(world.server.dataDir, 'backup.lock'), 'taken')
    const { code, stdout, stderr } = await world.backup(world.dir)
    lock.release()
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', "Tagstead can't backup: Another backup is running\n"],
    )
    assert.ok(!existsSync(world.dir))
  })

  it('is refused while a library of the same backups writes there', async () => {
    mkdirSync(world.dir)
    const lock = acquireLock(join(world.dir, 'lock'), 'taken')
    const { code, stderr } = await world.backup(world.dir)
    lock.release()
    assert.equal(code, 1)
    assert.match(stderr, /Another backup or restore is at work in /)
  })

  it('runs with less priority than a server, and no more than it has', {
    skip: withoutPipes,
  }, async () => {
    const { dataDir } = world.server
    const contents = join(dataDir, 'files')
    const path = join(contents, filesIn(contents).find((name) => /^[0-9a-f]{2}\//.test(name))!)
    // 19 is the least there is.
    const slowest = Math.min(19, getPriority() + 15)
    await whileNobodyCanRead(path, async () => {
      for (const [more, expected] of [
        ['0', Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)],
        ['15', slowest],
      ] as const) {
        const dir = join(world.folder, `backups-${more}`)
        const options = { dataDir, sign: join(dir, 'contents'), by: ['nice', '-n', more] }
        await lookWhileStuck(['backup', dir], options, (pid) =>
          assert.equal(getPriority(pid), expected),
        )
      }
    })
  })

  it('is refused in the data folder, around it, and on a disk that is not there', async () => {
    for (const [place, words] of [
      [join(world.server.dataDir, 'backups'), /must not lie in the data folder/],
      [join(world.server.dataDir, '..'), /must not lie in the data folder, or hold it/],
      [join(world.folder, 'mnt', 'backups'), /There is no folder .*mnt: is its disk mounted\?/],
    ] as const) {
      const { code, stdout, stderr } = await world.backup(place)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, words)
    }
    assert.deepEqual(filesIn(world.folder), [])
    assert.ok(!existsSync(join(world.server.dataDir, 'backups')))
  })

  it('is refused where the backups of another library are', async () => {
    const other = await spawnServer()
    await command(other.dataDir, ['backup', world.dir])
    const before = filesIn(world.dir)
    const { code, stderr } = await world.backup(world.dir)
    assert.equal(code, 1)
    assert.match(stderr, /has the backups of another library/)
    assert.deepEqual(filesIn(world.dir), before)
    await other.stop()
  })

  it('names a content that the library has lost, and has all else', async () => {
    const { result } = await world.backup(world.dir, '--json')
    const { lines } = manifestOf(world.dir, result.generation)
    const [lost, broken, unreadable, ...rest] = lines.map(({ blob }) => blob as string)
    const pathOf = (blob: string) => join(world.server.dataDir, 'files', blob.slice(0, 2), blob)
    const [ofLost, ofBroken] = [lost!, broken!].map((blob) => readFileSync(pathOf(blob)))
    const aside = join(world.folder, 'aside')
    renameSync(pathOf(unreadable!), aside)
    mkdirSync(pathOf(unreadable!))
    rmSync(pathOf(lost!))
    writeFileSync(pathOf(broken!), damaged(ofBroken!))
    rmSync(world.dir, { recursive: true })
    const second = await world.backup(world.dir, '--json')
    writeFileSync(pathOf(lost!), ofLost!)
    writeFileSync(pathOf(broken!), ofBroken!)
    rmSync(pathOf(unreadable!), { recursive: true })
    renameSync(aside, pathOf(unreadable!))
    const missing = [lost, broken, unreadable]
    assert.deepEqual([second.code, second.result.missing], [1, missing])
    const told = manifestOf(world.dir, second.result.generation).lines
    assert.deepEqual(
      told.filter((line) => line.missing).map(({ blob }) => blob),
      missing,
    )
    const there = filesIn(join(world.dir, 'contents')).map((path) => path.slice(3))
    assert.deepEqual(there, rest)
    const { code, result: verified } = await world.backup('--verify', world.dir, '--json')
    assert.equal(code, 1)
    assert.deepEqual(
      verified.findings.map(({ subject }: { subject: string }) =>
        subject.slice('contents/00/'.length),
      ),
      missing,
    )
    // The next one brings them.
    assert.equal((await world.backup(world.dir, '--json')).result.copied, 3)
  })

  it('keeps the generations that it is told to keep', async () => {
    const [first, second] = [await world.backupOf('2026-01-01'), await world.backupOf('2026-01-02')]
    const third = await world.backup(world.dir, '--keep', '1,0,0', '--json')
    assert.deepEqual(third.result.removed, [first, second])
    assert.deepEqual([third.result.removed_contents, third.result.unremoved], [0, null])
    const more = await world.admin.upload('short.jpg', 'olive')
    await world.backup(world.dir)
    await world.admin.call('DELETE', `/files/${more.id}`)
    await world.admin.call('DELETE', `/files/${more.id}/permanent`)
    const last = await world.backup(world.dir, '--keep', '0,0,0', '--json')
    assert.equal(last.result.removed_contents, 1)
    assert.equal(filesIn(join(world.dir, 'contents')).length, 5)
    assert.equal(filesIn(join(world.dir, 'generations')).length, 2)
    assert.equal((await world.backup('--verify', world.dir)).code, 0)
  })

  it('removes nothing while the manifest of one that is to be kept is damaged', async () => {
    const [oldest, kept] = [await world.backupOf('2026-01-01'), await world.backupOf('2026-01-02')]
    const path = join(world.dir, 'generations', kept, 'manifest')
    writeFileSync(path, damaged(readFileSync(path)))
    const shelf = filesIn(join(world.dir, 'contents'))[0]!.slice(0, 2)
    writeFileSync(join(world.dir, 'contents', shelf, '0'.repeat(32)), '')
    const { code, result } = await world.backup(world.dir, '--keep', '2,0,0', '--json')
    assert.deepEqual([code, result.removed, result.removed_contents], [1, [], 0])
    assert.match(result.unremoved, new RegExp(`^generations/${kept}: the manifest `))
    assert.equal(filesIn(join(world.dir, 'contents')).length, 6)
    assert.ok(existsSync(join(world.dir, 'generations', oldest)))
    const { stdout } = await world.backup(world.dir, '--keep', '2,0,0')
    assert.match(
      stdout,
      /^\S+ in .* copied now\nnothing was removed \(see docs\/backup.md\): generations\//,
    )
    // As the documentation says.
    rmSync(join(world.dir, 'generations', kept), { recursive: true })
    const next = await world.backup(world.dir, '--keep', '1,0,0', '--json')
    assert.deepEqual([next.code, next.result.removed_contents], [0, 1])
    assert.ok(!existsSync(join(world.dir, 'generations', oldest)))
  })

  it('is not taken for one without its foot, which the next one clears away', async () => {
    const { result } = await world.backup(world.dir, '--json')
    const own = join(world.dir, 'generations', result.generation)
    rmSync(join(own, 'manifest'))
    assert.match((await world.backup('--verify', world.dir)).stderr, /There is no backup in/)
    const tried = join(world.dir, 'sharing.part')
    writeFileSync(tried, '')
    await world.backup(world.dir)
    assert.ok(!existsSync(own) && !existsSync(tried))
  })
})

describe('wrong usage', () => {
  it('is told apart from what failed', async () => {
    for (const args of [
      ['backup'],
      ['backup', 'a', 'b'],
      ['backup', 'a', '--at', 'x'],
      ['backup', '--verify', 'a', '--link'],
      ['restore'],
      ['restore', 'a', '--database', 'b'],
      ['restore', '--contents', 'b'],
      ['restore', '--database', 'b', '--contents', 'c', '--at', 'd'],
    ]) {
      const { code, stderr } = await command(world.server.dataDir, args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, /^Usage: tagstead/m)
    }
  })
})
