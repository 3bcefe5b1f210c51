import { couldEdit } from '../acl/access.ts'
import { findObject } from '../acl/queries.ts'
import type { Details } from '../audit/details.ts'
import { isLost, isRecordedAs } from '../audit/long-texts.ts'
import { pack, unpack } from '../audit/packed.ts'
import { metadataText, withUpdate } from '../base/update.ts'
import {
  categoryFields,
  editCategory,
  removeCategory,
  restoreCategory,
} from '../categories/edit.ts'
import { listCategoryTags, loadCategory } from '../categories/queries.ts'
import type { CategoryUpdate } from '../categories/schema.ts'
import type { Tx } from '../db/write.ts'
import { editPool, poolFields } from '../pools/edit.ts'
import { countInPools, loadPool } from '../pools/queries.ts'
import { removePool } from '../pools/remove.ts'
import { restorePool } from '../pools/restore.ts'
import type { PoolUpdate } from '../pools/schema.ts'
import { changeTag, tagFields } from '../tags/edit.ts'
import { mergeTag } from '../tags/merge/merge.ts'
import { renameBackInFilters } from '../tags/merge/merge-queries.ts'
import { takeRulesBack } from '../tags/merge/rules.ts'
import { loadTag } from '../tags/queries.ts'
import { removeTag } from '../tags/remove.ts'
import { requireRestorable, restoreTag } from '../tags/restore.ts'
import { isRuleActive, rulesAbout } from '../tags/rules/rule-queries.ts'
import { createRule, editRule, loadRuleTags, removeRule, ridsOf } from '../tags/rules/rules.ts'
import type { TagUpdate } from '../tags/schema.ts'
import { formerFields, NOTHING, oneByOne, refused, UNDONE } from './tally.ts'

// A created object is deleted only as long as it has no more than it had at the start.

