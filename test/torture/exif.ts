import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readExif } from '../../src/media/child/exif.ts'
import { EXIF_NAMES, GPS_NAMES, IFD0_NAMES } from '../../src/media/child/exif-tags.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { damaged, pictureWithExif } from './exif/damage.ts'
import { storedEntries } from './exif/entries.ts'
import { isSame, reasonFor } from './exif/same.ts'

const BLOCKS = 10_000
const BATCH = 500
/** The directories, as exiftool calls them and as they are called here. */
const DIRECTORIES: [exiftool: string, ours: string, names: Record<number, string>][] = [
  ['IFD0', 'ifd0', IFD0_NAMES],
  ['ExifIFD', 'exif', EXIF_NAMES],
  ['GPS', 'gps', GPS_NAMES],
]

interface Tally {
  /** Fields that exiftool reads, and those of them that have the same value here. */
  fields: number
  same: number
  /** How many differ for a reason, by reason. */
  decided: Record<string, number>
  faults: string[]
}

/**
 * Damages the EXIF of a picture in ten thousand ways, and compares what exiftool reads with what is
 * read here. EXIF_SEED repeats a run, EXIF_BLOCKS is their number. Throws when a field that exiftool
 * reads is missing or has another value without a reason.
 */
export async function torture(): Promise<void> {
  const seed = Number(process.env.EXIF_SEED ?? Date.now() % 1_000_000)
  const blocks = Number(process.env.EXIF_BLOCKS ?? BLOCKS)
  const random = randomNumbers(seed)
  const tally: Tally = { fields: 0, same: 0, decided: {}, faults: [] }
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-exif-'))
  try {
    const bases = [await pictureWithExif(folder, 'II'), await pictureWithExif(folder, 'MM')]
    for (let first = 0; first < blocks; first += BATCH) {
      const batch = join(folder, String(first))
      await mkdir(batch)
      for (let index = first; index < Math.min(first + BATCH, blocks); index++) {
        await writeFile(join(batch, `${index}.jpg`), damaged(bases[index % 2]!, random))
      }
      await compare(batch, tally)
      await rm(batch, { recursive: true })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const { fields, same, decided, faults } = tally
  process.stdout.write(
    `exif, seed ${seed}: ${blocks} damaged blocks, ${fields} fields of exiftool, ` +
      `${same} of them the same here; others: ${JSON.stringify(decided)}\n`,
  )
  if (faults.length > 0) throw new Error(`${faults.length} differ:\n${faults.join('\n')}`)
}

async function compare(batch: string, tally: Tally): Promise<void> {
  for (const row of toldByExiftool(batch)) {
    const path = String(row.SourceFile)
    const { exif } = await readExif(path, 'image/jpeg')
    let stored: ReturnType<typeof storedEntries> | undefined
    for (const [group, block, names] of DIRECTORIES) {
      for (const [id, values] of fieldsOf(row, group)) {
        const name = names[id]
        if (name === undefined) continue
        const ours = exif[name]
        const isAny = (told: unknown) => values.some((value) => isSame(name, told, value))
        tally.fields++
        if (isAny(ours)) {
          tally.same++
          continue
        }
        stored ??= storedEntries(await readFile(path))
        const entry = stored.get(`${block} ${id}`)
        const reasons = values.map((value) => reasonFor(name, ours, value, entry))
        const reason = reasons.find((found) => found !== null)
        if (reason) tally.decided[reason] = (tally.decided[reason] ?? 0) + 1
        else tally.faults.push(`${basename(path)} ${name}: ${JSON.stringify([ours, values])}`)
      }
    }
  }
}

type Row = Record<string, unknown>

/** Returns what exiftool reads of the pictures in a folder, values as numbers where they are some. */
function toldByExiftool(folder: string): Row[] {
  const groups = DIRECTORIES.map(([group]) => `-${group}:all`)
  const options = ['-json', '-n', '-a', '-D', '-G1:4', '-q', ...groups, folder]
  const stdio = ['ignore' as const, 'pipe' as const, 'ignore' as const]
  return JSON.parse(execFileSync('exiftool', options, { maxBuffer: 2 ** 28, stdio }).toString())
}

/** Returns the values of a directory's tags; one that is there twice has two. */
function fieldsOf(row: Row, group: string): Map<number, unknown[]> {
  const fields = new Map<number, unknown[]>()
  for (const [name, told] of Object.entries(row)) {
    if (!name.startsWith(`${group}:`)) continue
    const { id, val } = told as { id: number; val: unknown }
    fields.set(id, [...(fields.get(id) ?? []), val])
  }
  return fields
}
