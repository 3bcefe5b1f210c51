import { accessCondition, allowedParts, type Right, type Rows } from '../../acl/access.ts'
import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files } from '../../db/schema/files.ts'
import { numbersOf } from '../../db/sql.ts'
import { createdFiles } from '../created-queries.ts'
import { addFile, combine, countFiles, type FileSet, invert, setOf, without } from '../file-set.ts'
import { FEW_TAGS, hiddenTags } from './hidden-tags.ts'
import type { FileList } from './query.ts'
import { isBounded } from './range.ts'
import {
  filesInRange,
  filesNamed,
  filesOfPool,
  filesOfTag,
  filesOfTypes,
  highestFile,
  isIndexedSearch,
  ridsOf,
} from './sources.ts'
import { filesWith } from './traits.ts'
import type { Tree } from './tree.ts'

// The files of a list as bits, read by whole indexes, each as one JSON text, instead of file by file. What takes long
// for a large library belongs in a question to the reader.

const f = columnNames(files)

/** Which files a list holds, whatever their order; a range refers to the sort's time. */
export type Members = Omit<FileList, 'order'>

/** Returns the set of the files of a list that its viewer sees. */
export function membersOf(db: Db, list: Members): FileSet {
  const { viewer, tree, search, pool, range, sort, trash } = list
  const sets = [filesSeen(db, viewer, trash)]
  if (tree) sets.push(matchingFiles(db, tree, viewer))
  if (search !== '') sets.push(namedFiles(db, search))
  if (pool !== null) sets.push(setOfRows(db, filesOfPool(pool)))
  if (isBounded(range)) {
    const isOfCreation = sort === 'created'
    sets.push(isOfCreation ? createdFiles(db, range) : setOfRows(db, filesInRange(range, trash)))
  }
  return sets.length === 1 ? sets[0]! : combine('and', sets, sets[0]!.length)
}

/** Returns for each tree how many of the files match that a viewer sees and that aren't in the trash. */
export function countMatching(db: Db, viewer: User, trees: (Tree | null)[]): number[] {
  const seen = filesSeen(db, viewer, false)
  return trees.map((tree) =>
    countFiles(tree ? combine('and', [seen, matchingFiles(db, tree, viewer)], seen.length) : seen),
  )
}

function filesSeen(db: Db, viewer: User, trash: boolean): FileSet {
  return filesAllowed(db, viewer, { right: 'view', trash })
}

/** Returns the set of the files that a user may edit and that are not in the trash. */
export function filesEditable(db: Db, user: User): FileSet {
  return filesAllowed(db, user, { right: 'edit', trash: false })
}

function filesAllowed(
  db: Db,
  user: User,
  { right, trash }: { right: Right; trash: boolean },
): FileSet {
  const inTrash = (is_deleted: boolean) =>
    setOf(
      numbersOf(db, {
        sql: `SELECT ${f.rid} FROM files INDEXED BY files_created WHERE ${f.is_deleted} = ?`,
        params: [Number(is_deleted)],
      }),
    )
  if (user.is_admin) return inTrash(trash)
  const parts = allowedParts(user, right).map((part) => setOfRows(db, part))
  const allowed = combine('or', parts, (highestFile(db) >>> 5) + 1)
  // The trash is mostly smaller than the rest.
  return trash
    ? combine('and', [allowed, inTrash(true)], allowed.length)
    : without(allowed, inTrash(true))
}