export const undoTagCreated = oneByOne<'tag_create'>((tx, user, { object, details }) => {
  const tag = loadTag(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(idOfCategory(tagFields(tx, tag)), idOfCategory(details.fields)) &&
    // The files of a merge came back by their own entries, and all move over again.
    (details.merged_into !== undefined || tag.file_count <= details.file_count) &&
    rulesAbout(tx, tag.rid).length <= details.rule_count
  if (!isAsCreated) return refused('changed')
  if (details.merged_into === undefined) removeTag(tx, user, tag, { isPart: true })
  else {
    const into = loadTag(tx, user, details.merged_into, 'edit')
    mergeTag(tx, user, { old: tag, into, isPart: true })
  }
  return UNDONE
})

export const undoCategoryCreated = oneByOne<'category_create'>((tx, user, { object, details }) => {
  const category = loadCategory(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(categoryFields(category), details.fields) &&
    listCategoryTags(tx, category.rid).length <= details.tag_count
  if (!isAsCreated) return refused('changed')
  removeCategory(tx, user, category)
  return UNDONE
})

export const undoPoolCreated = oneByOne<'pool_create'>((tx, user, { object, details }) => {
  const pool = loadPool(tx, user, object.id, 'edit')
  const isAsCreated =
    isSame(poolFields(pool), { shares_files: false, filter: null, ...details.fields }) &&
    countInPools(tx, [pool.rid]) <= details.file_count
  if (!isAsCreated) return refused('changed')
  removePool(tx, user, pool)
  return UNDONE
})

export const undoTagEdited = oneByOne<'tag_edit'>((tx, user, { object, details }) => {
  const tag = loadTag(tx, user, object.id, 'edit')
  const { category_name: _, ...changes } = details.changes
  const { update, outcome } = formerFields(tagFields(tx, tag), changes)
  const { category_id, ...fields } = update as TagUpdate
  const category = category_id ? findObject(tx, 'category', category_id) : undefined
  const isGone = category_id && !category
  const category_rid = category_id === undefined || isGone ? undefined : (category?.rid ?? null)
  const edited = { ...fields, metadata: metadataText(fields.metadata), category_rid }
  changeTag(tx, user, tag, withUpdate(tag, edited))
  if (!isGone) return outcome
  return { took: Object.keys(fields).length > 0, kept: 'conflict' }
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
  if (!couldEdit(user, details)) return refused('forbidden')
  if ('incomplete' in details || hasLost(details.fields)) return refused('incomplete')
  const { rules, full } = restoreTag(tx, user, object.id, details)
  const isWhole = rules === details.rules.length && full === 0
  return { took: true, kept: isWhole ? null : 'conflict' }
})

/** The files come back by their own entries. */
export const undoTagMerged = oneByOne<'tag_merge'>((tx, user, { object, details }) => {
  if (!couldEdit(user, details)) return refused('forbidden')
  if (hasLost(details.fields)) return refused('incomplete')
  const into = findObject(tx, 'tag', details.into) && loadTag(tx, user, details.into, 'edit')
  requireRestorable(tx, user, details)
  const { rules, former_rules } = details
  const areTaken = !into || takeRulesBack(tx, { old: object.id, into, rules, former_rules })
  const none = pack([])
  const former = { ...details, by_hand: none, by_rule: none, merged_into: details.into }
  const back = restoreTag(tx, user, object.id, former)
  const areNamed = renamedBack(tx, object.id, details)
  const isWhole = areTaken && areNamed && back.rules === rules.length
  return { took: true, kept: isWhole ? null : 'conflict' }
})

function renamedBack(tx: Tx, old: string, { into, internal }: Details['tag_merge']): boolean {
  if ('incomplete' in internal) return false
  return !internal.renamed || renameBackInFilters(tx, { old, into }, unpack(internal.renamed))
}

export const undoCategoryDeleted = oneByOne<'category_delete'>((tx, user, { object, details }) => {
  if (!couldEdit(user, details)) return refused('forbidden')
  if ('incomplete' in details || hasLost(details.fields)) return refused('incomplete')
  restoreCategory(tx, user, object.id, details)
  return UNDONE
})

export const undoPoolDeleted = oneByOne<'pool_delete'>((tx, user, { object, details }) => {
  if (!couldEdit(user, details)) return refused('forbidden')
  if ('incomplete' in details || hasLost(details.fields)) return refused('incomplete')
  restorePool(tx, user, object.id, details)
  return UNDONE
})

export const undoRuleCreated = oneByOne<'tag_rule_create'>((tx, user, { object, details }) => {
  if (!findObject(tx, 'tag', details.then_tag_id)) return refused('changed')
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  if (isRuleActive(tx, ridsOf(tags)) !== details.is_active) return refused('changed')
  removeRule(tx, user, tags)
  return UNDONE
})

export const undoRuleEdited = oneByOne<'tag_rule_edit'>((tx, user, { object, details }) => {
  const { from, to } = details.is_active
  if (from === to) return NOTHING
  if (!findObject(tx, 'tag', details.then_tag_id)) return refused('changed')
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  if (isRuleActive(tx, ridsOf(tags)) !== to) return refused('changed')
  editRule(tx, user, tags, { is_active: from, apply_to_existing: false })
  return UNDONE
})

export const undoRuleDeleted = oneByOne<'tag_rule_delete'>((tx, user, { object, details }) => {
  if (!findObject(tx, 'tag', details.then_tag_id)) return refused('conflict')
  const tags = loadRuleTags(tx, user, object.id, details.then_tag_id)
  if (isRuleActive(tx, ridsOf(tags)) !== null) return refused('changed')
  createRule(tx, user, tags, { is_active: details.is_active, apply_to_existing: false })
  return UNDONE
})

// Details have the category's id and, for display, its name, which may have changed.
function idOfCategory<Fields extends object>(fields: Fields): Fields {
  return { ...fields, category_name: undefined }
}

function isSame(present: object, created: object): boolean {
  const recorded = new Map(Object.entries(created))
  const fields = Object.entries(present)
  return fields.every(([name, value]) => isRecordedAs(value, recorded.get(name)))
}

function hasLost(fields: object): boolean {
  return Object.values(fields).some(isLost)
}
