import type { z } from 'zod'
import { createPause } from '../../base/pause.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { shownDate } from '../../files/dates/file-date.ts'
import { type JsonText, jsonArray, PAGE_BYTES } from '../../http/json.ts'
import { type TagView, viewTags } from '../../tags/cache.ts'
import type { Proposal, Proposals } from './find.ts'
import { dateGained, notesGained, retainedOf } from './merge.ts'
import { mergeableAmong, type ProposedFile, poolsGained, tagsOn } from './present-queries.ts'
import {
  type DuplicateProposal,
  type DuplicateProposalPage,
  MOST_DISCARDED,
  MOST_NAMED,
} from './schema.ts'

/**
 * Returns the JSON of a page of what is proposed to a user, with what each retained file gets. Other requests run
 * between items that take long. A file that can no longer be merged is left out; where that leaves an item out, the
 * proposals are found once more, so that no page is short and none repeats.
 */
export async function presentProposals(
  db: Db,
  viewer: User,
  find: () => Promise<Proposals>,
  page: Page,
): Promise<JsonText<z.infer<typeof DuplicateProposalPage>>> {
  const first = await presentPage(db, viewer, await find(), page)
  const { texts, total } = first.isWhole ? first : await presentPage(db, viewer, await find(), page)
  return `{"items":${jsonArray(texts)},"total":${total}}`
}

interface Page {
  offset: number
  limit: number
}

async function presentPage(
  db: Db,
  viewer: User,
  { items }: Proposals,
  { offset, limit }: Page,
): Promise<{ texts: string[]; total: number; isWhole: boolean }> {
  let isWhole = true
  const pause = createPause()
  const texts: string[] = []
  // The items of a group come one after another.
  let group: Group | null = null
  let room = PAGE_BYTES
  for (const item of items.slice(offset, offset + limit)) {
    await pause()
    if (group?.of !== item.files) group = readGroup(db, viewer, item)
    const proposal = presentProposal(db, viewer, item, group)
    if (!proposal) {
      isWhole = false
      continue
    }
    const text = JSON.stringify(proposal)
    room -= Buffer.byteLength(text)
    if (room < 0 && texts.length > 0) break
    texts.push(text)
  }
  return { texts, total: items.length, isWhole }
}

interface Group {
  /** The files of the proposal. */
  of: number[]
  /** The files that can still be merged. */
  files: ProposedFile[]
  /** As `tagsSeen` returns them. */
  tags: Map<number, number[]>
  /** Null when nothing can be merged into it. */
  keep: ProposedFile | null
}

function readGroup(db: Db, viewer: User, { why, files: of }: Proposal): Group {
  const files = mergeableAmong(db, viewer, of)
  const tags = tagsSeen(db, viewTags(db, viewer), files)
  if (files.length < 2) return { of, files, tags, keep: null }
  const keep = why === 'identical' ? retainedOf(files, tags) : files[0]!
  const isLarger = why === 'identical' || keep.rid === of[0]
  return { of, files, tags, keep: isLarger ? keep : null }
}

function presentProposal(
  db: Db,
  viewer: User,
  item: Proposal,
  { files, tags, keep }: Group,
): DuplicateProposal | null {
  if (!keep) return null
  const view = viewTags(db, viewer)
  const others = files.filter((file) => file !== keep)
  const discard = others.slice(item.from, item.from + MOST_DISCARDED)
  if (discard.length === 0) return null
  const rids = discard.map((file) => file.rid)
  const own = new Set(tags.get(keep.rid))
  const more = new Set(rids.flatMap((rid) => tags.get(rid) ?? []).filter((rid) => !own.has(rid)))
  const named = [...more].flatMap((rid) => view.byRid(rid) ?? []).sort((a, b) => a.rank - b.rank)
  const date = dateGained(keep, discard)
  return {
    why: item.why,
    keep: keep.id,
    discard: discard.map((file) => file.id),
    gains: {
      tags: named.slice(0, MOST_NAMED).map(({ id, name }) => ({ id, name })),
      pools: poolsGained(db, viewer, { keep: keep.rid, discard: rids, limit: MOST_NAMED }),
      notes: notesGained(keep, discard),
      date: date && shownDate(date),
    },
  }
}

/** Returns the visible tags of files by their row numbers. */
export function tagsSeen(
  db: Db,
  view: TagView,
  files: Pick<ProposedFile, 'rid'>[],
): Map<number, number[]> {
  const rids = files.map((file) => file.rid)
  const tags = new Map(rids.map((rid): [number, number[]] => [rid, []]))
  for (const { file_rid, tag_rid } of tagsOn(db, rids)) {
    if (view.byRid(tag_rid)) tags.get(file_rid)!.push(tag_rid)
  }
  return tags
}
