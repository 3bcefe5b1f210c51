import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type JsonText, jsonArray, PAGE_BYTES } from '../http/json.ts'
import { type TagView, viewTags } from '../tags/cache.ts'
import type { KnownTag } from '../tags/texts.ts'
import { picturesOf } from './companions/companion-queries.ts'
import { favouritesAmong } from './favourites/favourite-queries.ts'
import { type FileText, fileTexts } from './file-texts.ts'
import { listFileTags } from './queries.ts'
import type { File, FileTag } from './schema.ts'

// The most bytes that the JSON of a file has beside its details and tags; names are short.
const OVERHEAD = 2000
// The most bytes that a tag's JSON grows by on a file.
const TAG_OVERHEAD = 16

/** The files are in the given order; `taken` counts the files that the page deals with. */
interface FilePage<More extends object> {
  files: JsonText<File & More>[]
  taken: number
}

/**
 * Returns the first of the files as `viewer` sees them, each as the specification's File, in the given order: at least
 * one, and no more than fit into `room` bytes. Files that no longer exist are left out. `more` returns further fields
 * for a file.
 */
export function presentPage<More extends object = object>(
  db: Db,
  viewer: User,
  rids: number[],
  { room = PAGE_BYTES, more }: { room?: number; more?: (rid: number) => More } = {},
): FilePage<More> {
  if (rids.length === 0) return { files: [], taken: 0 }
  const view = viewTags(db, viewer)
  const { found, taken } = filesThatFit(db, view, rids, room)
  const texts = tagTexts(
    view,
    found.flatMap(({ tags }) => tags),
  )
  const liked = favouritesAmong(db, viewer, rids)
  const pictures = picturesOf(db, viewer, rids)
  let from = 0
  const files = found.map(({ rid, file, tags }) => {
    const own = texts.slice(from, from + tags.length)
    from += tags.length
    const companion_of = pictures.get(rid) ?? null
    const fields = { tags: jsonArray(own), companion_of, is_favourite: liked.has(rid) }
    return file.with(fields, more?.(rid)) as JsonText<File & More>
  })
  return { files, taken }
}

interface TaggedFile {
  rid: number
  file: FileText
  tags: CarriedTag[]
}

function filesThatFit(
  db: Db,
  view: TagView,
  rids: number[],
  room: number,
): { found: TaggedFile[]; taken: number } {
  const files = fileTexts(db, rids)
  const found: TaggedFile[] = []
  let bytes = 0
  for (const [taken, rid] of rids.entries()) {
    const file = files.get(rid)
    if (!file) continue
    const tags = knownTags(view, file.tags)
    bytes += OVERHEAD + file.bytes
    for (const { tag } of tags) bytes += view.bytesOf(tag) + TAG_OVERHEAD
    if (bytes > room && found.length > 0) return { found, taken }
    found.push({ rid, file, tags })
  }
  return { found, taken: rids.length }
}

/** Returns one file as `viewer` sees it, as the specification's File. Throws not_found. */
export function presentFile(db: Db, viewer: User, rid: number): JsonText<File> {
  const [text] = presentPage(db, viewer, [rid]).files
  if (text === undefined) throw new AppError('not_found', 'There is no such file')
  return text
}

/** Returns the tags of a file that `viewer` sees, by name. */
export function presentFileTags(db: Db, viewer: User, rid: number): JsonText<FileTag[]> {
  const view = viewTags(db, viewer)
  const numbers = listFileTags(db, rid).map(({ tag_rid, by_hand }) =>
    by_hand ? tag_rid : -tag_rid,
  )
  return jsonArray(tagTexts(view, knownTags(view, numbers)))
}

interface CarriedTag {
  tag: KnownTag
  by_rule: boolean
}

// Sorted by name; the numbers of tags by rule are negative.
function knownTags(view: TagView, numbers: number[]): CarriedTag[] {
  const known: CarriedTag[] = []
  for (const number of numbers) {
    const tag = view.byRid(Math.abs(number))
    if (tag) known.push({ tag, by_rule: number < 0 })
  }
  return known.sort((a, b) => a.tag.rank - b.tag.rank)
}

function tagTexts(view: TagView, carried: CarriedTag[]): JsonText<FileTag>[] {
  return view
    .texts(carried.map(({ tag }) => tag))
    .map((text, index) => `${text.slice(0, -1)},"by_rule":${carried[index]!.by_rule}}`)
}
