import type { Permission } from '../acl/schema.ts'
import {
  categoryFields,
  editCategory,
  removeCategory,
  restoreCategory,
} from '../categories/edit.ts'
import { listCategoryTags, loadCategory } from '../categories/queries.ts'
import type { CategoryUpdate } from '../categories/schema.ts'
import { editPool, poolFields, removePool, restorePool } from '../pools/edit.ts'
import { loadPool, poolFileRids } from '../pools/queries.ts'
import type { PoolUpdate } from '../pools/schema.ts'
import { editTag, removeTag, restoreTag, tagFields } from '../tags/edit.ts'
import { loadTag } from '../tags/queries.ts'
import { isRuleActive, rulesAbout } from '../tags/rule-queries.ts'
import { createRule, editRule, loadRuleTags, removeRule, ridsOf } from '../tags/rules.ts'
import type { TagUpdate } from '../tags/schema.ts'
import type { User } from '../user.ts'
import { type Outcome, oneByOne } from './tally.ts'
import { formerFields } from './undo-files.ts'

// An object that was created is deleted only as long as it has no more than it had then.

export const undoTagCreated = oneByOne<'tag_create'>((tx, user, { object, details }) => {
  const tag = loadTag(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(idOfCategory(tagFields(tx, tag)), idOfCategory(details.fields)) &&
    tag.file_count === details.file_count &&
    rulesAbout(tx, tag.rid).length === details.rule_count
  if (!isAsCreated) return 'changed'
  removeTag(tx, user, tag)
  return 'undone'
})

export const undoCategoryCreated = oneByOne<'category_create'>((tx, user, { object, details }) => {
  const category = loadCategory(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(categoryFields(category), details.fields) &&
    listCategoryTags(tx, category.rid).length === details.tag_count
  if (!isAsCreated) return 'changed'
  removeCategory(tx, user, category)
  return 'undone'
})

export const undoPoolCreated = oneByOne<'pool_create'>((tx, user, { object, details }) => {
  const pool = loadPool(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(poolFields(pool), details.fields) &&
    poolFileRids(tx, pool.rid).length === details.file_count
  if (!isAsCreated) return 'changed'
  removePool(tx, user, pool)
  return 'undone'
})

export const undoTagEdited = oneByOne<'tag_edit'>((tx, user, { object, details }) => {
  const tag = loadTag(tx, user, object.id, 'edit')
  const { category_name: _, ...changes } = details.changes
  const { update, outcome } = formerFields(tagFields(tx, tag), changes)
  editTag(tx, user, tag, update as TagUpdate)
  return outcome
})

export const undoCategoryEdited = oneByOne<'category_edit'>((tx, user, { object, details }) => {
  const category = loadCategory(tx, user, object.id, 'edit')
  const { update, outcome } = formerFields(categoryFields(category), details.changes)
  editCategory(tx, user, category, update as CategoryUpdate)
  return outcome
})

export const undoPoolEdited = oneByOne<'pool_edit'>((tx, user, { object, details }) => {
  const pool = loadPool(tx, user, object.id, 'edit')
  const { update, outcome } = formerFields(poolFields(pool), details.changes)
  editPool(tx, user, pool, update as PoolUpdate)
  return outcome
})

export const undoTagDeleted = oneByOne<'tag_delete'>((tx, user, { object, details }) => {
  const refused = refuseRestore(user, details)
  if (refused) return refused
  if ('incomplete' in details) return 'incomplete'
  restoreTag(tx, user, object.id, details)
  return 'undone'
})

export const undoCategoryDeleted = oneByOne<'category_delete'>((tx, user, { object, details }) => {
  const refused = refuseRestore(user, details)
  if (refused) return refused
  if ('incomplete' in details) return 'incomplete'
  restoreCategory(tx, user, object.id, details)
  return 'undone'
})

export const undoPoolDeleted = oneByOne<'pool_delete'>((tx, user, { object, details }) => {
  const refused = refuseRestore(user, details)
  if (refused) return refused
  if ('incomplete' in details) return 'incomplete'
  restorePool(tx, user, object.id, details)
  return 'undone'
})

/** What is gone has no rights: those count that it had. */
function refuseRestore(
  user: User,
  { creator_id, permissions }: { creator_id: number; permissions: Permission[] },
): Outcome | null {
  const mayEdit = permissions.some((entry) => entry.user_id === user.id && entry.can_edit)
  return user.is_admin || user.id === creator_id || mayEdit ? null : 'forbidden'
}

export const undoRuleCreated = oneByOne<'tag_rule_create'>((tx, user, { object, details }) => {
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  if (isRuleActive(tx, ridsOf(tags)) !== details.is_active) return 'changed'
  removeRule(tx, user, tags)
  return 'undone'
})

export const undoRuleEdited = oneByOne<'tag_rule_edit'>((tx, user, { object, details }) => {
  const { from, to } = details.is_active
  if (from === to) return 'nothing'
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  if (isRuleActive(tx, ridsOf(tags)) !== to) return 'changed'
  editRule(tx, user, tags, { is_active: from, apply_to_existing: false })
  return 'undone'
})

export const undoRuleDeleted = oneByOne<'tag_rule_delete'>((tx, user, { object, details }) => {
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  createRule(tx, user, tags, { is_active: details.is_active, apply_to_existing: false })
  return 'undone'
})

/** The category is told by its id and, for people, by its name, which may be another one now. */
function idOfCategory<Fields extends object>(fields: Fields): Fields {
  return { ...fields, category_name: undefined }
}

function isSame(present: object, created: object): boolean {
  return JSON.stringify(present) === JSON.stringify(created)
}
