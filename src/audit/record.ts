import type { Db } from '../db/client.ts'
import type { ObjectType } from '../enums.ts'
import { insertEntry } from './queries.ts'

export const AUDIT_ACTIONS = [
  'user_login',
  'user_login_failed',
  'user_logout',
  'session_terminate',
  'token_reuse',
  'user_create',
  'user_edit',
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
  'file_merge',
  'tag_create',
  'tag_edit',
  'tag_delete',
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
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

interface AuditEntry {
  user: { id: number; name: string }
  action: AuditAction
  object_type?: ObjectType
  object_id?: string
  /** What changed, never a secret. */
  details?: Record<string, unknown>
  /** Milliseconds since 1970-01-01 UTC. */
  now: number
}

/** The user in the log for what the server does by itself. */
export const SYSTEM = { id: 0, name: 'system' }

/** Writes one entry of the audit log; must run inside the write that it reports. */
export function recordAudit(db: Db, entry: AuditEntry): void {
  insertEntry(db, {
    user_id: entry.user.id,
    user_name: entry.user.name,
    action: entry.action,
    object_type: entry.object_type ?? null,
    object_id: entry.object_id ?? null,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
    performed_at: entry.now,
  })
}
