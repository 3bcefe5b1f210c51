import { AppError } from '../../base/errors.ts'
import type { Db } from '../../db/client.ts'
import { subjectsOfKind } from '../../long-changes/queries.ts'

/** Two tags by their row numbers: `into` takes over the files of `old`. */
export interface Merging {
  old: number
  into: number
}

/** The kind of the long change that merges a tag into another one. */
export const MERGE = 'merge_tag'
const SUBJECT = /^merge tag (\d+) into (\d+)$/

/** Returns the subject of the long change that merges a tag into another one. */
export function mergeSubject({ old, into }: Merging): string {
  return `merge tag ${old} into ${into}`
}

// Reads nothing of the changes' states, which may be long.
function mergesUnderWay(db: Db): Merging[] {
  return subjectsOfKind(db, MERGE).map((subject) => {
    const [old, into] = subject.match(SUBJECT)!.slice(1).map(Number)
    return { old: old!, into: into! }
  })
}

/** Returns the tags to put on files, each once, with a tag that is being merged replaced by its target. */
export function tagsToPut(db: Db, rids: number[]): number[] {
  const merges = mergesUnderWay(db)
  if (merges.length === 0) return rids
  const instead = new Map(merges.map(({ old, into }) => [old, into]))
  return [...new Set(rids.map((rid) => instead.get(rid) ?? rid))]
}

/** Throws conflict when one of the tags is being merged, or another one into it. */
export function requireNoMerge(db: Db, rids: number[]): void {
  const isMerging = mergesUnderWay(db).some(({ old, into }) =>
    rids.some((rid) => rid === old || rid === into),
  )
  if (!isMerging) return
  throw new AppError('conflict', 'The tag is being merged with another one; try again after that')
}

/** Returns whether one of the tags is being merged into another one, and will be gone. */
export function isMergedAway(db: Db, rids: number[]): boolean {
  return mergesUnderWay(db).some(({ old }) => rids.includes(old))
}
