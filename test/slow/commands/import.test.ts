import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { picture } from '../../support/harness.ts'
import { type ImportCommand, openImportCommand } from '../../support/import-command.ts'
import { namesIn, putFile } from '../../support/imports.ts'

let on: ImportCommand
before(async () => {
  on = await openImportCommand()
})
after(() => on.close())
beforeEach(() => on.clear())

describe('tagstead import', () => {
  it('imports as a named admin, in plain lines, and says what it left', async () => {
    putFile(on.folder, 'b.jpg', await picture(1), 1)
    putFile(on.folder, 'a\n.jpg', await picture(2))
    putFile(on.folder, '.hidden', 'x', 2)
    assert.deepEqual(await on.command(['--user', 'admin']), {
      code: 0,
      stdout:
        'Importing 30 %\nImporting 60 %\nImporting 100 %\nskipped ".hidden": hidden\n' +
        '3 entries: 2 imported, 1 skipped, 0 failed\n',
      stderr: '',
    })
    assert.deepEqual(on.owners(), ['admin a.jpg', 'admin b.jpg'])
    assert.deepEqual(namesIn(on.folder), ['.hidden'])
    const entries = on.db.all<{ user_name: string; action: string }>(
      'SELECT user_name, action FROM audit_log',
    )
    assert.deepEqual(
      entries.map(({ user_name, action }) => `${user_name} ${action}`),
      ['admin file_create', 'admin file_create'],
    )
  })

  it('takes a folder relative to where one stands, or to the import folder', async () => {
    for (const [cwd, path] of [
      [tmpdir(), 'inner'],
      [join(on.folder, 'inner'), '.'],
    ] as const) {
      mkdirSync(join(on.folder, 'inner'), { recursive: true })
      putFile(join(on.folder, 'inner'), 'c.jpg', await picture(3))
      const { code, stdout } = await on.command([path, '--user', 'admin'], { cwd })
      assert.equal(code, 0)
      assert.match(stdout, /\n1 entries: 1 imported, 0 skipped, 0 failed\n$/)
    }
  })

  it('goes into folders, unless it is to leave them out', async () => {
    mkdirSync(join(on.folder, 'a/b'), { recursive: true })
    putFile(join(on.folder, 'a/b'), 'deep.jpg', await picture(3))
    const flat = await on.command(['--flat', '--user', 'admin'])
    assert.match(
      flat.stdout,
      /\nskipped "a": a folder\n1 entries: 0 imported, 1 skipped, 0 failed\n$/,
    )
    const { stdout } = await on.command(['--user', 'admin'])
    assert.match(stdout, /\n1 entries: 1 imported, 0 skipped, 0 failed\n$/)
    assert.deepEqual(namesIn(join(on.folder, 'a')), ['b'])
    assert.deepEqual(namesIn(join(on.folder, 'a/b')), [])
  })

  it('makes tags of folders, private ones unless they are to be public', async () => {
    for (const [name, flags] of [
      ['own', []],
      ['open', ['--public-tags']],
    ] as const) {
      mkdirSync(join(on.folder, name))
      putFile(join(on.folder, name), `${name}.jpg`, await picture(4))
      const { code } = await on.command(['--user', 'admin', '--folder-tags', ...flags])
      assert.equal(code, 0)
    }
    assert.deepEqual(on.db.all('SELECT name, is_public FROM tags ORDER BY rid'), [
      { name: 'own', is_public: 0 },
      { name: 'open', is_public: 1 },
    ])
  })

  it('only counts what is here already', async () => {
    const bytes = await picture(20)
    putFile(on.folder, 'a.jpg', bytes)
    putFile(on.folder, 'b.jpg', bytes, 1)
    putFile(on.folder, '.hidden', 'x', 2)
    const args = ['--leave-sources', '--on-duplicate', 'skip', '--user', 'admin']
    const lines = async (more: string[] = []) => {
      const { stdout } = await on.command([...args, ...more])
      return stdout.split('\n').filter((line) => !/^(Importing|Looking) /.test(line))
    }
    assert.deepEqual(await lines(), [
      'skipped ".hidden": hidden',
      '3 entries: 1 imported, 2 skipped (1 already here), 0 failed',
      '',
    ])
    assert.deepEqual(await lines(), [
      'skipped ".hidden": hidden',
      '3 entries: 0 imported, 3 skipped (1 already imported, 1 already here), 0 failed',
      '',
    ])
    assert.deepEqual(await lines(['--dry-run']), [
      'skipped ".hidden": hidden',
      'already in the library: 2',
      '3 entries: 0 would be imported (0 bytes), 3 skipped (1 already imported, 1 already here), 0 would fail',
      '',
    ])
  })

  it('tells what it would do, and does nothing, in a dry run', async () => {
    mkdirSync(join(on.folder, 'a'), { recursive: true })
    const bytes = await picture(6)
    putFile(on.folder, 'b.jpg', bytes)
    putFile(join(on.folder, 'a'), 'c.jpg', bytes, 1)
    putFile(on.folder, 'text.txt', 'no picture', 2)
    const before = on.owners()
    assert.deepEqual(await on.command(['--dry-run', '--user', 'admin']), {
      code: 0,
      stdout:
        'Looking 30 %\nLooking 60 %\nLooking 100 %\nwould be imported "a/c.jpg": already here\n' +
        'skipped "text.txt": The file is not a picture or video of a known type\n' +
        `image/jpeg: 2\nalready in the library: 1\n3 entries: 2 would be imported (${2 * bytes.length} bytes), ` +
        '1 skipped, 0 would fail\n',
      stderr: '',
    })
    assert.deepEqual([on.owners(), namesIn(on.folder)], [before, ['a', 'b.jpg', 'text.txt']])
    const env = { DISK_RESERVE: '8388607GiB' }
    const { code, stdout } = await on.command(['--dry-run', '--user', 'admin'], { env })
    assert.deepEqual(
      [code, stdout.split('\n').at(-3)],
      [0, "the library's disk has room for only 0 bytes"],
    )
  })
})
