import type { Damage, KeyScope, PoolSortKey, ShareDownloads, SortOrder } from '../base/enums.ts'
import type { Change, Changes } from './changes.ts'
import type { Incomplete, Packed } from './packed.ts'

interface ContentDetails {
  mime_type: string
  size: number
  /** In hexadecimal. */
  sha256: string
}

interface Named {
  user_id: number
  name: string
}

/** How many sessions ended, and how many keys where these ended as well. */
interface Ended {
  sessions_ended: number
  keys_ended?: number
}

type Metadata = Record<string, unknown> | null

/** The fields of a category in the API's form. */
export interface CategoryFields {
  name: string
  notes: string | null
  color: string | null
  metadata: Metadata
  is_public: boolean
}

/** The fields of a tag in the API's form. */
export interface TagFields extends CategoryFields {
  category_id: string | null
}

/** The fields of a pool in the API's form. */
export interface PoolFields extends Omit<CategoryFields, 'color'> {
  sort_key: PoolSortKey
  sort_order: SortOrder
  /** Absent in entries from before there was this field, as the next one. */
  shares_files?: boolean
  filter?: string | null
}

/** What is needed to restore a deleted object. */
export interface Deleted<Fields> {
  name: string
  creator_id: number
  fields: Fields
  permissions: Permission[]
  /** Never shown. */
  internal: { rid: number }
}

// A new or restored object, with the size that it had then.
interface Created<Fields> {
  name: string
  is_public: boolean
  fields: Fields
}

export interface RuleOfTag {
  when_tag_id: string
  then_tag_id: string
  is_active: boolean
}

interface RuleDetails {
  then_tag_id: string
  then_tag_name: string
}

interface Applied {
  files_changed: number
  /** Files that would have had too many tags, if there were any. */
  files_skipped?: number
}

interface TagsOfFile {
  tag_ids: string[]
  /** Those among them that only follow from rules. */
  by_rule: string[]
}

interface TagsReplaced extends TagsOfFile {
  removed_tag_ids: string[]
  /** Those among them that only followed from rules. */
  removed_by_rule: string[]
  /** Tags that only followed from rules before, and now don't; for an undo, the other way round. */
  now_by_hand?: string[]
  now_by_rule?: string[]
}

interface PoolFiles {
  count: number
  /** The first hundred. */
  file_ids: string[]
}

/** An entry of an access list whose rights were extended; `from` is null where there was no entry. */
export interface PermissionChange extends Pick<Permission, 'user_id' | 'user_name'> {
  from: Rights | null
  to: Rights
}

type Rights = Pick<Permission, 'can_view' | 'can_edit'>

interface Permission {
  user_id: number
  user_name: string
  can_view: boolean
  can_edit: boolean
}

/**
 * What the entries of each action contain, never a secret. Stored entries don't change, so details may gain fields but
 * lose none, and DETAILS_VERSION says which ones an entry has.
 */
