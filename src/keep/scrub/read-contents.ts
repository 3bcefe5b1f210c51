import { audit, SYSTEM } from '../../audit/record.ts'
import type { Config } from '../../base/config.ts'
import type { Damage } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import type { Wait } from '../../base/time.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import type { StoredContent } from '../../files/content/content-queries.ts'
import { sampleBlobs } from '../../files/content/store-queries.ts'
import { placeOf } from '../../media/places/open.ts'
import { deleteDamages, findOwner, recordDamage, storePlace } from './queries.ts'
import type { Reader, Reading } from './reader.ts'

export interface ReadDeps extends WriteDeps {
  config: Pick<Config, 'dataDir' | 'store' | 'oldPlace'>
  log: Log
  wait: Wait
}

// How often a content is read unless it is said, and how long to wait after each read, in milliseconds.
const READS = 3
const PAUSE = 1000
// How many contents are sampled to see whether the disk is there, and which share of them must exist.
const SAMPLE = 20
const PART = 0.1

interface Suspect {
  content: StoredContent
  what: Damage
}

interface Options {
  contents: StoredContent[]
  /** How far the round has got with them. */
  place?: string
  /** How often a content is read before it counts as damaged. */
  reads?: number
  signal: AbortSignal
}

/**
 * Reads contents and records which are damaged, and which are read well again; each new damage goes into the log and
 * the audit log once. With `place`, also records that the round has got that far. Throws when hardly any content of the
 * library is there, when the reader throws, and the signal's reason.
 */
export async function readContents(
  deps: ReadDeps,
  reader: Reader,
  { contents, place, reads = READS, signal }: Options,
): Promise<void> {
  let suspects = await suspectsAmong(reader, contents)
  if (suspects.length > contents.length / 2) await requireDisk(deps, reader)
  for (let done = 1; done < reads && suspects.length > 0; done++) {
    await deps.wait(PAUSE, signal)
    const again = suspects.map(({ content }) => content)
    suspects = await suspectsAmong(reader, again)
  }
  // The disk may have gone while they were read.
  if (suspects.length > 0) await requireDisk(deps, reader)
  const damaged = new Set(suspects.map(({ content }) => content.blob))
  const sound = contents.filter(({ blob }) => !damaged.has(blob)).map(({ blob }) => blob)
  const found = write(deps.db, { now: deps.clock() }, (tx) => {
    // A size says nothing of what was read as damaged.
    if (reader.isReading) deleteDamages(tx, sound)
    if (place !== undefined) storePlace(tx, place)
    return suspects.flatMap(({ content: { blob, size, sha256 }, what }) => {
      const file = findOwner(tx, blob)
      // The content was purged or replaced while it was read.
      if (!file || !recordDamage(tx, blob, what)) return []
      const { id, original_name } = file
      const details = { original_name, what, size, sha256 }
      audit(tx, SYSTEM, 'content_damaged', { type: 'file', id }, details)
      return [{ blob, what, file_id: id }]
    })
  })
  for (const one of found) deps.log.error('a content is damaged', one)
}

async function suspectsAmong(reader: Reader, contents: StoredContent[]): Promise<Suspect[]> {
  const suspects: Suspect[] = []
  for (const content of contents) {
    const { blob, size } = content
    const reading = await reader.read({ blob, size, isWhole: true })
    const what = damageOf(content, reading)
    if (what !== null) suspects.push({ content, what })
  }
  return suspects
}

/** Returns what is wrong with a content according to a reading; null when it is as it was stored. */
export function damageOf({ size, sha256 }: StoredContent, reading: Reading): Damage | null {
  if ('code' in reading) return isAbsence(reading.code) ? 'missing' : 'unreadable'
  if (reading.size !== size) return 'size'
  return reading.sha256 === null || reading.sha256 === sha256 ? null : 'sha256'
}

function isAbsence(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}

// A disk that is not mounted, or is broken as a whole, is not damage to each of its contents.
async function requireDisk({ config, db }: ReadDeps, reader: Reader): Promise<void> {
  const blobs = sampleBlobs(db, SAMPLE)
  let there = 0
  for (const blob of blobs) {
    const reading = await reader.read({ blob, isWhole: false })
    if (!('code' in reading)) there++
  }
  if (there < blobs.length * PART) {
    const { name } = placeOf(config)
    throw new Error(`Hardly any content is in ${name}: is it the right place, its disk mounted?`)
  }
}
