import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { acquireLock } from '../../src/db/lock.ts'
import {
  command,
  damaged,
  filesIn,
  manifestOf,
  redated,
  sha256,
  signIn,
} from '../support/backups.ts'
import { storedContents } from '../support/files.ts'
import { commandLine, type SpawnedServer, spawnServer } from '../support/spawn.ts'

const COLORS = ['red', 'green', 'blue', 'white', 'navy']

let server: SpawnedServer
let admin: Awaited<ReturnType<typeof signIn>>
const uploaded: { id: string; bytes: Uint8Array }[] = []
/** Folders that a test makes, by names that it gives them. */
let folder: string
let dir: string

const backup = (...args: string[]) => command(server.dataDir, ['backup', ...args])
/** Makes a backup that is taken for one of an earlier day, and returns its name: of one day, only the last is kept. */
const backupOf = async (day: string, ...args: string[]) => {
  const { result } = await backup(dir, '--json', ...args)
  const name = `${day}T03-00-00.000Z`
  const own = join(dir, 'generations', name)
  renameSync(join(dir, 'generations', result.generation), own)
  const manifest = readFileSync(join(own, 'manifest'), 'utf8')
  writeFileSync(join(own, 'manifest'), redated(manifest, `${day}T03:00:00.000Z`))
  return name
}
const inBackup = (bytes: Uint8Array) => {
  const found = filesIn(join(dir, 'contents')).find(
    (path) => sha256(readFileSync(join(dir, 'contents', path))) === sha256(bytes),
  )
  return join(dir, 'contents', found!)
}

before(async () => {
  server = await spawnServer()
  admin = await signIn(server)
  const { id } = (await (await admin.call('POST', '/tags', { name: 'Sea' })).json()) as {
    id: string
  }
  for (const color of COLORS) uploaded.push(await admin.upload(`${color}.jpg`, color, [id]))
})
after(() => server.stop())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-backup-'))
  dir = join(folder, 'backups')
})
afterEach(() => rm(folder, { recursive: true }))

