import { AppError } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { addFiles } from '../../pools/arrange.ts'
import { createPool } from '../../pools/edit.ts'
import { findMadePool, loadPool } from '../../pools/queries.ts'
import { PoolCreate } from '../../pools/schema.ts'
import { REASONS } from '../reasons.ts'

/** An album of an export. */
export interface Album {
  title: string
  /** How the journal names the folder that holds the folders of all albums. */
  root: string
}

/** Where the metadata of a pool says by which export it was made. */
const MADE_BY = 'imported_from'

/**
 * Puts a file into the pool of an album, which is the one that an earlier import of the same export made for the user,
 * or else a new one. Returns why there can be none, or null.
 */
export function putIntoAlbum(
  tx: Tx,
  user: User,
  { title, root }: Album,
  file: { rid: number; id: string },
): string | null {
  const fields = PoolCreate.safeParse({ name: title, metadata: { [MADE_BY]: root } })
  if (!fields.success) return REASONS.albumName
  try {
    const { name } = fields.data
    const made = findMadePool(tx, { creator_id: user.id, name, key: MADE_BY, value: root })
    const id = made ?? createPool(tx, user, fields.data, BY_DATE)
    addFiles(tx, user, loadPool(tx, user, id, 'edit'), { files: [file], position: undefined })
    return null
  } catch (error) {
    if (error instanceof AppError) return `${REASONS.noPool}, ${error.message}`
    throw error
  }
}

// As Google Photos shows them.
const BY_DATE = { sort_key: 'content_datetime', sort_order: 'asc' } as const
