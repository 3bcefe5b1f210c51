import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { verifyBackup } from '../../../src/keep/backup/verify.ts'
import { eachWithBackups } from '../../support/backup-world.ts'
import { command, damaged, filesIn, runCheck } from '../../support/backups.ts'
import { storedContents } from '../../support/contents.ts'
import { spawnServer } from '../../support/spawn.ts'

const world = eachWithBackups()

describe('the proof of a backup', () => {
  const faultsNow = async (...args: string[]) => {
    const { code, result } = await world.backup('--verify', world.dir, '--json', ...args)
    assert.equal(code, result.findings.length === 0 ? 0 : 1)
    return result.findings as { subject: string; fault: string }[]
  }

  it('finds nothing wrong with one that is as it was written', async () => {
    await world.backupOf('2026-01-01')
    await world.backup(world.dir)
    const { code, stdout } = await world.backup('--verify', world.dir)
    assert.equal(code, 0)
    assert.match(stdout, /^generations: 2, contents: 5 \(.*\), faults: 0\n$/)
  })

  it('names a content with one bit changed, one cut short and one that is gone, and heals with --full', async () => {
    await world.backup(world.dir)
    const [first, second, third] = world.uploaded.map(({ bytes }) => world.inBackup(bytes))
    writeFileSync(first!, damaged(readFileSync(first!)))
    writeFileSync(second!, readFileSync(second!).subarray(0, 10))
    rmSync(third!)
    const found = await faultsNow()
    assert.deepEqual(
      found.map(({ subject }) => join(world.dir, subject)).sort(),
      [first, second, third].sort(),
    )
    const { result } = await world.backup(world.dir, '--full', '--json')
    assert.equal(result.copied, 3)
    assert.deepEqual(await faultsNow(), [])
  })

  it('names a database or a manifest with one bit changed', async () => {
    const { result } = await world.backup(world.dir, '--json')
    for (const file of ['database', 'manifest']) {
      const subject = `generations/${result.generation}/${file}`
      const bytes = readFileSync(join(world.dir, subject))
      writeFileSync(join(world.dir, subject), damaged(bytes))
      const found = await faultsNow('--at', result.generation)
      assert.deepEqual(
        found.map((finding) => finding.subject),
        [subject],
      )
      writeFileSync(join(world.dir, subject), bytes)
    }
    assert.deepEqual(await faultsNow(), [])
  })
})

describe('the proof of a backup beside one that removes what need not be kept', () => {
  const { signal } = new AbortController()
  const only = (name: string) => (path: string) => path.startsWith(`${name}/`)
  const remove = (name: string) => {
    const own = join(world.dir, 'generations', name)
    rmSync(join(own, 'manifest'))
    rmSync(own, { recursive: true })
  }

  it('names nothing of a generation that has gone, whenever that was', async () => {
    for (const at of ['databases', 'contents'] as const) {
      const more = await world.admin.upload(`${at}.jpg`, at === 'databases' ? 'lime' : 'gold')
      const old = await world.backupOf('2026-01-01')
      const own = world.inBackup(more.bytes)
      await world.admin.call('DELETE', `/files/${more.id}`)
      await world.admin.call('DELETE', `/files/${more.id}/permanent`)
      const { result } = await world.backup(world.dir, '--json')
      const still = filesIn(join(world.dir, 'generations')).filter(only(result.generation))
      let isGone = false
      const { findings } = await verifyBackup({ dir: world.dir, signal }, (stage) => {
        if (stage !== at || isGone) return
        isGone = true
        remove(old)
        rmSync(own)
      })
      assert.deepEqual(findings, [])
      assert.deepEqual(filesIn(join(world.dir, 'generations')), still)
      rmSync(world.dir, { recursive: true })
    }
  })

  it('names what a generation needs that is still there', async () => {
    const old = await world.backupOf('2026-01-01')
    await world.backup(world.dir)
    const lost = world.inBackup(world.uploaded[0]!.bytes)
    const { findings } = await verifyBackup({ dir: world.dir, signal }, (stage, done) => {
      if (stage !== 'contents' || done > 0) return
      remove(old)
      rmSync(lost)
    })
    assert.deepEqual(
      findings.map(({ subject }) => join(world.dir, subject)),
      [lost],
    )
  })
})

describe('a check with a backup', () => {
  const paths = () => storedContents(world.server.dataDir)
  const check = (...args: string[]) => runCheck(world.server.dataDir, ...args)

  it('heals what the library lacks, and nothing from what is damaged too', async () => {
    await world.backup(world.dir)
    const [missing, broken, lost] = paths()
    const before = [missing, broken, lost].map((path) =>
      readFileSync(join(world.server.dataDir, 'files', path!)),
    )
    rmSync(join(world.server.dataDir, 'files', missing!))
    writeFileSync(join(world.server.dataDir, 'files', broken!), damaged(before[1]!))
    rmSync(join(world.server.dataDir, 'files', lost!))
    writeFileSync(join(world.dir, 'contents', lost!), damaged(before[2]!))
    const { code, findings } = await check('--repair', '--from', world.dir)
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
      assert.deepEqual(readFileSync(join(world.server.dataDir, 'files', path!)), before[at])
    }
    writeFileSync(join(world.dir, 'contents', lost!), before[2]!)
    assert.equal((await check('--repair', '--from', world.dir)).code, 0)
    assert.deepEqual(await check(), { code: 0, findings: [] })
  })

  it('takes nothing from a link to what is damaged', async () => {
    await world.backup(world.dir, '--link')
    const [path] = paths()
    const content = join(world.server.dataDir, 'files', path!)
    const before = readFileSync(content)
    writeFileSync(content, damaged(before))
    const { code, findings } = await check('--repair', '--from', world.dir)
    assert.deepEqual([code, findings.map(({ repaired }) => repaired)], [1, [false]])
    writeFileSync(content, before)
  })

  it('refuses the backups of another library, and a folder without any', async () => {
    const other = await spawnServer()
    await command(other.dataDir, ['backup', world.dir])
    await other.stop()
    for (const [from, words] of [
      [world.dir, /has the backups of another library/],
      [world.folder, /There is no backup in/],
    ] as const) {
      const { code, stderr } = await command(world.server.dataDir, [
        'check',
        '--repair',
        '--from',
        from,
      ])
      assert.equal(code, 1)
      assert.match(stderr, words)
    }
  })
})
