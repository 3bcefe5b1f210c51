import { AppError, overQuota } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import { CONTENT_KNOWN } from '../files/known/known.ts'
import { findOwnCopy, findStandIn } from '../files/known/queries.ts'
import type { ContentDeps } from '../files/upload.ts'
import { quotaLeft } from '../files/usage/quota.ts'
import { requireAccepted } from '../media/sniff.ts'
import { createPreviewer } from '../tags/described/preview.ts'
import { type WantedOfFile, wantedOf } from '../tags/described/wanted.ts'
import { describeSource } from './again.ts'
import { type EntryOutcome, leftOutOf } from './commit.ts'
import { copyOf, digestOf, type FolderEntry, isArchived } from './entries.ts'
import { exportTags, whyLeftOut } from './exported.ts'
import { type Prepared, skip, skipUnsupported } from './prepare.ts'
import { findJournalRow } from './queries.ts'
import { REASONS } from './reasons.ts'
import { lookForWriters } from './rest.ts'
import type { DryRunSummary, ImportOptions } from './schema.ts'
import { readSidecars } from './sidecars.ts'
import { openSource } from './source.ts'
import type { SourceNames } from './source-names.ts'
import type { OpenSource } from './tree.ts'

interface DryRun {
  /** Returns an entry whose `finish` returns what would become of it; nothing is written for it. */
  prepare(entry: FolderEntry, user: User): Promise<Prepared>
  /** Returns what would have been imported so far. */
  summary(): DryRunSummary
}

interface Described {
  sha256: Buffer
  /** Bytes. */
  size: number
  mime_type: string
  file: WantedOfFile
  /** How many keywords were too many or too long to be read. */
  leftOut: number
  /** Whether it lies in the export of a service. */
  isExported: boolean
}

/** Returns a dry run that has looked at no entry yet. */
export function createDryRun(
  deps: Pick<ContentDeps, 'db' | 'config' | 'storage' | 'decoder'>,
  sources: Pick<SourceNames, 'earlier'>,
  options: ImportOptions,
): DryRun {
  const { on_duplicate } = options
  const types = new Map<string, number>()
  const digests = new Set<string>()
  const hasWriter = lookForWriters()
  const previewer = createPreviewer()
  const { db, config, storage } = deps
  let owner: User | undefined
  let bytes = 0
  let here = 0

  function judge(
    user: User,
    { sha256, size, mime_type, file, leftOut, isExported }: Described,
  ): EntryOutcome {
    const digest = sha256.toString('base64')
    const isHere = findStandIn(db, user, sha256) !== undefined || digests.has(digest)
    if (isHere) here++
    // Of an export, an import puts what is here into the album.
    const isJoined = isExported && (digests.has(digest) || findOwnCopy(db, user.id, sha256))
    if (isJoined && on_duplicate !== 'conflict') return { status: 'skipped', reason: REASONS.here }
    if (isHere && on_duplicate === 'conflict') throw new AppError('conflict', CONTENT_KNOWN)
    if (isHere && on_duplicate === 'skip') return { status: 'skipped', reason: REASONS.here }
    if (bytes + size > quotaLeft(db, config, user.id)) throw overQuota()
    if (options.keyword_tags) previewer.add(db, user, file)
    owner = user
    bytes += size
    digests.add(digest)
    types.set(mime_type, (types.get(mime_type) ?? 0) + 1)
    const unfit = leftOutOf(file.unfit, leftOut)
    const reasons = [...(isHere ? [REASONS.here] : []), ...(unfit === null ? [] : [unfit])]
    return {
      status: 'imported',
      mime_type,
      ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    }
  }

  // Also finds the row under an older version's name, which an import would have renamed.
  function rowOf({ known }: FolderEntry) {
    for (const name of [known, ...sources.earlier(known)]) {
      const row = findJournalRow(db, name)
      if (row) return row
    }
    return undefined
  }

  async function typeOf({ folder, raw }: FolderEntry, source: OpenSource, size: number) {
    if (!isArchived(source)) return requireAccepted(await folder.pathTo(raw, source))
    const copy = await copyOf(storage, source, size)
    try {
      return await copy.withLocalFile(requireAccepted)
    } finally {
      await copy.discard()
    }
  }

  function earlier(): EntryOutcome {
    here++
    return { status: 'skipped', reason: REASONS.imported }
  }

  return {
    async prepare(entry, user) {
      const open = await openSource(entry, hasWriter)
      if (typeof open === 'string') return skip(open)
      const { source, opened } = open
      try {
        const read = await readSidecars(entry, hasWriter)
        if (!read) return skip(REASONS.stillWritten)
        const sha256 = await digestOf(source)
        const row = rowOf(entry)
        if (row && sha256.equals(row.sha256)) return { finish: earlier, async discard() {} }
        const { mime_type } = await typeOf(entry, source, opened.size)
        const { size } = opened
        // Those of an export say of a file whether it comes at all.
        const isDescribed = options.keyword_tags || read.sidecars.length > 0
        const description = isDescribed
          ? await describeSource(deps, source, { size, mime_type, read })
          : null
        const why = description && whyLeftOut(entry, description, options)
        if (why) return skip(why)
        const names = [
          ...(options.folder_tags ? entry.folders : []),
          ...(description ? exportTags(entry, description, options) : []),
        ]
        const described = options.keyword_tags ? description : null
        const file = wantedOf(described, names, options)
        const leftOut = described?.leftOut ?? 0
        const isExported = entry.exported !== undefined
        const found = { sha256, size, mime_type, file, leftOut, isExported }
        return { finish: () => judge(user, found), async discard() {} }
      } catch (error) {
        return skipUnsupported(error)
      } finally {
        await source.close()
      }
    },
    summary: () => ({
      bytes,
      here,
      room: storage.room.room(),
      types: [...types]
        .map(([mime_type, files]) => ({ mime_type, files }))
        .sort((a, b) => b.files - a.files || (a.mime_type < b.mime_type ? -1 : 1)),
      ...(options.keyword_tags && owner && previewer.preview(db, owner)),
    }),
  }
}