describe('a backup beside a server', () => {
  it('has each content once, and a generation whose manifest names them', async () => {
    const before = Date.now()
    const { code, result, stderr } = await backup(dir, '--json')
    assert.deepEqual([code, stderr], [0, ''])
    const generation = result.generation as string
    const { head, lines, foot, above } = manifestOf(dir, generation)
    const expected = uploaded.map(({ bytes }) => [bytes.length, sha256(bytes)])
    assert.deepEqual(lines.map(({ size, sha256 }) => [size, sha256]).sort(), expected.toSorted())
    const blobs = lines.map(({ blob }) => blob as string)
    assert.deepEqual(blobs, blobs.toSorted())
    for (const { blob, sha256: digest } of lines) {
      assert.equal(sha256(readFileSync(join(dir, 'contents', blob.slice(0, 2), blob))), digest)
    }
    assert.deepEqual(foot, { lines: 5, sha256: sha256(Buffer.from(above)) })
    const database = readFileSync(join(dir, 'generations', generation, 'database'))
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
    const own = filesIn(dir).filter((path) => !path.startsWith('contents/'))
    assert.deepEqual(own, [
      `generations/${generation}/database`,
      `generations/${generation}/manifest`,
      'lock',
    ])
    assert.equal(filesIn(dir).length, 5 + 3)
  })

  it('is for the account alone that makes it', async () => {
    await backup(dir)
    for (const path of filesIn(dir)) assert.equal(statSync(join(dir, path)).mode & 0o077, 0, path)
  })

  it('copies only what has come, and lets what is there be', async () => {
    await backup(dir)
    const times = () =>
      filesIn(join(dir, 'contents')).map((path) => [
        path,
        statSync(join(dir, 'contents', path)).ino,
      ])
    const first = times()
    const more = await admin.upload('more.jpg', 'teal')
    const { result } = await backup(dir, '--json')
    assert.deepEqual(
      [result.contents, result.copied, result.copied_bytes],
      [6, 1, more.bytes.length],
    )
    for (const one of first) assert.ok(times().some((other) => String(other) === String(one)))
    await admin.call('DELETE', `/files/${more.id}`)
    await admin.call('DELETE', `/files/${more.id}/permanent`)
  })

  it('has the key that tokens are signed with only when that is asked for', async () => {
    const { result } = await backup(dir, '--with-secret', '--json')
    const copy = readFileSync(join(dir, 'generations', result.generation, 'secret.key'))
    assert.deepEqual(copy, readFileSync(join(server.dataDir, 'secret.key')))
    assert.equal(manifestOf(dir, result.generation).head.secret, sha256(copy))
  })

  it('has links in place of copies when that is asked for, and copies again when it is not', async () => {
    const linked = await backup(dir, '--link', '--json')
    assert.deepEqual([linked.result.linked, linked.result.same_disk], [true, true])
    assert.equal(manifestOf(dir, linked.result.generation).head.linked, true)
    for (const path of filesIn(join(dir, 'contents'))) {
      assert.equal(statSync(join(dir, 'contents', path)).nlink, 2)
    }
    const { stdout } = await backup(dir)
    assert.match(stdout, /same disk as the library: guards against deletion only/)
    for (const path of filesIn(join(dir, 'contents'))) {
      assert.equal(statSync(join(dir, 'contents', path)).nlink, 1)
    }
  })

  it('is refused while another one runs', async () => {
    const lock = acquireLock(join(server.dataDir, 'backup.lock'), 'taken')
    const { code, stdout, stderr } = await backup(dir)
    lock.release()
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', "Tagstead can't backup: Another backup is running\n"],
    )
    assert.ok(!existsSync(dir))
  })

  it('is refused while a library of the same backups writes there', async () => {
    mkdirSync(dir)
    const lock = acquireLock(join(dir, 'lock'), 'taken')
    const { code, stderr } = await backup(dir)
    lock.release()
    assert.equal(code, 1)
    assert.match(stderr, /Another backup into .* is running/)
  })

  it('runs with less priority than a server, and no more than it has', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir }
    const line = ['-n', '15', ...commandLine(), 'backup', dir]
    assert.match(execFileSync('nice', line, { env, encoding: 'utf8' }), /5 contents/)
  })

  it('is refused in the data folder, around it, and on a disk that is not there', async () => {
    for (const [place, words] of [
      [join(server.dataDir, 'backups'), /must not lie in the data folder/],
      [join(server.dataDir, '..'), /must not lie in the data folder, or hold it/],
      [join(folder, 'mnt', 'backups'), /There is no folder .*mnt: is its disk mounted\?/],
    ] as const) {
      const { code, stdout, stderr } = await backup(place)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, words)
    }
    assert.deepEqual(filesIn(folder), [])
    assert.ok(!existsSync(join(server.dataDir, 'backups')))
  })

  it('is refused where the backups of another library are', async () => {
    const other = await spawnServer()
    await command(other.dataDir, ['backup', dir])
    const before = filesIn(dir)
    const { code, stderr } = await backup(dir)
    assert.equal(code, 1)
    assert.match(stderr, /has the backups of another library/)
    assert.deepEqual(filesIn(dir), before)
    await other.stop()
  })

  it('names a content that the library has lost, and has all else', async () => {
    const { result } = await backup(dir, '--json')
    const { lines } = manifestOf(dir, result.generation)
    const [lost, broken, unreadable, ...rest] = lines.map(({ blob }) => blob as string)
    const pathOf = (blob: string) => join(server.dataDir, 'files', blob.slice(0, 2), blob)
    const [ofLost, ofBroken] = [lost!, broken!].map((blob) => readFileSync(pathOf(blob)))
    const aside = join(folder, 'aside')
    renameSync(pathOf(unreadable!), aside)
    mkdirSync(pathOf(unreadable!))
    rmSync(pathOf(lost!))
    writeFileSync(pathOf(broken!), damaged(ofBroken!))
    rmSync(dir, { recursive: true })
    const second = await backup(dir, '--json')
    writeFileSync(pathOf(lost!), ofLost!)
    writeFileSync(pathOf(broken!), ofBroken!)
    rmSync(pathOf(unreadable!), { recursive: true })
    renameSync(aside, pathOf(unreadable!))
    const missing = [lost, broken, unreadable]
    assert.deepEqual([second.code, second.result.missing], [1, missing])
    const told = manifestOf(dir, second.result.generation).lines
    assert.deepEqual(
      told.filter((line) => line.missing).map(({ blob }) => blob),
      missing,
    )
    const there = filesIn(join(dir, 'contents')).map((path) => path.slice(3))
    assert.deepEqual(there, rest)
    const { code, result: verified } = await backup('--verify', dir, '--json')
    assert.equal(code, 1)
    assert.deepEqual(
      verified.findings.map(({ subject }: { subject: string }) =>
        subject.slice('contents/00/'.length),
      ),
      missing,
    )
    // The next one brings them.
    assert.equal((await backup(dir, '--json')).result.copied, 3)
  })

  it('keeps the generations that it is told to keep', async () => {
    const [first, second] = [await backupOf('2026-01-01'), await backupOf('2026-01-02')]
    const third = await backup(dir, '--keep', '1,0,0', '--json')
    assert.deepEqual(third.result.removed, [first, second])
    assert.deepEqual([third.result.removed_contents, third.result.unremoved], [0, null])
    const more = await admin.upload('short.jpg', 'olive')
    await backup(dir)
    await admin.call('DELETE', `/files/${more.id}`)
    await admin.call('DELETE', `/files/${more.id}/permanent`)
    const last = await backup(dir, '--keep', '0,0,0', '--json')
    assert.equal(last.result.removed_contents, 1)
    assert.equal(filesIn(join(dir, 'contents')).length, 5)
    assert.equal(filesIn(join(dir, 'generations')).length, 2)
    assert.equal((await backup('--verify', dir)).code, 0)
  })

  it('removes nothing while the manifest of one that is to be kept is damaged', async () => {
    const [oldest, kept] = [await backupOf('2026-01-01'), await backupOf('2026-01-02')]
    const path = join(dir, 'generations', kept, 'manifest')
    writeFileSync(path, damaged(readFileSync(path)))
    const shelf = filesIn(join(dir, 'contents'))[0]!.slice(0, 2)
    writeFileSync(join(dir, 'contents', shelf, '0'.repeat(32)), '')
    const { code, result } = await backup(dir, '--keep', '2,0,0', '--json')
    assert.deepEqual([code, result.removed, result.removed_contents], [0, [], 0])
    assert.match(result.unremoved, new RegExp(`^generations/${kept}: the manifest `))
    assert.equal(filesIn(join(dir, 'contents')).length, 6)
    assert.ok(existsSync(join(dir, 'generations', oldest)))
  })

  it('is not taken for one without its foot, which the next one clears away', async () => {
    const { result } = await backup(dir, '--json')
    const own = join(dir, 'generations', result.generation)
    rmSync(join(own, 'manifest'))
    assert.match((await backup('--verify', dir)).stderr, /There is no backup in/)
    await backup(dir)
    assert.ok(!existsSync(own))
  })
})

