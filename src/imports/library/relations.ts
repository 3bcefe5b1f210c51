import { audit } from '../../audit/record.ts'
import { pairOf } from '../../files/companions/companion-queries.ts'
import { editFile } from '../../files/edit.ts'
import { filesByRid, loadFile } from '../../files/queries.ts'
import { ADMIN, type Context, eachLine } from './context.ts'
import type { Files } from './pools.ts'
import { insertDismissal } from './queries.ts'

const PORTION = 50

/** Makes the living pictures of an exported library, except for files that are in one or were imported before. */
export async function importPairs(context: Context, files: Files): Promise<void> {
  await eachLine(context, { kind: 'pair', size: PORTION }, (tx, _, line) => {
    const rids = bothOf(context, files, [line.film, line.picture])
    if (!rids || rids.some((rid) => pairOf(tx, rid))) return
    const [film, picture] = filesByRid(tx, rids)
    if (!film || !picture) return
    editFile(tx, ADMIN, loadFile(tx, ADMIN, film.id, 'edit'), { companion_of: picture.id })
  })
}

/** Dismisses the pairs of files that somebody called different, except for those that were imported before. */
export async function importDismissals(context: Context, files: Files): Promise<void> {
  await eachLine(context, { kind: 'dismissal', size: PORTION }, (tx, user, line) => {
    const rids = bothOf(context, files, line.files)
    const [one, other] = filesByRid(
      tx,
      (rids ?? []).toSorted((a, b) => a - b),
    )
    if (!one || !other || !insertDismissal(tx, one.rid, other.rid)) return
    const details = { file_id_a: one.id, file_id_b: other.id }
    audit(tx, user, 'duplicate_dismiss', { type: 'file', id: one.id }, details)
  })
}

function bothOf({ isWhole }: Context, files: Files, paths: [string, string]): number[] | null {
  const [one, other] = paths.map((path) => files.get(path))
  if (!one || !other || one.rid === other.rid) return null
  return isWhole && !one.isNew && !other.isNew ? null : [one.rid, other.rid]
}
