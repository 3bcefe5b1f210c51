import type { Details } from '../../audit/details.ts'
import type { Actor } from '../../audit/record.ts'
import type { Tx } from '../../db/write.ts'
import { tagIdsByRid } from '../queries.ts'
import {
  countedOnFiles,
  countedOnTags,
  deletedFromFiles,
  insertedSets,
  namedOnFiles,
  recordedSets,
  triggersStarted,
  triggersStopped,
} from '../set-queries.ts'
import { filesAlike } from '../sets.ts'
import type { Merging } from './under-way.ts'

interface Change {
  files: number[]
  added: { tag: number; by_hand: boolean }[]
  isByHand: boolean
  /** Whether the other tag was there; and whether it was there by a rule alone, while the old one was by hand. */
  hadInto: boolean
  isNamed: boolean
}

/**
 * Takes a tag off files that have it, and puts another one on, with the tags that follow from that one; writes one
 * entry for each file, and returns the files that had both tags.
 */
export function replaceOnFiles(
  tx: Tx,
  actor: Actor,
  { files, old, into, following }: Merging & { files: number[]; following: number[] },
): number[] {
  if (files.length === 0) return []
  const comes = [into, ...following]
  const tags = [old, ...comes].map((tag) => ({ tag, by_hand: false }))
  const changes = filesAlike(tx, files, tags).map(({ files, has }): Change => {
    const hands = new Map(has.map(({ tag, by_hand }) => [tag, by_hand]))
    const isByHand = hands.get(old) === true
    const absent = comes.filter((tag) => !hands.has(tag))
    return {
      files,
      added: absent.map((tag) => ({ tag, by_hand: isByHand && tag === into })),
      isByHand,
      hadInto: hands.has(into),
      isNamed: isByHand && hands.get(into) === false,
    }
  })
  const pairs = changes
    .flatMap((one, set) => one.files.map((file) => [file, set] as const))
    .sort(([a], [b]) => a - b)
  const listed = JSON.stringify(pairs)
  const details = detailsOf(tx, { old, into }, changes).map((one) => JSON.stringify(one))
  recordedSets.file_tag_replace(tx, actor, { files: listed, sets: JSON.stringify(details) })
  triggersStopped.run(tx, {})
  const sets = changes.map((one) => one.added.map(({ tag, by_hand }) => [tag, by_hand ? 1 : 0]))
  insertedSets.run(tx, { files: listed, sets: JSON.stringify(sets) })
  const named = changes.flatMap((one) => (one.isNamed ? one.files : []))
  namedOnFiles.run(tx, { files: JSON.stringify(named), tags: JSON.stringify([into]) })
  deletedFromFiles.run(tx, { files: JSON.stringify(files), tags: JSON.stringify([old]) })
  count(tx, old, changes, pairs)
  triggersStarted.run(tx, {})
  return changes.flatMap((one) => (one.hadInto ? one.files : []))
}

function detailsOf(
  tx: Tx,
  { old, into }: Merging,
  changes: Change[],
): Details['file_tag_replace'][] {
  const rids = changes.flatMap((one) => one.added.map(({ tag }) => tag))
  const ids = new Map(tagIdsByRid(tx, [...new Set([old, into, ...rids])]))
  const idsOf = (tags: Change['added']) => tags.map(({ tag }) => ids.get(tag)!)
  return changes.map(({ added, isByHand, isNamed }) => ({
    tag_ids: idsOf(added),
    by_rule: idsOf(added.filter((one) => !one.by_hand)),
    removed_tag_ids: [ids.get(old)!],
    removed_by_rule: isByHand ? [] : [ids.get(old)!],
    ...(isNamed && { now_by_hand: [ids.get(into)!] }),
  }))
}

// Does the counting of the triggers, which are stopped meanwhile.
function count(
  tx: Tx,
  old: number,
  changes: Change[],
  pairs: (readonly [file: number, set: number])[],
): void {
  const ofFiles = changes.map((one) => one.added.length - 1)
  // Most files have as many tags as before, and need not be written.
  const changed = pairs.filter(([, set]) => ofFiles[set] !== 0)
  countedOnFiles.run(tx, { files: JSON.stringify(changed), sets: JSON.stringify(ofFiles) })
  const ofTags = new Map([[old, -pairs.length]])
  for (const { added, files } of changes) {
    for (const { tag } of added) ofTags.set(tag, (ofTags.get(tag) ?? 0) + files.length)
  }
  countedOnTags.run(tx, { changes: JSON.stringify([...ofTags]) })
}
