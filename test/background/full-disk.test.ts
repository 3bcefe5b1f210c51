import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBackground } from '../../src/background/run.ts'
import { createDisk } from '../../src/base/disk.ts'
import { assertLike, eachWithOldLibrary, pictureOf } from '../support/old-library.ts'
import { describe, it } from '../support/test.ts'

const old = eachWithOldLibrary()
const { upload, get, progress, forget, thumbnailOf, watchDecoder } = old

let cannotMount: string | false = false
try {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-mount-'))
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
  execFileSync('umount', [folder])
  rmdirSync(folder)
} catch {
  cannotMount = 'needs root'
}

describe('the background on a full disk', () => {
  const disks = [
    ['full', 'nr_inodes=1', { looked_at: 0, total: 1 }],
    // No other content would be refused: it is passed over.
    ['read-only', 'ro', null],
  ] as const
  for (const [what, options, left] of disks) {
    it(`makes a thumbnail when the disk is no longer ${what}`, { skip: cannotMount }, async () => {
      const file = await upload(await pictureOf(60, 40))
      rmSync(thumbnailOf(file.id))
      forget()
      const mounted = join(old.library.folder, 'tmp')
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mounted])
      let isMounted = true
      const unmount = () => {
        if (isMounted) execFileSync('umount', [mounted])
        isMounted = false
      }
      const seen: unknown[] = []
      old.library.deps.wait = async () => {
        seen.push((await get(file.id)).thumbhash, await progress())
        unmount()
      }
      await runBackground(old.library.deps).over.finally(unmount)
      assert.deepEqual(seen, [null, left])
      assertLike(await get(file.id), file)
      assert.equal(existsSync(thumbnailOf(file.id)), true)
    })
  }

  it('keeps what was found, has other work done, and comes back after a pause', async () => {
    const files: { id: string }[] = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    // Only this one takes room.
    rmSync(thumbnailOf(files[0]!.id))
    forget()
    const { deps } = old.library
    const { disk } = deps
    // Enough to write, and too little for derivatives.
    deps.disk = createDisk(old.library.folder, disk.free()! * 2)
    const asked = watchDecoder()
    const waits: number[] = []
    const seen: unknown[] = []
    deps.wait = async (ms) => {
      waits.push(ms)
      seen.push(
        await progress(),
        deps.db.all("SELECT place FROM background_work WHERE name = 'dates'"),
      )
      assertLike(await get(files[1]!.id), files[1]!)
      assertLike(await get(files[2]!.id), files[2]!)
      deps.disk = disk
    }
    await runBackground(deps).over
    assert.deepEqual(waits, [10 * 60_000])
    assert.deepEqual(seen, [{ looked_at: 2, total: 3 }, [{ place: null }]])
    assert.deepEqual(await get(files[0]!.id), files[0]!)
    // The one that found no room in its portion, alone, and at last.
    assert.equal(asked.filter((job) => job.startsWith('look')).length, 2 + 3)
  })
})