export interface Details {
  user_login: { session_id: number }
  user_login_failed: { reason: string }
  user_logout: { session_id: number }
  session_terminate: { session_id: number; user_id: number; user_name: string }
  token_reuse: { session_id: number }
  key_create: { key_id: number; name: string; scope: KeyScope }
  key_end: { key_id: number; name: string; user_id: number; user_name: string }
  user_create: Named & { is_admin: boolean; can_create: boolean }
  user_edit: { user_id: number; fields: string[]; name?: Change } & Partial<Ended>
  /** An admin gave the user another password. */
  user_password_reset: Named & Ended
  user_role_change: Named & { is_admin?: Change; can_create?: Change }
  user_block: Named & Ended
  user_unblock: Named
  user_delete: Named & { handed_over: Record<string, number> }
  /** `through`: the link by which somebody without an account sent it, and their name. */
  file_create: ContentDetails & {
    original_name: string | null
    tag_ids: string[]
    through?: { share_id: string; guest: string }
  }
  file_edit: { changes: Changes }
  file_replace: Change<ContentDetails & { original_name: string | null }>
  file_delete: { original_name: string | null }
  file_restore: { original_name: string | null }
  file_permanent_delete: ContentDetails & {
    original_name: string | null
    /** Who could view the file; never shown. */
    internal: {
      creator_id: number
      is_public: boolean
      viewers: number[]
    }
  }
  file_review: { needs_review: Change<boolean> }
  file_tag_add: TagsOfFile
  file_tag_remove: TagsOfFile
  /** Tags were replaced by others, because a tag was merged into another one, or because that was undone. */
  file_tag_replace: TagsReplaced
  file_merge: TagsOfFile & {
    discard: string
    delete_discarded: boolean
    changes: Changes
    pools_joined: number
    pool_ids: string[]
    /** Tags that only followed from rules before, and now are on the file as if added by hand. */
    named?: string[]
    /** Entries of its access list that came from the other file, with their former values. */
    permissions?: PermissionChange[]
  }
  tag_create: Created<TagFields> & {
    file_count: number
    rule_count: number
    /** If an undo of a merge recreated the tag: the tag into which it had been merged. */
    merged_into?: string
  }
  tag_edit: { changes: Changes }
  tag_delete: Deleted<TagFields> & {
    file_count: number
    rules: RuleOfTag[]
  } & ({ by_hand: Packed; by_rule: Packed } | Incomplete)
  /** The tag is gone; each file has its own entry about what changed there. */
  tag_merge: Deleted<TagFields> & {
    into: string
    into_name: string
    files_changed: number
    /** Files that had no room for what follows from the other tag, if there were any. */
    files_skipped?: number
    rules: RuleOfTag[]
    /** The rules of the other tag that it already had. */
    former_rules: RuleOfTag[]
    /** The files that had both tags. */
    both: Packed | Incomplete
    /**
     * Also the tokens of the filters of pools that named the tag, if there were any: the row number of the pool and the
     * index of the token, for each.
     */
    internal: { rid: number } & ({ renamed?: Packed } | Incomplete)
  }
  tag_rule_create: RuleDetails & Applied & { is_active: boolean }
  tag_rule_edit: RuleDetails & Applied & { is_active: Change<boolean> }
  tag_rule_delete: RuleDetails & { is_active: boolean }
  category_create: Created<CategoryFields> & { tag_count: number }
  category_edit: { changes: Changes }
  category_delete: Deleted<CategoryFields> & { tag_count: number } & ({ tags: Packed } | Incomplete)
  pool_create: Created<PoolFields> & { file_count: number }
  pool_edit: { changes: Changes }
  /** The files in their order. */
  pool_delete: Deleted<PoolFields> & { file_count: number } & ({ files: Packed } | Incomplete)
  /**
   * The files in their order, the first of which has the position. Where they replaced files that were merged into them
   * (`by_merge`), other files are in between. `internal.merged` contains the replaced files, each after the file into
   * which it was merged.
   */
  file_pool_add: PoolFiles & {
    position: number
    by_merge?: true
    internal?: { merged: Packed }
  } & ({ files: Packed } | Incomplete)
  /** The files with their former positions, in the order of these. */
  file_pool_remove: PoolFiles & ({ files: Packed; positions: Packed } | Incomplete)
  /**
   * The moved files in their new order, and for each of their former places its index there. Where few files moved past
   * many, the ones that they passed are left out, except for the nearest at both places: `beside` has the indexes of
   * these in `files`, `breaks` the indexes in `former` before which files are left out.
   */
  file_pool_reorder: PoolFiles & {
    moved: number
    internal?: { beside: Packed; breaks: Packed }
  } & ({ files: Packed; former: Packed } | Incomplete)
  acl_change: Change<Permission[]>
  duplicate_dismiss: { file_id_a: string; file_id_b: string }
  duplicate_rescan: Record<string, number>
  /** Files that were downloaded together: their number and total bytes. */
  archive_download: { files: number; bytes: number }
  share_create: {
    share_id: string
    title: string | null
    pool_id: string | null
    files: number
    follows: boolean
    downloads: ShareDownloads
    shows_names: boolean
    may_upload: boolean
    has_password: boolean
    expires_at: string | null
  }
  share_end: { share_id: string; title: string | null; creator_id: number }
  /** Somebody saw what a link shows; once a day. */
  share_use: Details['share_end'] & { creator_name: string }
  /** A content differs from what was stored: what is wrong, and what it should be. */
  content_damaged: Omit<ContentDetails, 'mime_type'> & {
    original_name: string | null
    what: Damage
  }
  /** How many objects were restored, and how many were not. */
  operation_undo: { operation: number; undone: number; kept: number }
}

export const AUDIT_ACTIONS = [
  'user_login',
  'user_login_failed',
  'user_logout',
  'session_terminate',
  'token_reuse',
  'key_create',
  'key_end',
  'user_create',
  'user_edit',
  'user_password_reset',
  'user_role_change',
  'user_block',
  'user_unblock',
  'user_delete',
  'file_create',
  'file_edit',
  'file_replace',
  'file_delete',
  'file_restore',
  'file_permanent_delete',
  'file_review',
  'file_tag_add',
  'file_tag_remove',
  'file_tag_replace',
  'file_merge',
  'tag_create',
  'tag_edit',
  'tag_delete',
  'tag_merge',
  'tag_rule_create',
  'tag_rule_edit',
  'tag_rule_delete',
  'category_create',
  'category_edit',
  'category_delete',
  'pool_create',
  'pool_edit',
  'pool_delete',
  'file_pool_add',
  'file_pool_remove',
  'file_pool_reorder',
  'acl_change',
  'duplicate_dismiss',
  'duplicate_rescan',
  'archive_download',
  'share_create',
  'share_end',
  'share_use',
  'content_damaged',
  'operation_undo',
] as const satisfies (keyof Details)[]
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export type TagAction = 'file_tag_add' | 'file_tag_remove'

/**
 * Raised when the details of an action gain fields. Since 2 they contain what an undo needs, since 3 the rights changed
 * by a merge, since 4 who could view a file that was deleted for good.
 */
export const DETAILS_VERSION = 4
