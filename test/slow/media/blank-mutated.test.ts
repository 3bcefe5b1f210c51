import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { inMemory } from '../../../src/media/bounded-file.ts'
import { findPrivateIn } from '../../../src/media/child/blank/find.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { temporaryFolder, without, withoutEncoder } from '../../support/media/media.ts'
import { edited, tellingFiles, toldToExiftool } from '../../support/media/telling.ts'
import { SEED } from '../../support/property.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { mutated } from '../../torture/mutated/mutate.ts'

const FILES = process.env.MATRIX === 'all' ? 10_000 : 1000
/** Files that exiftool reads at once. */
const BATCH = 250
// One bit makes the number of another tag that of these, which say how a picture was taken, and are kept.
const KEPT = / \S+:(Make|LensMake|LensModel) /
const withoutTools =
  without('exiftool', '-ver') || withoutEncoder('libx265') || withoutEncoder('libjxl')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

describe('damaged contents', { skip: withoutTools }, () => {
  it('go out without what they say of places, people and cameras, or not at all', {
    timeout: 600_000,
  }, async () => {
    const random = randomNumbers(SEED)
    const files = await tellingFiles()
    const originals = await Promise.all(files.map(({ path }) => readFile(path)))
    const told: string[] = []
    let waiting: string[] = []
    let understood = 0
    const look = async () => {
      if (waiting.length > 0) told.push(...toldToExiftool(waiting).filter((one) => !KEPT.test(one)))
      await Promise.all(waiting.map((path) => rm(path)))
      waiting = []
    }
    for (let n = 0; n < FILES; n++) {
      const { path, mime_type } = files[n % files.length]!
      const bytes = mutated(originals[n % files.length]!, random)
      const edits = await findPrivateIn(inMemory(bytes), mime_type)
      if (edits === null) continue
      understood++
      const made = edited(bytes, edits)
      const name = `${n}-${basename(path)}`
      const to = join(folder.path, name)
      await writeFile(to, made)
      waiting.push(to)
      if (waiting.length === BATCH) await look()
    }
    await look()
    assert.deepEqual(told, [])
    // Else nothing would be tested.
    assert.ok(understood > FILES / 20, `${understood} of ${FILES} were understood`)
  })
})
