import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { guardOf } from '../../src/imports/own-folders.ts'
import { filesIn } from '../support/backups.ts'
import { picture } from '../support/harness.ts'
import {
  asAnother,
  asNobody,
  counts,
  type Folders,
  openFolders,
  withoutMounts,
} from '../support/import-folders.ts'
import { expectedEvents, putFile, runImport } from '../support/imports.ts'
import { after, afterEach, before, beforeEach, describe, it } from '../support/test.ts'

let on: Folders
let backups: string
before(async () => {
  on = await openFolders()
  await on.library.upload(on.admin, await picture(1))
})
after(() => on.close())
beforeEach(() => {
  on.clear()
  backups = join(on.base, 'usb/backups')
})
afterEach(() => {
  on.library.deps.config.backupDir = null
})

const run = (path?: string) => runImport(on.library, on.admin, path, { recursive: true })

describe('an import of BACKUP_DIR', () => {
  it('takes what is beside the backups, and nothing that is in them', async () => {
    await on.backUp(backups)
    on.library.deps.config.backupDir = backups
    const own = filesIn(backups)
    const inside = new Set(own.map((path) => dirname(path)).filter((path) => path !== '.'))
    // A shelf and a generation, with all that holds them.
    for (const folder of ['.', 'contents', 'generations', ...inside]) {
      await on.refusalOf(join('usb/backups', folder))
    }
    assert.ok(inside.size >= 2)
    mkdirSync(join(backups, 'photos'))
    putFile(join(backups, 'photos'), 'a.jpg', await picture(7))
    assert.deepEqual(await run('usb/backups/photos'), expectedEvents([['a.jpg', 'imported']]))
    assert.deepEqual(filesIn(backups), own)
  })

  it('takes none of them from where they are mounted', { skip: withoutMounts() }, async () => {
    const elsewhere = join(on.outside, 'backups')
    await on.backUp(elsewhere)
    on.library.deps.config.backupDir = elsewhere
    const mounted = on.fill('mounted', 0)
    const own = filesIn(elsewhere)
    const folders = [
      '.',
      ...new Set(own.flatMap((path) => [dirname(dirname(path)), dirname(path)])),
    ]
    for (const folder of folders) {
      execFileSync('mount', ['--bind', join(elsewhere, folder), mounted])
      try {
        await on.refusalOf('mounted')
        const told = (await run()).slice(1, -1)
        assert.deepEqual(
          told.filter(({ status }) => status === 'imported'),
          [],
        )
      } finally {
        execFileSync('umount', [mounted])
      }
    }
    assert.deepEqual(filesIn(elsewhere), own)
  })

  it('needs no right to read backups that somebody else makes', { skip: asAnother }, async () => {
    const elsewhere = join(on.outside, 'backups')
    await on.backUp(elsewhere)
    for (const folder of ['contents', 'generations']) chmodSync(join(elsewhere, folder), 0)
    for (const path of [on.outside, elsewhere]) chmodSync(path, 0o755)
    const { config } = on.library.deps
    const guard = await asNobody(() =>
      guardOf({ ...config, dataDir: on.outside, backupDir: elsewhere }),
    )
    guard.requireBackupsSeen()
  })

  it("takes nothing of the server's own, by whatever path they are reached", async () => {
    await on.backUp(backups)
    const before = filesIn(join(backups, 'contents'))
    const [shelf] = before.map((path) => join('usb/backups/contents', path))
    on.library.deps.config.backupDir = backups
    // Alone, they don't look like backups.
    rmSync(join(backups, 'generations'), { recursive: true })
    rmSync(join(backups, 'lock'), { force: true })
    const events = await run()
    assert.deepEqual(
      events.slice(1, -1).map(({ filename, status }) => [filename, status]),
      [['usb/backups', 'skipped']],
    )
    for (const path of ['usb/backups', 'usb/backups/contents', join(shelf!, '..')]) {
      await on.refusalOf(path)
    }
    assert.deepEqual(filesIn(join(backups, 'contents')), before)
  })
})

describe('an import beside a disk for backups that is broken', () => {
  it('is refused, in a sentence, and folders are listed', async () => {
    const broken = join(on.outside, 'broken')
    const inner = join(on.outside, 'inner')
    mkdirSync(inner)
    // No look at such a path tells what is there.
    for (const path of [broken, join(inner, 'contents')]) symlinkSync(path, path)
    on.fill('a', 1)
    for (const backupDir of [broken, inner]) {
      on.library.deps.config.backupDir = backupDir
      const answer = await on.library.call('POST', '/files/import', { token: on.admin })
      assert.deepEqual(
        [answer.status, answer.body],
        [
          409,
          {
            code: 'conflict',
            message:
              "BACKUP_DIR can't be looked at (ELOOP), so that an import might take what is in it: " +
              'mount its disk again, or set no BACKUP_DIR',
          },
        ],
      )
      const listed = await on.ask()
      assert.deepEqual([listed.status, listed.body.folders], [200, counts(['a', 1])])
    }
    on.library.deps.config.backupDir = join(on.outside, 'absent')
    assert.equal((await run()).at(-1)!.type, 'done')
    assert.deepEqual(on.stillOpen(), [])
  })
})
