import type { Right } from '../acl/access.ts'
import { objectsAllowed } from '../acl/queries.ts'
import type { Permission } from '../acl/schema.ts'
import type { Deleted, Details } from '../audit/details.ts'
import { unpack } from '../audit/packed.ts'
import type { ObjectType } from '../base/enums.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { poolIds, type WrittenEntry } from './change-queries.ts'

/** Who could view an object before a change, as far as the entry of the change says. */
interface Sight {
  isPublic?: boolean
  creator_id?: number
  permissions?: { user_id: number; can_view: boolean }[]
}

/** An object that an entry of the audit log is about. */
interface Mention {
  type: ObjectType | 'user'
  id: string
  before: Sight
  /** Tags that came or went: nobody else sees a change. */
  tags?: string[]
  /** Whether only those who may edit the object see a change, and those who could view it before. */
  isOfEditors?: boolean
}

/** What of some entries concerns a user. */
interface Concern {
  /** The ids of files. */
  files: string[]
  /** Whether something else has changed, which no list of files describes. */
  isMore: boolean
}

/** Returns what entries are about. */
export function mentionsOf(db: Db, entries: WrittenEntry[]): Mention[] {
  return entries.flatMap((entry): Mention[] => {
    const details = entry.details === null ? null : JSON.parse(entry.details)
    if (entry.action === 'user_role_change') {
      const { user_id } = details as Details['user_role_change']
      return [{ type: 'user', id: String(user_id), before: {} }]
    }
    // Neither changes what is shown of a file.
    if (['duplicate_dismiss', 'content_damaged'].includes(entry.action)) return []
    // What a rule has put on files has entries of its own.
    if (entry.action.startsWith('tag_rule_')) return []
    const [type, id] = [entry.object_type as ObjectType, entry.object_id!]
    const about = {
      type,
      id,
      before: sightBefore(entry.action, details),
      ...limitsOf(entry, details),
    }
    const others = othersOf(db, entry, details)
    return [about, ...others.map((other) => ({ ...other, before: {} }))]
  })
}

function othersOf(
  db: Db,
  { action }: WrittenEntry,
  details: unknown,
): Pick<Mention, 'type' | 'id'>[] {
  if (action === 'file_merge') {
    return [{ type: 'file', id: (details as Details['file_merge']).discard }]
  }
  if (action !== 'tag_merge') return []
  const { internal } = details as Details['tag_merge']
  if ('incomplete' in internal || !internal.renamed) return []
  const rids = unpack(internal.renamed).filter((_, n) => n % 2 === 0)
  return poolIds(db, rids).map((id) => ({ type: 'pool', id }))
}

// What a viewer must not learn of a file: its hidden tags, and who else may view it.
function limitsOf({ action, object_type }: WrittenEntry, details: unknown): Partial<Mention> {
  if (object_type !== 'file') return {}
  if (action.startsWith('file_tag_')) {
    return { tags: Object.values(details as Record<string, string[]>).flat() }
  }
  if (action !== 'acl_change') return {}
  const { from, to } = details as Details['acl_change']
  return {
    isOfEditors: true,
    before: { permissions: [...without(from, to), ...without(to, from)] },
  }
}

function without(some: Permission[], others: Permission[]): Permission[] {
  const keyOf = ({ user_id, can_view, can_edit }: Permission) =>
    `${user_id} ${can_view} ${can_edit}`
  const known = new Set(others.map(keyOf))
  return some.filter((entry) => !known.has(keyOf(entry)))
}

function sightBefore(action: string, details: unknown): Sight {
  switch (action) {
    case 'acl_change':
      return { permissions: (details as Details['acl_change']).from }
    case 'file_edit':
    case 'file_merge':
    case 'tag_edit':
    case 'category_edit':
    case 'pool_edit':
      return { isPublic: (details as Details['file_edit']).changes.is_public?.from === true }
    case 'tag_delete':
    case 'tag_merge':
    case 'category_delete':
    case 'pool_delete': {
      const { creator_id, permissions, fields } = details as Deleted<{ is_public: boolean }>
      return { creator_id, permissions, isPublic: fields.is_public }
    }
    case 'file_permanent_delete': {
      const { creator_id, viewers, is_public } = (details as Details['file_permanent_delete'])
        .internal
      const permissions = viewers.map((user_id) => ({ user_id, can_view: true }))
      return { creator_id, permissions, isPublic: is_public }
    }
    default:
      return {}
  }
}

/**
 * Returns what of the mentioned concerns a user: what they may view now, and what they could view before. Nothing else,
 * because even the id of a file would tell that it exists.
 */
export function concernOf(db: Db, user: User, mentions: Mention[]): Concern {
  const allowed = (type: ObjectType, right: Right, ids: string[]): string[] =>
    ids.length === 0 ? [] : objectsAllowed(db, user, type, right, [...new Set(ids)])
  const tags = new Set(
    allowed(
      'tag',
      'view',
      mentions.flatMap((one) => one.tags ?? []),
    ),
  )
  const concerned = (type: ObjectType): string[] => {
    const ofType = mentions.filter(
      (one) => one.type === type && (one.tags?.some((tag) => tags.has(tag)) ?? true),
    )
    const idsOf = (isOfEditors: boolean) =>
      ofType.filter((one) => (one.isOfEditors ?? false) === isOfEditors).map(({ id }) => id)
    const lost = ofType.filter(({ before }) => couldView(user, before)).map(({ id }) => id)
    const now = [...allowed(type, 'view', idsOf(false)), ...allowed(type, 'edit', idsOf(true))]
    return [...new Set([...now, ...lost])]
  }
  const isAboutUser = ({ type, id }: Mention) => type === 'user' && id === String(user.id)
  return {
    files: concerned('file'),
    isMore:
      mentions.some(isAboutUser) ||
      concerned('pool').length > 0 ||
      concerned('tag').length > 0 ||
      concerned('category').length > 0,
  }
}

function couldView(user: User, { isPublic, creator_id, permissions = [] }: Sight): boolean {
  const isListed = permissions.some((entry) => entry.user_id === user.id && entry.can_view)
  return user.is_admin || isPublic === true || creator_id === user.id || isListed
}
