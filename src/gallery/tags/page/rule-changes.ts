import { api } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { remember } from '../../base/undo/undo.ts'
import { toast } from '../../parts/toast.tsx'
import { correctCounts, type Rule, showRules, type Tag } from '../../tagging/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { change } from './changes.ts'

const isSame = (a: Rule) => (b: Rule) =>
  a.when_tag_id === b.when_tag_id && a.then_tag_id === b.then_tag_id

const subjectOf = (rule: Rule) => `${rule.when_tag_id} ${rule.then_tag_id}`

/** Shows a rule in place of the old one, or in addition; null removes it. */
function showRule(rule: Rule, next: Rule | null): void {
  showRules((all) => {
    const at = all.findIndex(isSame(rule))
    if (at < 0) return next ? [...all, next] : all
    return next ? all.with(at, next) : all.toSpliced(at, 1)
  })
}

function whyNot(error: unknown): string {
  const isConflict = error instanceof ApiError && error.code === 'conflict'
  return isConflict ? tagPage().tooMany : problem(error)
}

/**
 * Creates a rule, and adds the tag to the `lacking` files without it; 0 applies the rule to later files
 * only.
 */
export async function makeRule(when: Tag, then: Tag, lacking: number): Promise<void> {
  const words = tagPage()
  const rule: Rule = {
    when_tag_id: when.id,
    then_tag_id: then.id,
    then_tag_name: then.name,
    is_active: true,
  }
  const sentence = words.ruleNamed(when.name, then.name)
  showRule(rule, rule)
  const params = { path: { tag_id: when.id } }
  const body = { then_tag_id: then.id, is_active: true, apply_to_existing: lacking > 0 }
  const done = await change({
    subject: subjectOf(rule),
    call: () => api.POST('/api/v1/tags/{tag_id}/rules', { params, body }),
    back: () => showRule(rule, null),
    failed: (error) => words.notChanged(when.name, whyNot(error)),
  })
  if (!done) return
  correctCounts([then.id], lacking)
  const text = lacking > 0 ? words.ruleApplied(then.name, lacking) : words.ruleMade(sentence)
  toast({ text, operation: done.operation })
}

interface Switched {
  isOn: boolean
  /** How many files lack the second tag, and are to get it. */
  lacking?: number
}

export async function switchRule(rule: Rule, { isOn, lacking = 0 }: Switched): Promise<void> {
  const words = tagPage()
  showRule(rule, { ...rule, is_active: isOn })
  const { when_tag_id: tag_id, then_tag_id } = rule
  const body = { is_active: isOn, apply_to_existing: lacking > 0 }
  const done = await change({
    subject: subjectOf(rule),
    call: () =>
      api.PATCH('/api/v1/tags/{tag_id}/rules/{then_tag_id}', {
        params: { path: { tag_id, then_tag_id } },
        body,
      }),
    back: () => showRule(rule, rule),
    failed: (error) => words.notChanged(rule.then_tag_name, whyNot(error)),
  })
  if (!done) return
  correctCounts([then_tag_id], lacking)
  if (lacking > 0) {
    const text = words.ruleApplied(rule.then_tag_name, lacking)
    toast({ text, operation: done.operation })
  } else if (done.operation !== null) remember(done.operation)
}

/** Deletes a rule; files keep their tags. */
export async function removeRule(rule: Rule, sentence: string): Promise<void> {
  const words = tagPage()
  showRule(rule, null)
  const { when_tag_id: tag_id, then_tag_id } = rule
  const done = await change({
    subject: subjectOf(rule),
    call: () =>
      api.DELETE('/api/v1/tags/{tag_id}/rules/{then_tag_id}', {
        params: { path: { tag_id, then_tag_id } },
      }),
    back: () => showRule(rule, rule),
    failed: (error) => words.notChanged(rule.then_tag_name, problem(error)),
  })
  if (done) toast({ text: words.ruleDeleted(sentence), operation: done.operation })
}
