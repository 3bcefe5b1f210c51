import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import { metadataText } from '../../base/update.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { addFavourites } from '../../files/favourites/favourite-queries.ts'
import { turnFile } from '../../files/looks/turn-queries.ts'
import type { Content } from '../../files/queries.ts'
import { createFile } from '../../files/upload.ts'
import { requireQuota } from '../../files/usage/quota.ts'
import { REASONS } from '../reasons.ts'
import { type Context, grant, personOf } from './context.ts'
import type { LineOf } from './lines.ts'
import { ridOf } from './names.ts'

/** Writes the rows of a file with a stored content, and returns its row number. */
export type MakeFile = (tx: Tx, user: User, content: Content) => number

/**
 * Returns how a file of an exported library is made: as its line says, whatever its content says. It throws conflict for
 * a content that isn't that of the line.
 */
export function makerOf(
  { config }: { config: Pick<Config, 'userQuota'> },
  context: Context,
  line: LineOf<'file'>,
): MakeFile {
  return (tx, user, content) => {
    const { size, sha256 } = content
    if (Buffer.from(sha256).toString('hex') !== line.sha256) {
      throw new AppError('conflict', REASONS.otherBytes)
    }
    const creator = personOf(context, line.creator, user)
    requireQuota(tx, config, { size, creator_id: creator.id })
    const tagRids = (names: string[]) =>
      names.flatMap((name) => ridOf(tx, context, 'tag', name) ?? [])
    const named = [...new Set(tagRids(line.tags))]
    const { date, notes, is_public, needs_review } = line
    const { rid, id } = createFile(tx, creator, content, {
      original_name: line.name,
      date: {
        content_datetime: Date.parse(date.time),
        content_offset: date.offset,
        date_source: date.source,
        date_precision: date.precision,
      },
      late: [],
      notes,
      metadata: metadataText(line.metadata),
      is_public,
      needs_review,
      tags: { all: [...new Set([...named, ...tagRids(line.tags_by_rule)])], named },
    })
    if (line.rotation !== 0) turnFile(tx, rid, { from: 0, to: line.rotation })
    for (const name of line.favourite_of) {
      const person = context.people.get(name)
      if (person) addFavourites(tx, person, [rid])
    }
    grant(tx, context, creator, { type: 'file', rid, id }, line.rights)
    return rid
  }
}
