import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { requireRoomToMake } from '../../acl/limit-queries.ts'
import { listPermissions } from '../../acl/queries.ts'
import { findAccountByName } from '../../auth/queries.ts'
import { filterOfTokens } from '../../base/filter-tokens.ts'
import { metadataText } from '../../base/update.ts'
import type { User } from '../../base/user.ts'
import { findCategory } from '../../categories/queries.ts'
import { newId } from '../../db/ids.ts'
import type { Tx } from '../../db/write.ts'
import type { FilterToken } from '../../exports/library-format.ts'
import { filesByRid } from '../../files/queries.ts'
import { addFiles } from '../../pools/arrange.ts'
import { editPool, recordCreated } from '../../pools/edit.ts'
import { insertPool, loadPool } from '../../pools/queries.ts'
import { grantThroughPool } from '../../pools/sharing/through-queries.ts'
import { tagIds } from '../../tags/queries.ts'
import { ADMIN, type Context, eachLine, grant, personOf, unlessRefused } from './context.ts'
import { type LineOf, linesOf } from './lines.ts'
import { makeUser, ridOf } from './names.ts'
import { findLine, insertLine } from './queries.ts'

// Files that are put into a pool in one write, each with an entry for everybody who sees it through the pool.
const PORTION = 250
// The id of no tag, category or pool: no clock will reach it.
const NOTHING = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** The file that has come from each path of the export, and whether it is new. */
export type Files = Map<string, { rid: number; isNew: boolean }>

/**
 * Makes the pools of an exported library and fills them. One that an earlier import has made of the same line gets the
 * files that it lacks, but, when that import was whole, only those that are new.
 */
export async function importPools(context: Context, files: Files): Promise<void> {
  const { source, index, writeAs, isWhole } = context
  const ids: (string | null)[] = []
  for await (const { line, text } of linesOf(source, index, 'pool', 'pool_files')) {
    if (context.isOver()) return
    if (line.type === 'pool') {
      ids.push(writeAs((tx, user) => poolOf(tx, user, context, { line, text, number: ids.length })))
    } else await fill(context, ids.at(-1), { line, files })
    await setImmediate()
  }
  if (isWhole) return
  // A filter may name a pool that comes after it.
  let number = 0
  await eachLine(context, { kind: 'pool', size: 20 }, (tx, user, { filter, sort, order }) => {
    const id = ids[number++]
    if (filter === null || !id) return
    const pool = loadPool(tx, ADMIN, id, 'edit')
    if (pool.filter !== null) return
    const tokens = filter.map((token) => tokenText(tx, user, context, { token, ids }))
    const sorted = { sort_key: sort, sort_order: order }
    editPool(tx, ADMIN, pool, { filter: filterOfTokens(tokens), ...sorted })
  })
}

// Returns null for a pool that is not to be made, or is being deleted.
function poolOf(
  tx: Tx,
  user: User,
  context: Context,
  { line, text, number }: { line: LineOf<'pool'>; text: string; number: number },
): string | null {
  // Two pools may have equal lines.
  const sha256 = createHash('sha256')
    .update(`${number} ${text.replace(/,$/, '')}`)
    .digest()
  const key = { path: context.path, sha256 }
  const found = findLine(tx, key)
  if (found) return found.pool_id
  if (context.isWhole) return null
  let made: string | null = null
  unlessRefused(context, line, () => {
    const owner = personOf(context, line.creator, user)
    requireRoomToMake(tx, 'pool', owner.id)
    const id = newId(tx, 'pools')
    const { name, notes, is_public, shares_files, sort, order } = line
    const sorted = { sort_key: sort, sort_order: order, filter: null }
    const metadata = metadataText(line.metadata)
    const shown = { name, notes, metadata, is_public, shares_files, ...sorted }
    insertPool(tx, { id, creator_id: owner.id, ...shown })
    recordCreated(tx, user, { id, ...shown }, 0)
    const { rid } = loadPool(tx, ADMIN, id, 'view')
    grant(tx, context, user, { type: 'pool', rid, id }, line.rights)
    insertLine(tx, { ...key, pool_rid: rid })
    made = id
  })
  return made
}

async function fill(
  context: Context,
  id: string | null | undefined,
  { line, files }: { line: LineOf<'pool_files'>; files: Files },
): Promise<void> {
  if (!id) return
  const shared = new Set(line.shared)
  for (let at = 0; at < line.files.length && !context.isOver(); at += PORTION) {
    const paths = line.files.slice(at, at + PORTION)
    const ridsOf = (wanted: string[]) =>
      wanted.flatMap((path) => {
        const file = files.get(path)
        return file && (file.isNew || !context.isWhole) ? [file.rid] : []
      })
    const rids = ridsOf(paths)
    if (rids.length === 0) continue
    const add = (tx: Tx, user: User) => {
      const pool = loadPool(tx, ADMIN, id, 'edit')
      // Who sees which of them is said by the line, not by who adds them.
      const unshared = { ...pool, shares_files: false }
      addFiles(tx, user, unshared, { files: filesByRid(tx, rids), position: undefined })
      const viewers = listPermissions(tx, 'pool', pool.rid).flatMap(({ user_id, can_view }) =>
        can_view ? [user_id] : [],
      )
      const seen = ridsOf(paths.filter((path) => shared.has(path)))
      const through = { pool: pool.rid, rids: seen, viewers, isAdmin: true }
      grantThroughPool(tx, ADMIN.id, through)
    }
    context.writeAs((tx, user) => unlessRefused(context, line, () => add(tx, user)))
    await setImmediate()
  }
}

// What isn't there matches nothing.
function tokenText(
  tx: Tx,
  user: User,
  context: Context,
  { token, ids }: { token: FilterToken; ids: (string | null)[] },
): string {
  if (typeof token === 'string') return token
  if ('pool' in token) {
    return `p=${(token.pool === null ? null : ids[token.pool]) ?? NOTHING}`
  }
  if ('user' in token) {
    return `u=${token.user === null ? 0 : filteredBy(tx, user, context, token.user)}`
  }
  if ('tag' in token) {
    const rid = token.tag === null ? null : ridOf(tx, context, 'tag', token.tag)
    return `t=${rid === null ? NOTHING : tagIds(tx, [rid])[0]}`
  }
  const rid = token.category === null ? null : ridOf(tx, context, 'category', token.category)
  return `c=${(rid === null ? undefined : findCategory(tx, rid)?.id) ?? NOTHING}`
}

// A filter may name somebody who is named nowhere else.
function filteredBy(tx: Tx, user: User, context: Context, name: string): number {
  const { people, create_users } = context
  if (people.has(name)) return personOf(context, name, user).id
  const account = findAccountByName(tx, name)
  if (account) return account.id
  return create_users ? makeUser(tx, user, name).id : 0
}