// Includes trashed and hidden files; negated, also numbers of no file.
function matchingFiles(db: Db, tree: Tree, viewer: User): FileSet {
  const words = (highestFile(db) >>> 5) + 1
  const known = new Map<string | number, FileSet>()
  // A filter may contain the same condition a hundred times.
  const once = (key: string | number, make: () => FileSet): FileSet => {
    const files = known.get(key) ?? make()
    known.set(key, files)
    return files
  }
  const tag = (rid: number) => once(rid, () => setOfRows(db, filesOfTag(rid)))
  const evaluate = (tree: Tree): FileSet => {
    switch (tree.kind) {
      case 'never':
        return new Uint32Array(words)
      case 'always':
        return invert(new Uint32Array(words))
      case 'tags': {
        const files = combine(tree.match === 'any' ? 'or' : 'and', tree.tags.map(tag), words)
        return tree.negated ? invert(files) : files
      }
      case 'untagged': {
        const files = combine('or', [once('untagged', () => untaggedFiles(db, viewer))], words)
        return tree.negated ? invert(files) : files
      }
      case 'mime': {
        const { types } = tree
        return combine('or', [once(`${types}`, () => setOfRows(db, filesOfTypes(types)))], words)
      }
      case 'trait': {
        const { trait, negated } = tree
        const found = once(JSON.stringify(trait), () => setOfRows(db, filesWith(trait, viewer)))
        const files = combine('or', [found], words)
        return negated ? invert(files) : files
      }
      case 'and':
      case 'or':
        return combine(tree.kind, each(tree.items), words)
    }
  }
  // One set after another, so that only one at a time is in memory.
  function* each(items: Tree[]): Generator<FileSet> {
    for (const item of items) yield evaluate(item)
  }
  return evaluate(tree)
}

function namedFiles(db: Db, search: string): FileSet {
  if (isIndexedSearch(search)) return setOfRows(db, filesNamed(search))
  const sql = `SELECT ${f.rid} FROM files INDEXED BY files_original_name
     WHERE ${f.is_deleted} IN (0, 1) AND instr(${f.name_key}, ?) > 0`
  return setOf(numbersOf(db, { sql, params: [search] }))
}

// A file counts as untagged if all of its tags are hidden from the viewer.
function untaggedFiles(db: Db, viewer: User): FileSet {
  const hidden = new Uint16Array(highestFile(db) + 1)
  for (const tag of hiddenTags(db, viewer)) {
    for (const rid of numbersOf(db, ridsOf(filesOfTag(tag)))) hidden[rid]!++
  }
  let untagged: FileSet = new Uint32Array((hidden.length >>> 5) + 1)
  for (let count = 0; count <= FEW_TAGS; count++) {
    const sql = `SELECT ${f.rid} FROM files INDEXED BY files_few_tags
       WHERE ${f.tag_count} <= ${FEW_TAGS} AND ${f.tag_count} = ?`
    for (const rid of numbersOf(db, { sql, params: [count] })) {
      if (hidden[rid] === count) untagged = addFile(untagged, rid)
    }
  }
  const many: number[] = []
  for (let rid = 1; rid < hidden.length; rid++) if (hidden[rid]! > FEW_TAGS) many.push(rid)
  const counts = db.all<{ rid: number; tag_count: number }>(
    `SELECT ${f.rid}, ${f.tag_count} FROM json_each(?) j CROSS JOIN files ON ${f.rid} = j.value`,
    JSON.stringify(many),
  )
  for (const { rid, tag_count } of counts) {
    if (hidden[rid] === tag_count) untagged = addFile(untagged, rid)
  }
  return untagged
}

/** Returns how many of the files the viewer of a list sees now, in the trash or not, as the list asks. */
export function countSeen(db: Db, list: FileList, rids: number[]): number {
  const { viewer, trash } = seenNow(db, list)
  const visible = accessCondition(viewer, 'file', 'view', 'files')
  return db.get<{ seen: number }>(
    `SELECT count(*) AS seen FROM json_each(?) j CROSS JOIN files ON ${f.rid} = j.value
     WHERE ${f.is_deleted} = ? AND ${visible.sql}`,
    JSON.stringify(rids),
    Number(trash),
    ...visible.params,
  )!.seen
}

function setOfRows(db: Db, rows: Rows): FileSet {
  return setOf(numbersOf(db, ridsOf(rows)))
}
