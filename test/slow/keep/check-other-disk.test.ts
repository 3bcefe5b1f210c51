import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { damaged } from '../../support/backups.ts'
import { assertFound, type Furnished, openFurnished } from '../../support/checking.ts'
import { blobOf } from '../../support/files.ts'
import { moveToOtherDisk, withoutOtherDisk } from '../../support/other-disk.ts'
import { openSmallDisk, withoutSmallDisk } from '../../support/small-disk.ts'
import { afterEach, beforeEach, describe, it } from '../../support/test.ts'

const BLOB = 'ab00112233445566778899aabbccddee'

describe('a repair of contents on a disk of their own', { skip: withoutOtherDisk() }, () => {
  let furnished: Furnished
  let folder: ReturnType<typeof dataFolder>
  let remove: () => void
  beforeEach(async () => {
    furnished = await openFurnished()
    folder = dataFolder(furnished.library.folder)
    remove = await moveToOtherDisk(folder.contents)
  })
  afterEach(async () => {
    await furnished.library.close()
    remove()
  })
  /** What is there of a content; others may be on the same shelf. */
  const shelf = (blob: string) =>
    readdirSync(dirname(folder.content(blob))).filter((name) => name.startsWith(blob))

  it('moves a content that no file has into lost+found, which is on the other disk', async () => {
    const { library } = furnished
    mkdirSync(dirname(folder.content(BLOB)), { recursive: true })
    writeFileSync(folder.content(BLOB), 'bytes')
    const told = [{ kind: 'content_unknown' as const, subject: BLOB, repaired: true }]
    await assertFound(library, told, { repair: true })
    assert.equal(readFileSync(join(folder.lostAndFound, BLOB), 'utf8'), 'bytes')
    assert.deepEqual(shelf(BLOB), [])
    await assertFound(library, [])
  })

  it('puts a copy in its place, and what was there into lost+found', async () => {
    const { library, files } = furnished
    const blob = blobOf(library.deps.db, files[0]!)
    const whole = readFileSync(folder.content(blob))
    const copies = mkdtempSync(join(tmpdir(), 'tagstead-copies-'))
    const copy = join(copies, 'copy')
    writeFileSync(copy, whole)
    writeFileSync(folder.content(blob), damaged(whole))
    const told = [{ kind: 'content_damaged' as const, subject: blob, repaired: true }]
    await assertFound(library, told, { repair: true, findCopy: async () => copy })
    assert.deepEqual(readFileSync(folder.content(blob)), whole)
    assert.deepEqual(readFileSync(join(folder.lostAndFound, blob)), Buffer.from(damaged(whole)))
    assert.deepEqual(shelf(blob), [blob])
    await assertFound(library, [])
    rmSync(copies, { recursive: true })
  })
})

it('a repair puts no copy on a disk of the contents that is full, whatever room the data folder has', {
  skip: withoutSmallDisk,
}, async () => {
  const { library, files } = await openFurnished()
  const folder = dataFolder(library.folder)
  const disk = openSmallDisk(16)
  try {
    const blob = blobOf(library.deps.db, files[0]!)
    const copy = join(library.folder, 'copy')
    renameSync(folder.content(blob), copy)
    await cp(folder.contents, join(disk.path, 'files'), { recursive: true })
    rmSync(folder.contents, { recursive: true })
    symlinkSync(join(disk.path, 'files'), folder.contents)
    disk.fill()
    const lost = { kind: 'content_missing' as const, subject: blob, repaired: false }
    const options = { repair: true, findCopy: async () => copy }
    const [found] = await assertFound(library, [lost], options)
    assert.match(found!.sentence, /it is not replaced: The server's disk is full$/)
    assert.deepEqual(readdirSync(dirname(folder.content(blob))), [])
    disk.empty()
    await assertFound(library, [{ ...lost, repaired: true }], options)
  } finally {
    await library.close()
    disk.remove()
  }
})
