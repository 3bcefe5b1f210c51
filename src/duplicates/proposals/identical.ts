import type { Db } from '../../db/client.ts'
import { addFile, type FileSet, hasFile } from '../../files/file-set.ts'
import type { Dismissed } from '../queries.ts'
import { agreeing, CROWD, NO_STATEMENTS } from './agreement.ts'
import { equalContents } from './contents.ts'
import { MOST_EQUAL } from './schema.ts'
import { statementStretch, statementsOf } from './statement-queries.ts'

// Row numbers that are read before other requests have a turn.
const STRETCH = 10_000
// Groups that are looked at before other requests have a turn.
const AT_ONCE = 500

/** Which files are merged, and which of them never with each other. */
export interface Mergeable {
  /** The files that the viewer may edit and that are not in the trash. */
  files: FileSet
  dismissed: Dismissed
}

/**
 * Returns the files of equal contents and of one creator that can be merged without a loss: at least two each time,
 * ascending.
 */
export async function identicalFiles(
  db: Db,
  { files, dismissed }: Mergeable,
  pause: () => Promise<void>,
): Promise<number[][]> {
  const { groups, creatorOf } = await equalContents(db, pause)
  const said = await allWithStatements(db, pause)
  const found: number[][] = []
  for (const [index, group] of groups.entries()) {
    if (index % AT_ONCE === 0) await pause()
    for (const equal of byCreator(group, files, creatorOf)) {
      const stated = equal.filter((rid) => hasFile(said, rid))
      for (const merged of withoutLoss(db, equal, { stated, dismissed })) {
        if (merged.length > 1) found.push(merged)
      }
      if (stated.length > 0) await pause()
    }
  }
  return found
}

// Returns the files that have statements of people, which may contradict each other.
async function allWithStatements(db: Db, pause: () => Promise<void>): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (const kind of ['stated', 'given'] as const) {
    for (let after: number | null = 0; after !== null; ) {
      const { rids, end } = statementStretch(db, kind, { after, length: STRETCH })
      for (const rid of rids) files = addFile(files, rid)
      after = end
      await pause()
    }
  }
  return files
}

function byCreator(group: number[], files: FileSet, creatorOf: Uint32Array): number[][] {
  const left = group.filter((rid) => hasFile(files, rid))
  if (left.length < 2) return []
  const creator = creatorOf[left[0]!]
  if (left.every((rid) => creatorOf[rid] === creator)) return [left]
  // In an order that no merge changes.
  const found = new Map(group.map((rid): [number, number[]] => [creatorOf[rid]!, []]))
  for (const rid of left) found.get(creatorOf[rid]!)!.push(rid)
  return [...found.values()].filter((equal) => equal.length > 1)
}

/**
 * Returns equal files in sets that can be merged without a loss. `stated` are the files about which people have said something.
 */
export function withoutLoss(
  db: Db,
  equal: number[],
  { stated, dismissed }: { stated: number[]; dismissed: Dismissed },
): number[][] {
  if (equal.length > MOST_EQUAL) return []
  if (stated.length === 0 && !equal.some((rid) => dismissed.has(rid))) return [equal]
  if (stated.length > CROWD) return []
  const texts = statementsOf(db, equal)
  // Equal contents have one date in their EXIF, whatever version has read it.
  const saidOfFile = (rid: number) => ({ ...(texts.get(rid) ?? NO_STATEMENTS), taken: null })
  return agreeing(equal, saidOfFile, dismissed)
}