describe('the proof of a backup', () => {
  const faultsNow = async (...args: string[]) => {
    const { code, result } = await backup('--verify', dir, '--json', ...args)
    assert.equal(code, result.findings.length === 0 ? 0 : 1)
    return result.findings as { subject: string; fault: string }[]
  }

  it('finds nothing wrong with one that is as it was written', async () => {
    await backupOf('2026-01-01')
    await backup(dir)
    const { code, stdout } = await backup('--verify', dir)
    assert.equal(code, 0)
    assert.match(stdout, /\ngenerations: 2, contents: 5 \(.*\), faults: 0\n$/)
  })

  it('names a content with one bit changed, one cut short and one that is gone, and heals with --full', async () => {
    await backup(dir)
    const [first, second, third] = uploaded.map(({ bytes }) => inBackup(bytes))
    writeFileSync(first!, damaged(readFileSync(first!)))
    writeFileSync(second!, readFileSync(second!).subarray(0, 10))
    rmSync(third!)
    const found = await faultsNow()
    assert.deepEqual(
      found.map(({ subject }) => join(dir, subject)).sort(),
      [first, second, third].sort(),
    )
    const { result } = await backup(dir, '--full', '--json')
    assert.equal(result.copied, 3)
    assert.deepEqual(await faultsNow(), [])
  })

  it('names a database or a manifest with one bit changed', async () => {
    const { result } = await backup(dir, '--json')
    for (const file of ['database', 'manifest']) {
      const subject = `generations/${result.generation}/${file}`
      const bytes = readFileSync(join(dir, subject))
      writeFileSync(join(dir, subject), damaged(bytes))
      const found = await faultsNow('--at', result.generation)
      assert.deepEqual(
        found.map((finding) => finding.subject),
        [subject],
      )
      writeFileSync(join(dir, subject), bytes)
    }
    assert.deepEqual(await faultsNow(), [])
  })
})

