import { madeBy } from '../acl/limit-queries.ts'
import type { WriteAs } from '../auth/write-as.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { ContentDeps } from '../files/upload.ts'
import { TAGS_OF_FILE } from '../tags/limits.ts'
import { createDryRun } from './dry-run.ts'
import type { FolderEntry } from './entries.ts'
import type { ImportOptions } from './schema.ts'
import type { SourceNames } from './source-names.ts'

interface Asked {
  entries: FolderEntry[]
  owner: User
  sources: Pick<SourceNames, 'earlier'>
  options: ImportOptions
  writeAs: WriteAs
  isOver: () => boolean
}

/**
 * Looks at what describes all entries, and throws conflict when the owner would have more tags than they may. An admin
 * may have any number. Does nothing where the entries are too few for that, and stops once `isOver` returns true.
 */
export async function requireFewTagsOf(
  deps: ContentDeps,
  { entries, owner, sources, options, writeAs, isOver }: Asked,
): Promise<void> {
  if (!options.keyword_tags) return
  const { made, most } = madeBy(deps.db, 'tag', owner.id)
  const files = entries.filter(({ unfit }) => unfit === null).length
  if (most === null || made + files * TAGS_OF_FILE <= most) return
  const dryRun = createDryRun(deps, sources, options)
  for (const entry of entries) {
    if (isOver()) return
    try {
      await (await dryRun.prepare(entry, owner)).finish(writeAs)
    } catch {
      // The import says why when it is the turn of this entry.
    }
  }
  const { tags_after } = dryRun.summary()
  if (typeof tags_after !== 'number' || tags_after <= most) return
  throw new AppError(
    'conflict',
    `The owner would have ${tags_after} tags, and may have at most ${most}`,
  )
}
