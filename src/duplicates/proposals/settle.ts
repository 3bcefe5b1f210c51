import { AppError } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'
import { trashFiles } from '../../files/bulk/bulk-queries.ts'
import { type FileRecord, loadFile } from '../../files/queries.ts'
import { type TagView, viewTags } from '../../tags/cache.ts'
import { createPoolJoin } from '../merge-relations.ts'
import type { Dismissed } from '../queries.ts'
import { filesWithContent } from './contents-queries.ts'
import type { Proposal } from './find.ts'
import { withoutLoss } from './identical.ts'
import { isTooLarge, type Merge, mergeInto, retainedOf } from './merge.ts'
import { tagsSeen } from './present.ts'
import { mergeableAmong, type ProposedFile } from './present-queries.ts'
import { MOST_EQUAL, type ProposalsSettle, type SettleResult, type SkipReason } from './schema.ts'
import { areStillSmaller } from './smaller.ts'
import { filesWithStatements } from './statement-queries.ts'

/** What was proposed to a user, and the pairs that were dismissed. */
export interface Proposed {
  items: Proposal[]
  dismissed: Dismissed
}

/**
 * Merges what was proposed, as one operation: each item as a whole, or not at all when it would no longer be proposed
 * like that. Proposed smaller pictures are checked once more. Returns the answer, and what was merged.
 */
export function settleProposals(
  tx: Tx,
  user: User,
  proposed: Proposed,
  { items }: ProposalsSettle,
): { result: SettleResult; merges: Merge[] } {
  const judge = createJudge(tx, user, proposed)
  const joining = createPoolJoin(tx, user)
  const trashed = new Set<number>()
  const merges: Merge[] = []
  const skipped: SettleResult['skipped'] = []
  for (const { keep, discard } of items) {
    const merge = loadMerge(tx, user, [keep, ...discard])
    const reason = merge ? whyNot(tx, merge, trashed, judge) : 'forbidden_or_gone'
    if (!merge || reason) {
      skipped.push({ keep, reason: reason! })
      continue
    }
    mergeInto(tx, user, merge, (file) => joining.add(merge.keep, file))
    for (const file of merge.discard) trashed.add(file.rid)
    merges.push(merge)
  }
  trashFiles(tx, user, [...trashed])
  joining.join()
  return { result: { operation: tx.operation, settled: merges.length, skipped }, merges }
}

// Returns null when one of the files does not exist or may not be edited.
function loadMerge(tx: Tx, user: User, ids: string[]): Merge | null {
  const found: FileRecord[] = []
  for (const id of ids) {
    const file = loadEditable(tx, user, id)
    if (!file) return null
    found.push(file)
  }
  const [keep, ...discard] = found
  return { keep: keep!, discard }
}

function loadEditable(tx: Tx, user: User, id: string): FileRecord | null {
  try {
    return loadFile(tx, user, id, 'edit')
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'forbidden'].includes(error.code)) return null
    throw error
  }
}

function whyNot(
  tx: Tx,
  merge: Merge,
  trashed: ReadonlySet<number>,
  isProposed: (merge: Merge) => boolean,
): SkipReason | null {
  const files = [merge.keep, ...merge.discard]
  if (files.some((file) => file.is_deleted || trashed.has(file.rid))) return 'changed'
  if (!isProposed(merge)) return 'changed'
  return isTooLarge(tx, merge) ? 'too_large' : null
}

interface EqualSet {
  files: Set<number>
  keep: number
}

// A part of a proposed item counts as proposed.
function createJudge(
  tx: Tx,
  user: User,
  { items, dismissed }: Proposed,
): (merge: Merge) => boolean {
  const view = viewTags(tx, user)
  const known = new Map<string, EqualSet[]>()
  const equalTo = (file: FileRecord) => {
    const key = contentKey(file)
    const sets = known.get(key) ?? setsEqualTo(tx, user, { file, view, dismissed })
    known.set(key, sets)
    return sets.find(({ files }) => files.has(file.rid))
  }
  let smallerOf: Map<number, Set<number>> | undefined
  const readSmaller = () =>
    new Map(
      items.flatMap(({ why, files }): [number, Set<number>][] =>
        why === 'smaller' ? [[files[0]!, new Set(files)]] : [],
      ),
    )
  return ({ keep, discard }) => {
    const files = [keep, ...discard]
    const equal = equalTo(keep)
    if (equal) return equal.keep === keep.rid && discard.every(({ rid }) => equal.files.has(rid))
    smallerOf ??= readSmaller()
    const smaller = smallerOf.get(keep.rid)
    return (
      smaller !== undefined &&
      discard.every((file) => smaller.has(file.rid) && !equalTo(file)) &&
      areStillSmaller(
        tx,
        files.map((file) => file.rid),
        dismissed,
      )
    )
  }
}

// The file itself is in one of the sets.
function setsEqualTo(
  db: Db,
  user: User,
  { file, view, dismissed }: { file: FileRecord; view: TagView; dismissed: Dismissed },
): EqualSet[] {
  const { files, merged } = mergeableEqual(db, user, file, dismissed)
  const tags = tagsSeen(db, view, files)
  const byRid = new Map(files.map((one) => [one.rid, one]))
  return merged.map((rids) => ({
    files: new Set(rids),
    keep: retainedOf(
      rids.map((rid) => byRid.get(rid)!),
      tags,
    ).rid,
  }))
}

/**
 * Returns the files of the content and of the creator of one that the user may merge, and sets of them that can be
 * merged without a loss.
 */
export function mergeableEqual(
  db: Db,
  user: User,
  { sha256, creator_id }: Pick<FileRecord, 'sha256' | 'creator_id'>,
  dismissed: Dismissed,
): { files: ProposedFile[]; merged: number[][] } {
  const files = mergeableAmong(db, user, filesWithContent(db, sha256)).filter(
    (one) => one.creator_id === creator_id,
  )
  // For too many files, nothing is read that takes long.
  if (files.length > MOST_EQUAL) return { files: [], merged: [] }
  const equal = files.map((one) => one.rid)
  const merged = withoutLoss(db, equal, { stated: filesWithStatements(db, equal), dismissed })
  return { files, merged: merged.filter((rids) => rids.length > 1) }
}

/** Returns a text that files of equal contents and of one creator have in common. */
export function contentKey({
  sha256,
  creator_id,
}: Pick<FileRecord, 'sha256' | 'creator_id'>): string {
  return `${Buffer.from(sha256).toString('hex')} ${creator_id}`
}