describe('a check with a backup', () => {
  const paths = () => storedContents(server.dataDir)
  const check = async (...args: string[]) => {
    const { code, stdout } = await command(server.dataDir, ['check', '--json', ...args])
    const told = stdout.trimEnd().split('\n')
    const findings = told.map((line) => JSON.parse(line)).filter(({ type }) => type === 'finding')
    return { code, findings: findings as { kind: string; subject: string; repaired: boolean }[] }
  }

  it('heals what the library lacks, and nothing from what is damaged too', async () => {
    await backup(dir)
    const [missing, broken, lost] = paths()
    const before = [missing, broken, lost].map((path) =>
      readFileSync(join(server.dataDir, 'files', path!)),
    )
    rmSync(join(server.dataDir, 'files', missing!))
    writeFileSync(join(server.dataDir, 'files', broken!), damaged(before[1]!))
    rmSync(join(server.dataDir, 'files', lost!))
    writeFileSync(join(dir, 'contents', lost!), damaged(before[2]!))
    const { code, findings } = await check('--repair', '--from', dir)
    assert.equal(code, 1)
    const told = findings.map(({ kind, subject, repaired }) => [kind, subject, repaired])
    assert.deepEqual(
      told.sort(),
      [
        ['content_damaged', broken!.slice(3), true],
        ['content_missing', missing!.slice(3), true],
        ['content_missing', lost!.slice(3), false],
      ].sort(),
    )
    for (const [at, path] of [missing, broken].entries()) {
      assert.deepEqual(readFileSync(join(server.dataDir, 'files', path!)), before[at])
    }
    writeFileSync(join(dir, 'contents', lost!), before[2]!)
    assert.equal((await check('--repair', '--from', dir)).code, 0)
    assert.deepEqual(await check(), { code: 0, findings: [] })
  })

  it('takes nothing from a link to what is damaged', async () => {
    await backup(dir, '--link')
    const [path] = paths()
    const content = join(server.dataDir, 'files', path!)
    const before = readFileSync(content)
    writeFileSync(content, damaged(before))
    const { code, findings } = await check('--repair', '--from', dir)
    assert.deepEqual([code, findings.map(({ repaired }) => repaired)], [1, [false]])
    writeFileSync(content, before)
  })

  it('refuses the backups of another library, and a folder without any', async () => {
    const other = await spawnServer()
    await command(other.dataDir, ['backup', dir])
    await other.stop()
    for (const [from, words] of [
      [dir, /has the backups of another library/],
      [folder, /There is no backup in/],
    ] as const) {
      const { code, stderr } = await command(server.dataDir, ['check', '--repair', '--from', from])
      assert.equal(code, 1)
      assert.match(stderr, words)
    }
  })
})

