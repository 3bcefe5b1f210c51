import { requireCreator } from '../acl/access.ts'
import type { Details } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import type { WriteAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { metadataText } from '../base/update.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { perConnection } from '../db/per-connection.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import type { JsonText } from '../http/json.ts'
import type { Upload } from '../http/multipart.ts'
import type { ReadDate } from '../media/dates.ts'
import type { Decoder } from '../media/decoder/decoder.ts'
import type { Sidecar } from '../media/description.ts'
import { requireAccepted } from '../media/sniff.ts'
import type { Storage } from '../media/storage.ts'
import type { TemporaryCopy } from '../media/temporary.ts'
import { type AddedTags, addTags, withFollowing } from '../tags/apply.ts'
import { createDescriber, type Describer } from '../tags/described/apply.ts'
import { wantedOf } from '../tags/described/wanted.ts'
import { loadTagRids, tagIds } from '../tags/queries.ts'
import { pairFile } from './companions/pairing.ts'
import { follow } from './content/follow.ts'
import { addRemoval, isToBeRemoved } from './content/removal-queries.ts'
import { tellUndecoded } from './content/undecoded.ts'
import { type FileDateColumns, uploadDate } from './dates/file-date.ts'
import { setLateDates } from './dates/late-dates-queries.ts'
import { findFileOf } from './derivative-queries.ts'
import { contentDetails } from './edit.ts'
import { fileInstead } from './known/known.ts'
import type { OnDuplicateOrOwn } from './known/schema.ts'
import { presentFile } from './present.ts'
import { type Content, insertFile } from './queries.ts'
import type { File, FileUploadFields } from './schema.ts'
import { requireQuota } from './usage/quota.ts'

/** What storing and removing contents needs. */
export interface ContentDeps extends WriteDeps {
  storage: Storage
  decoder: Decoder
  config: Pick<Config, 'dataDir' | 'userQuota' | 'timeZone'>
  log: Log
}

/** The link by which a file came, and who sent it. */
type Through = Details['file_create']['through']

// Of those that a file is in, the innermost.
const MOST_FOLDERS = 64
const WITHOUT_CHOICES = { top_categories: false, leave_out: [] }

/** A new file, or one that already has the content of an upload. */
interface UploadedFile {
  rid: number
  id: string
  isNew: boolean
}

/** What the write of an upload also does with its file. */
export type Also = (tx: Tx, user: User, file: UploadedFile) => void

/** Puts a new file into the pool of the key that brought it, if that has one. */
export type JoinPool = (tx: Tx, user: User, pool_rid: number | null, file: UploadedFile) => void

interface Uploaded {
  file: JsonText<File>
  isNew: boolean
}

interface UploadRequest {
  upload: Pick<Upload, 'file'>
  fields: Omit<FileUploadFields, 'on_duplicate'> & { on_duplicate: OnDuplicateOrOwn }
  user: User
  writeAs: WriteAs
  also?: Also
  through?: Through
  /** The names of folders that become tags, as far as they can. */
  folders?: string[]
}

/**
 * Stores an uploaded file and returns it as the uploader sees it, or the file that already has its content, if such an
 * upload is to be skipped. Throws unsupported_mime for a file that isn't a picture or video, not_found or forbidden for
 * its tags, conflict for a content that must be new and isn't, and insufficient_storage beyond the user's quota; then
 * nothing is left behind.
 */
export async function uploadFile(deps: ContentDeps, request: UploadRequest): Promise<Uploaded> {
  const { upload, fields, writeAs, also, folders = [] } = request
  // Checked before the slow work and again in the write: tags and rights may change in between.
  loadTagRids(deps.db, request.user, fields.tag_ids ?? [])
  const { temporary, size, sha256, filename, isCounted = false } = upload.file
  const find = (db: Db, user: User) =>
    fileInstead(db, user, { sha256, on_duplicate: fields.on_duplicate })
  const present = (db: Db, user: User, { rid, isNew }: UploadedFile): Uploaded => ({
    file: presentFile(db, user, rid),
    isNew,
  })
  const takeKnown = (tx: Tx, user: User): Uploaded | null => {
    const copy = find(tx, user)
    if (!copy) return null
    const file = { ...copy, isNew: false }
    also?.(tx, user, file)
    return present(tx, user, file)
  }
  const before = find(deps.db, request.user)
  if (before && !also) return present(deps.db, request.user, { ...before, isNew: false })
  const known = before && writeAs(takeKnown)
  if (known) return known
  const content = await keepContent(deps, { temporary, size, sha256 }, request.user.id)
  const dates = {
    given: fields.content_datetime,
    ofContent: content.derivatives.dates,
    name: filename,
    modified: fields.modified,
  }
  const described = fields.keyword_tags ? content.derivatives.description : null
  const create = (tx: Tx, user: User): Uploaded => {
    requireCreator(user)
    // Another upload may have brought the same content meanwhile.
    const meanwhile = takeKnown(tx, user)
    if (meanwhile) return meanwhile
    const replaced = isCounted ? size : 0
    requireQuota(tx, deps.config, { size, creator_id: user.id, replaced })
    const tags = loadTagRids(tx, user, fields.tag_ids ?? [])
    const { wanted, caption } = wantedOf(described, [], WITHOUT_CHOICES)
    const describer = createDescriber({ is_public: fields.public_tags })
    const { rid, id } = createFile(tx, user, content, {
      original_name: filename,
      ...uploadDate(dates, { now: tx.now, timeZone: deps.config.timeZone }),
      notes: fields.notes ?? caption,
      metadata: metadataText(fields.metadata) ?? null,
      is_public: fields.is_public,
      tags: [
        ...tags,
        ...describer.tagsFor(tx, user, wanted),
        ...tagsOfFolders(tx, user, { folders, describer }),
      ],
      through: request.through,
    })
    if (fields.pair) pairFile(tx, user, rid)
    const file = { rid, id, isNew: true }
    also?.(tx, user, file)
    return present(tx, user, file)
  }
  return commitContent(
    deps,
    content,
    () => writeAs(create),
    ({ isNew }) => isNew,
  )
}

/** Returns the tags of folders but those that can't be made: the upload counts for more. */
function tagsOfFolders(
  tx: Tx,
  user: User,
  { folders, describer }: { folders: string[]; describer: Describer },
): number[] {
  const innermost = folders.slice(-MOST_FOLDERS)
  return wantedOf(null, innermost, WITHOUT_CHOICES).wanted.flatMap((one) => {
    try {
      return describer.tagsFor(tx, user, [one])
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return []
      throw error
    }
  })
}

/** Creates a file with a stored content, and puts on it what follows from its tags, unless these say what is by hand. */
export function createFile(
  tx: Tx,
  user: User,
  content: Content,
  fields: {
    original_name: string | null
    date: FileDateColumns
    late: ReadDate[]
    notes?: string | null
    metadata?: string | null
    is_public?: boolean
    needs_review?: boolean
    tags?: number[] | AddedTags
    through?: Through | undefined
  },
): { rid: number; id: string } {
  const { original_name, tags = [] } = fields
  const id = newId(tx, 'files')
  const rid = insertFile(tx, {
    id,
    original_name,
    date: fields.date,
    notes: fields.notes ?? null,
    metadata: fields.metadata ?? null,
    is_public: fields.is_public ?? false,
    needs_review: fields.needs_review ?? true,
    creator_id: user.id,
    content,
  })
  if (fields.late.length > 0) setLateDates(tx, rid, fields.late)
  const added = Array.isArray(tags) ? withFollowing(tx, tags) : tags
  const tag_ids = tagIds(tx, addTags(tx, rid, added))
  const { through } = fields
  const details = {
    ...contentDetails(content),
    original_name,
    tag_ids,
    ...(through && { through }),
  }
  audit(tx, user, 'file_create', { type: 'file', id }, details)
  return { rid, id }
}

/**
 * Reads the EXIF of a finished temporary file, makes its hash and thumbnail for the user with the id `by`, and moves it
 * to its permanent place. What takes too long follows later, once the content is committed or discarded. `sidecars`
 * are what describes it beside it, the best one first. Throws unsupported_mime for a file that isn't a picture or video.
 */
export async function keepContent(
  deps: ContentDeps,
  { temporary, size, sha256 }: { temporary: TemporaryCopy; size: number; sha256: Uint8Array },
  by: number | undefined,
  sidecars?: Sidecar[],
): Promise<Content> {
  const type = await temporary.withLocalFile(requireAccepted)
  const { storage } = deps
  const blob = await storage.newBlob()
  let later: Content['later'] = null
  try {
    const made = await storage.keep(temporary, blob, async (path, pictureAt) => {
      const derived = await deps.decoder.deriveInTime({
        path,
        mime_type: type.mime_type,
        thumbnailPath: pictureAt('thumbnail'),
        thumbnail640Path: pictureAt('thumbnail640'),
        by,
        isUpload: true,
        sidecars,
      })
      later = derived.later
      return derived
    })
    void storage.countCached('thumbnail640', blob)
    return { blob, size, sha256, ...type, ...made }
  } catch (error) {
    await discardContent(deps, { blob, later })
    throw error
  }
}

/**
 * Runs the write that gives a stored content its row, and returns its result. The content is removed if `hasRow` says
 * that it got none, if the write throws an AppError or the database has no room for it, and after any other error once
 * a later commit has succeeded and no row names it. Then `follow` takes over what is still being made from it.
 */
export async function commitContent<T>(
  deps: ContentDeps,
  content: Content,
  commit: () => T,
  hasRow: (result: T) => boolean = () => true,
): Promise<T> {
  let result: T
  try {
    result = commit()
  } catch (error) {
    // Any other error may come from the commit itself, which may have reached the disk nevertheless: one content too
    // many is waste, one too few is a loss.
    if (error instanceof AppError || isRolledBack(error)) await discardContent(deps, content)
    else uncertainOf(deps.db).add(content)
    throw error
  }
  if (hasRow(result)) {
    tellUndecoded(deps, content.blob, content.derivatives.state)
    follow(deps, content)
  } else await discardContent(deps, content)
  await settleUncertain(deps)
  return result
}

// Of SQLite's errors in a commit, only that of a full disk guarantees a rollback.
function isRolledBack(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'SQLITE_FULL'
}

type Stored = Pick<Content, 'blob' | 'later'>

// Contents whose commit may or may not have reached the disk.
const uncertainOf = perConnection(() => new Set<Stored>())

/**
 * Removes contents that no row names, now that a later commit has succeeded. Never rejects, because of that commit:
 * when a row can't be looked for, that is logged, and the content waits for the next one.
 */
async function settleUncertain(deps: ContentDeps): Promise<void> {
  const uncertain = uncertainOf(deps.db)
  for (const content of [...uncertain]) {
    // Another call may have taken the content meanwhile.
    if (!uncertain.delete(content)) continue
    try {
      // One that had a row is left to those that are to be removed: a backup may name it.
      const isKnown = findFileOf(deps.db, content.blob) || isToBeRemoved(deps.db, content.blob)
      if (isKnown) follow(deps, content)
      else await discardContent(deps, content)
    } catch (error) {
      uncertain.add(content)
      reportLeft(deps, content, error)
    }
  }
}

/**
 * Removes a stored content that gets no row, and what is still being made from it. What can't be removed now, as while
 * a store is away, is removed by a sweep. Never rejects.
 */
export async function discardContent(deps: ContentDeps, content: Stored): Promise<void> {
  const { blob } = content
  try {
    await deps.storage.removeBlob(blob)
  } catch (error) {
    reportLeft(deps, content, error)
    try {
      write(deps.db, { now: deps.clock() }, (tx) => addRemoval(tx, blob))
    } catch (unwritten) {
      reportLeft(deps, content, unwritten)
    }
  }
  follow(deps, content)
}

function reportLeft({ log }: ContentDeps, { blob }: Stored, error: unknown): void {
  log.warn('content not removed', { blob, error: String(error) })
}
