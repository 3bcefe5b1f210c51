import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../../../src/db/client.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { check, withCheckedLibrary } from '../../support/checked-library.ts'
import { form, picture } from '../../support/harness.ts'
import { without } from '../../support/media/media.ts'
import { commandLine } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'

const run = promisify(execFile)
const withoutTerminal = without('script', '--version')
const BLOB = 'ab00112233445566778899aabbccddee'

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('tagstead check', () => {
  const library = withCheckedLibrary()

  it('finds nothing beside the server that has just taken uploads, and while it takes more', async () => {
    assert.deepEqual(await check(library.server.dataDir), {
      code: 0,
      stdout: '4 contents read, the audit log has 6 entries of 1 KiB: nothing is wrong\n',
      stderr: '',
    })
    let isOver = false
    const changing = (async () => {
      for (let n = 10; !isOver; n++) {
        const id = await library.upload(n)
        if (n % 3 === 0) {
          await library.admin.call(
            'PUT',
            `/files/${id}/content`,
            form(await picture(n + 1), 'other.jpg'),
          )
        }
        if (n % 2 === 0) {
          await library.admin.call('DELETE', `/files/${id}`)
          await library.admin.call('DELETE', `/files/${id}/permanent`)
        }
      }
    })()
    try {
      for (const args of [[], ['--repair'], ['--quick'], ['--part', '1/2', '--repair']]) {
        const { code, stdout, stderr } = await check(library.server.dataDir, ...args)
        assert.deepEqual([code, stderr], [0, ''], stdout)
        assert.match(
          stdout,
          /^\d+ contents read, the audit log has \d+ entries of \d+ KiB: nothing is wrong\n$/,
        )
      }
    } finally {
      isOver = true
      await changing
    }
    assert.equal(existsSync(join(library.server.dataDir, 'lost+found')), false)
  })

  it('tells what it finds, line by line, and what it mends', async () => {
    const folder = library.copied()
    const { content } = dataFolder(folder)
    const db = openDatabase(join(folder, 'tagstead.sqlite'))
    const [first] = db.all<{ blob: string; id: string }>(
      'SELECT blob, lower(hex(id)) AS id FROM file_details JOIN files ON rid = file_rid ORDER BY rid',
    )
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    truncateSync(content(first!.blob), 3)
    writeFileSync(content(`${first!.blob.slice(0, 2)}${BLOB.slice(2)}`), 'bytes')

    const found = await check(folder, '--json')
    assert.deepEqual([found.code, found.stderr], [1, ''])
    const lines = linesOf(found.stdout)
    assert.deepEqual(
      lines.map(({ type, kind, repaired }) => [type, kind, repaired]),
      [
        ['finding', 'usage', false],
        ['finding', 'content_unknown', false],
        ['finding', 'content_size', false],
        ['done', undefined, 0],
      ],
    )
    assert.deepEqual(Object.keys(lines[0]!).sort(), [
      'kind',
      'repaired',
      'sentence',
      'subject',
      'type',
    ])
    assert.ok(!found.stdout.includes(folder))

    const text = await check(folder, '--repair')
    assert.equal(text.code, 1)
    const [usage, unknown, size, summary] = text.stdout.split('\n')
    assert.match(usage!, /^usage 1: The user is said to have 99 files of .* \(repaired\)$/)
    assert.match(unknown!, /^content_unknown \w{32}: .*lost\+found.* \(repaired\)$/)
    assert.match(size!, new RegExp(`^content_size ${first!.blob}: .* has 3 bytes instead of \\d+$`))
    assert.match(summary!, /^\d+ contents read, .*: 3 findings, 2 repaired$/)
    assert.equal(
      readFileSync(join(folder, 'lost+found', first!.blob.slice(0, 2) + BLOB.slice(2)), 'utf8'),
      'bytes',
    )

    rmSync(content(first!.blob))
    const still = await check(folder, '--quick', '--json')
    assert.equal(still.code, 1)
    assert.deepEqual(
      linesOf(still.stdout).map(({ kind, contents_read }) => kind ?? contents_read),
      ['content_missing', 0],
    )
    rmSync(folder, { recursive: true })
  })

  it('ends with 0 when all was mended, and mends nothing unless asked to', async () => {
    const folder = library.copied()
    const path = join(folder, 'tagstead.sqlite')
    const db = openDatabase(path)
    db.run('UPDATE usage SET file_count = 99')
    db.close()
    for (const [args, code] of [
      [[], 1],
      [['--quick'], 1],
      [['--repair', '--part', '2/9'], 0],
      [[], 0],
    ] as const) {
      assert.equal((await check(folder, ...args)).code, code)
    }
    rmSync(folder, { recursive: true })
  })

  it('repairs once at a time', async () => {
    const folder = library.copied()
    const lock = acquireLock(dataFolder(folder).checkLock, '')
    const { code, stderr } = await check(folder, '--repair')
    assert.equal(code, 1)
    assert.match(stderr, /The library is being repaired already/)
    assert.equal((await check(folder)).code, 0)
    lock.release()
    rmSync(folder, { recursive: true })
  })

  it('tells that a file is no database, or one that is damaged', async () => {
    const folder = library.copied()
    const path = join(folder, 'tagstead.sqlite')
    const bytes = readFileSync(path)
    for (const damage of [
      bytes.fill(7, 0, 40),
      bytes.fill(7, 0, 5000),
      Buffer.from('no database'.repeat(99)),
    ]) {
      writeFileSync(path, damage)
      const { code, stdout, stderr } = await check(folder, '--json')
      assert.deepEqual([code, stderr], [1, ''])
      assert.equal(linesOf(stdout)[0]!.kind, 'database_damaged')
    }
    rmSync(folder, { recursive: true })
  })

  it('needs a library of its own version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tagstead-'))
    const without = await check(folder)
    assert.deepEqual([without.code, without.stdout], [1, ''])
    assert.match(without.stderr, /There is no library/)
    assert.deepEqual(readdirSync(folder), [])
    rmSync(folder, { recursive: true })
    const older = library.copied()
    const db = openDatabase(join(older, 'tagstead.sqlite'))
    db.run(
      'DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    )
    db.close()
    const { code, stderr } = await check(older, '--repair')
    assert.equal(code, 1)
    assert.match(stderr, /The library is of an older version/)
    rmSync(older, { recursive: true })
  })

  // help.test.ts has unknown options and wrong values.
  for (const args of [
    ['here'],
    ['--quick', '--part', '1/2'],
    ['--part'],
    ['--part', '0/2'],
    ['--part', 'x'],
    ['--from', '/backup'],
  ]) {
    it(`shows how it is used in place of "${args.join(' ')}"`, async () => {
      const { code, stdout, stderr } = await check(library.server.dataDir, ...args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: tagstead check /m)
    })
  }

  it('shows on a terminal how far it is', { skip: withoutTerminal }, async () => {
    const command = [...commandLine(), 'check'].map((part) => `'${part}'`).join(' ')
    const { stdout } = await run('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, DATA_DIR: library.server.dataDir },
      cwd: tmpdir(),
    })
    assert.match(stdout, /Checking █{30} 100 %/)
    assert.match(stdout, / KiB: nothing is wrong/)
  })
})