describe('a restore', () => {
  const restore = (to: string, ...args: string[]) => command(to, ['restore', ...args])
  const everything = async (one: typeof admin) => {
    const { items } = (await one.get('/files?limit=200')) as { items: { id: string }[] }
    const contents = await Promise.all(items.map(({ id }) => one.bytes(`/files/${id}/content`)))
    const lists = ['/tags', '/pools', '/categories', '/users', '/audit'].map((path) =>
      one.get(path),
    )
    return { items, contents: contents.map(sha256), lists: await Promise.all(lists) }
  }

  it('gives back what there was, object by object, and has all sign in again', async () => {
    const before = await everything(admin)
    await backup(dir)
    await admin.call('POST', '/tags', { name: 'Afterwards' }).then(async (answer) => {
      const { id } = (await answer.json()) as { id: string }
      await admin.call('DELETE', `/tags/${id}`)
    })
    const to = join(folder, 'restored')
    const { code, stdout, stderr } = await restore(to, dir)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /: 5 of 5 contents \(.*\)\n$/)
    const restored = await spawnServer({ dataDir: to })
    const refresh = await fetch(`${restored.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: admin.refresh_token }),
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
    await backup(dir)
    const to = join(folder, 'restored')
    mkdirSync(join(to, 'lost+found'), { recursive: true })
    writeFileSync(join(to, 'mine.txt'), '')
    const { code, stderr } = await restore(to, dir)
    assert.equal(code, 1)
    assert.match(stderr, /is not empty: a library is restored into an empty data folder only/)
    assert.deepEqual(filesIn(to), ['mine.txt'])
    rmSync(join(to, 'mine.txt'))
    assert.equal((await restore(to, dir)).code, 0)
  })

  it('goes on when it was interrupted, before which no server starts', async () => {
    await backup(dir)
    const to = join(folder, 'restored')
    mkdirSync(to)
    writeFileSync(join(to, 'restoring'), '')
    writeFileSync(join(to, 'tagstead.sqlite.part'), 'half')
    writeFileSync(
      join(to, 'tagstead.sqlite.part-journal'),
      readFileSync(join(server.dataDir, 'secret.key')),
    )
    await assert.rejects(spawnServer({ dataDir: to }), /has not come to its end: run it again/)
    const { stderr } = await command(to, ['user', 'list'])
    assert.match(stderr, /There is no library|has not come to its end/)
    assert.equal((await restore(to, dir)).code, 0)
    assert.ok(!existsSync(join(to, 'restoring')) && !existsSync(join(to, 'tagstead.sqlite.part')))
    await (await spawnServer({ dataDir: to })).stop()
  })

  it('lists what the backup has not as it was written, and restores the rest', async () => {
    await backup(dir)
    const [first, second] = uploaded.map(({ bytes }) => inBackup(bytes))
    writeFileSync(first!, damaged(readFileSync(first!)))
    rmSync(second!)
    const to = join(folder, 'restored')
    const { code, result } = await restore(to, dir, '--json')
    assert.equal(code, 1)
    const nameOf = (path: string) => path.slice(-32)
    assert.deepEqual([result.damaged, result.missing], [[nameOf(first!)], [nameOf(second!)]])
    assert.equal(filesIn(join(to, 'files')).length, 3)
  })

  it('refuses a database or a manifest that is damaged, and leaves no library', async () => {
    const { result } = await backup(dir, '--json')
    for (const file of ['database', 'manifest']) {
      const path = join(dir, 'generations', result.generation, file)
      const bytes = readFileSync(path)
      writeFileSync(path, damaged(bytes))
      const to = join(folder, `of a damaged ${file}`)
      const { code, stderr } = await restore(to, dir)
      assert.equal(code, 1)
      assert.match(stderr, /damaged|no content|no head/)
      assert.deepEqual(existsSync(to) ? filesIn(to).filter((name) => name !== 'lock') : [], [])
      writeFileSync(path, bytes)
    }
  })

  it('takes the generation that is named, and the key if that is asked for', async () => {
    const first = await backupOf('2026-01-01', '--with-secret')
    const more = await admin.upload('later.jpg', 'gold')
    await backup(dir)
    await admin.call('DELETE', `/files/${more.id}`)
    await admin.call('DELETE', `/files/${more.id}/permanent`)
    const to = join(folder, 'restored')
    const { result } = await restore(to, dir, '--at', first, '--with-secret', '--json')
    assert.equal(result.contents, 5)
    const key = (dataDir: string) => readFileSync(join(dataDir, 'secret.key'), 'utf8')
    assert.equal(key(to), key(server.dataDir))
    const restored = await spawnServer({ dataDir: to })
    const headers = { Authorization: `Bearer ${admin.access_token}` }
    assert.equal((await fetch(`${restored.url}/api/v1/files`, { headers })).status, 200)
    await restored.stop()
    const newest = await restore(join(folder, 'newest'), dir, '--with-secret')
    assert.match(newest.stderr, /has no secret\.key/)
    const unknown = await restore(join(folder, 'unknown'), dir, '--at', '2001-01-01T00-00-00.000Z')
    assert.match(unknown.stderr, /There is no generation 2001-01-01T00-00-00\.000Z in/)
  })

  it('takes a database and contents that other programs have copied', async () => {
    const { result } = await backup(dir, '--json')
    const database = join(dir, 'generations', result.generation, 'database')
    const to = join(folder, 'restored')
    const contents = join(server.dataDir, 'files')
    const parts = await restore(to, '--database', database, '--contents', contents, '--json')
    assert.deepEqual([parts.code, parts.result.contents], [0, 5])
    assert.equal(filesIn(join(to, 'files')).length, 5)
    // As a copy of a data folder has it after a crash.
    writeFileSync(join(folder, 'copy.sqlite'), readFileSync(database))
    writeFileSync(join(folder, 'copy.sqlite-wal'), 'changes')
    const copied = ['--database', join(folder, 'copy.sqlite'), '--contents', contents]
    const refused = await restore(join(folder, 'other'), ...copied)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /copy\.sqlite-wal is not empty/)
  })
})

describe('wrong usage', () => {
  it('is told apart from what failed', async () => {
    for (const args of [
      ['backup'],
      ['backup', 'a', 'b'],
      ['backup', 'a', '--keep', '1,2'],
      ['backup', 'a', '--at', 'x'],
      ['backup', '--verify', 'a', '--link'],
      ['restore'],
      ['restore', 'a', '--database', 'b'],
      ['restore', '--database', 'b'],
      ['restore', '--database', 'b', '--contents', 'c', '--at', 'd'],
    ]) {
      const { code, stderr } = await command(server.dataDir, args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, /^Usage: tagstead/)
    }
  })
})
