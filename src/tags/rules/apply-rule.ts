import type { Change } from '../../audit/changes.ts'
import { type Actor, audit } from '../../audit/record.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type Begun, beginChange, endChanges, type LongChange } from '../../long-changes/change.ts'
import { withFollowing } from '../apply.ts'
import { crowdedFiles, filesAfter } from '../apply-queries.ts'
import type { TagRecord } from '../queries.ts'
import type { TagRule } from '../schema.ts'
import { addToFiles } from '../sets.ts'

/** The two tags of a rule. */
export interface RuleTags {
  whenTag: TagRecord
  thenTag: TagRecord
}

interface Application {
  when_tag: { rid: number; id: string }
  then_tag: { rid: number; id: string; name: string }
  /** Whether the rule was active; null for a new one. */
  before: boolean | null
  is_active: boolean
  /** The row number of the last file that was checked. */
  after: number
  files_changed: number
  /** Files that would have had too many tags. */
  files_skipped: number
}

/** Adds the tags that follow by a rule to all files that have its when-tag. */
export const ruleApplication: LongChange<Application, TagRule> = {
  kind: 'apply_rule',
  portion(tx, actor, state, rows) {
    // Rules may change meanwhile, so this follows the present ones.
    const tags = withFollowing(tx, [state.then_tag.rid]).all
    const limit = Math.max(1, Math.floor(rows / tags.length))
    const files = filesAfter(tx, state.when_tag.rid, { after: state.after, limit })
    const crowded = new Set(crowdedFiles(tx, files, tags))
    const list = files.filter((rid) => !crowded.has(rid))
    const changed = addToFiles(tx, actor, list, { all: tags, named: [] })
    const rest = {
      ...state,
      after: files.at(-1) ?? state.after,
      files_changed: state.files_changed + changed,
      files_skipped: state.files_skipped + crowded.size,
    }
    if (files.length === limit) return { rest }
    tellApplied(tx, actor, rest)
    return { result: presentRule(tagsOf(rest), rest.is_active) }
  },
}

/**
 * Begins to apply a rule that was made or edited, if it is active and is to be applied, and writes the entry of both
 * when that is over. `before` is whether the rule was active, null for a new one.
 */
export function applyRule(
  tx: Tx,
  user: User,
  rule: RuleTags & { before: boolean | null; is_active: boolean; apply_to_existing: boolean },
): Begun<TagRule> {
  const { whenTag, thenTag, before, is_active, apply_to_existing } = rule
  const state: Application = {
    when_tag: { rid: whenTag.rid, id: whenTag.id },
    then_tag: { rid: thenTag.rid, id: thenTag.id, name: thenTag.name },
    before,
    is_active,
    after: 0,
    files_changed: 0,
    files_skipped: 0,
  }
  if (is_active && apply_to_existing) {
    const subject = `rule ${whenTag.rid} ${thenTag.rid}`
    return beginChange(tx, ruleApplication, { subject, actor: user, state })
  }
  tellApplied(tx, user, state)
  return { result: presentRule(rule, is_active) }
}

// An edit that changed nothing gets no entry.
function tellApplied(tx: Tx, actor: Actor, state: Application): void {
  const { when_tag, then_tag, before, is_active, files_changed, files_skipped } = state
  const details = {
    then_tag_id: then_tag.id,
    then_tag_name: then_tag.name,
    files_changed,
    ...(files_skipped > 0 && { files_skipped }),
  }
  const object = { type: 'tag', id: when_tag.id } as const
  if (before === null) audit(tx, actor, 'tag_rule_create', object, { ...details, is_active })
  else if (before !== is_active || files_changed > 0) {
    const change: Change<boolean> = { from: before, to: is_active }
    audit(tx, actor, 'tag_rule_edit', object, { ...details, is_active: change })
  }
}

/** Ends the application of a rule that is deleted or switched off. */
export function endApplication(tx: Tx, rule: { when_tag_rid: number; then_tag_rid: number }): void {
  endApplications(
    tx,
    ({ when_tag, then_tag }) =>
      when_tag.rid === rule.when_tag_rid && then_tag.rid === rule.then_tag_rid,
  )
}

/** Ends the applications of all rules of a tag that is deleted. */
export function endApplicationsOf(tx: Tx, rid: number): void {
  endApplications(tx, ({ when_tag, then_tag }) => when_tag.rid === rid || then_tag.rid === rid)
}

function endApplications(tx: Tx, isEnded: (state: Application) => boolean): void {
  endChanges(tx, ruleApplication.kind, isEnded, tellApplied)
}

function tagsOf({ when_tag, then_tag }: Application) {
  return { whenTag: when_tag, thenTag: then_tag }
}

/** Returns a rule as the API shows it. */
export function presentRule(
  tags: { whenTag: { id: string }; thenTag: { id: string; name: string } },
  is_active: boolean,
): TagRule {
  return {
    when_tag_id: tags.whenTag.id,
    then_tag_id: tags.thenTag.id,
    then_tag_name: tags.thenTag.name,
    is_active,
  }
}
