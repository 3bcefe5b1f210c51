import type { WriteAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { pairFile } from '../files/companions/pairing.ts'
import { importDate } from '../files/dates/file-date.ts'
import { fileInstead } from '../files/known/known.ts'
import type { Content } from '../files/queries.ts'
import { type ContentDeps, commitContent, createFile, discardContent } from '../files/upload.ts'
import { requireQuota } from '../files/usage/quota.ts'
import { cleanFilename } from '../http/disposition.ts'
import { wantedOf } from '../tags/described/wanted.ts'
import { appliedText } from './again.ts'
import { applyExport, exportTags, fileToJoin, joinFile } from './exported.ts'
import { insertJournalRow } from './queries.ts'
import { REASONS } from './reasons.ts'
import { removeImported } from './remove.ts'
import type { ImportEvent } from './schema.ts'
import { digestOfAll } from './sidecars.ts'
import { lookAgain, type Source } from './source.ts'

const QUOTED_OF_NAME = 40

/** What became of an entry. */
export interface EntryOutcome extends Pick<ImportEvent, 'reason' | 'mime_type'> {
  status: Exclude<ImportEvent['status'], 'error' | undefined>
}

/** Returns what became of an entry that is skipped for a reason. */
export function skipped(reason: string): EntryOutcome {
  return { status: 'skipped', reason }
}

/** Gives a content its file, or throws what prevents that, and then removes the source. */
export async function importContent(
  deps: ContentDeps,
  source: Source,
  content: Content,
  writeAs: WriteAs,
): Promise<EntryOutcome> {
  const { entry, options, imported, describer, make, read } = source
  const described = options.keyword_tags ? content.derivatives.description : null
  const isUnread = isUndescribed(source, content)
  const { description } = content.derivatives
  const names = [
    ...(options.folder_tags ? entry.folders : []),
    ...exportTags(entry, description, options),
  ]
  const { wanted, caption, unfit } = wantedOf(described, names, options)
  let made: number | undefined
  const record = (tx: Tx, rid: number) => {
    made = rid
    insertJournalRow(tx, {
      path: entry.known,
      sha256: content.sha256,
      file_rid: rid,
      sidecars: options.keyword_tags && !isUnread ? digestOfAll(read) : null,
      applied: options.keyword_tags && !isUnread ? appliedText({ wanted, caption }) : null,
    })
  }
  const create = (tx: Tx, user: User): EntryOutcome => {
    // Another file of the same content may have come meanwhile.
    const other = fileToJoin(tx, user, content.sha256, source)
    if (other) return skipped(joinFile(tx, user, entry, { ...other, sha256: content.sha256 }))
    if (fileInstead(tx, user, { ...content, ...options })) return skipped(REASONS.here)
    if (make) {
      record(tx, make(tx, user, content))
      return { status: 'imported' }
    }
    requireQuota(tx, deps.config, { size: content.size, creator_id: user.id })
    const file = createFile(tx, user, content, {
      original_name: cleanFilename(entry.name),
      ...importDate(
        {
          ofContent: content.derivatives.dates,
          name: options.name_dates ? entry.name : null,
          modified: entry.modified,
        },
        { now: tx.now, timeZone: deps.config.timeZone },
      ),
      notes: caption,
      tags: describer.tagsFor(tx, user, wanted),
    })
    const { rid } = file
    pairFile(tx, user, rid, (other) => imported.get(other) === entry.folder)
    record(tx, rid)
    const warning = applyExport(tx, user, entry, { file, description, options })
    const reasons = [leftOutOf(unfit, described?.leftOut), warning].filter(Boolean)
    return { status: 'imported', ...(reasons.length > 0 && { reason: reasons.join('; ') }) }
  }
  const seen = await lookAgain(source, content.sha256).catch(async (error) => {
    await discardContent(deps, content)
    throw error
  })
  if (typeof seen === 'string') {
    await discardContent(deps, content)
    return skipped(REASONS.stillWritten)
  }
  const isImported = ({ status }: EntryOutcome) => status === 'imported'
  const outcome = await commitContent(deps, content, () => writeAs(create), isImported)
  if (!isImported(outcome)) return outcome
  imported.set(made!, entry.folder)
  const stays = isUnread ? REASONS.undescribed : await removeImported(deps, source, content.sha256)
  const warnings = [outcome.reason, stays].filter(Boolean)
  return { ...outcome, ...(warnings.length > 0 && { reason: warnings.join('; ') }) }
}

/** Returns whether the system had no room for the process that reads what describes a content. */
export function isUndescribed(
  { read }: Pick<Source, 'read'>,
  { derivatives, later }: Content,
): boolean {
  if (read.sidecars.length === 0) return false
  return derivatives.state === 'pending' && !later && derivatives.description.from.length === 0
}

/** Returns the warning that paths give no tags, as well as `more` that are not known; null when there are none. */
export function leftOutOf(paths: string[][], more = 0): string | null {
  const tooMany = more > 0 ? `${more} keywords left out, too many or too long` : null
  const unfit = paths.length > 0 ? noTagsOf(paths.map((path) => path.join('/'))) : null
  return [unfit, tooMany].filter((reason) => reason !== null).join('; ') || null
}

// Shortened when there are many or a long one.
function noTagsOf(names: string[]): string {
  const [first = ''] = names
  const quoted = JSON.stringify([...first].slice(0, QUOTED_OF_NAME).join(''))
  return names.length === 1
    ? `no tag may be named ${quoted}`
    : `no tags may be named ${quoted} and ${names.length - 1} more`
}
