import type { Db } from '../../db/client.ts'
import type { WriteDeps } from '../../db/write.ts'
import { type Finding, type Found, finding, reasonOf, unchecked } from './finding.ts'

/** A check of some part of the database. */
export interface Inspection {
  /** The part that is checked, as the beginning of a sentence. */
  what: string
  /** Returns what is wrong, each by statements that see one state of the database. */
  find: (db: Db) => Found[]
  /** Mends what it can, in writes that are short as long as few rows are wrong. */
  mend?: (deps: WriteDeps) => void
}

/** Returns what one look finds; with `repair`, after mending it and looking again. */
export function inspect(
  { what, find, mend }: Inspection,
  deps: WriteDeps,
  repair: boolean,
): Finding[] {
  const found = findOrTell(deps.db, what, find)
  if (!repair || !mend || found.length === 0) return found.map((one) => finding(one))
  let reason: string | null = null
  try {
    mend(deps)
  } catch (error) {
    reason = reasonOf(error)
  }
  const left = findOrTell(deps.db, what, find)
  const [before, after] = [new Set(found.map(keyOf)), new Set(left.map(keyOf))]
  const seen = [...found, ...left.filter((one) => !before.has(keyOf(one)))]
  return seen.map((one) => {
    const repaired = !after.has(keyOf(one))
    if (repaired || reason === null) return finding(one, repaired)
    return finding({ ...one, sentence: `${one.sentence}; it can't be mended: ${reason}` })
  })
}

function findOrTell(db: Db, what: string, find: Inspection['find']): Found[] {
  try {
    return find(db)
  } catch (error) {
    return [unchecked('tagstead.sqlite', what, error)]
  }
}

function keyOf({ kind, subject }: Found): string {
  return `${kind} ${subject}`
}
