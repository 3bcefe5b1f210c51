import { number } from '../base/format.ts'
import { when } from '../base/when.ts'
import { audit as text } from '../text/audit.ts'
import type { Entry } from './entries.ts'

/** The most characters of a value that are shown. */
const LONG = 80

interface Change {
  from: unknown
  to: unknown
}

/** Returns the name of the subject of an entry; undefined if the entry has none. */
export function subjectOf({ details }: Entry): string | undefined {
  const { name, original_name, to, changes } = (details ?? {}) as Record<string, unknown>
  const replaced = (to as { original_name?: unknown } | undefined)?.original_name
  const changed = changes as Record<string, Change | undefined> | undefined
  const renamed = (changed?.name ?? changed?.original_name)?.to
  const names = [name, original_name, replaced, renamed]
  return names.find((one) => typeof one === 'string') as string | undefined
}

/**
 * Returns in words what an entry says about the change; `tagName` returns the name of a tag by its id.
 */
export function factsOf(
  { action, details }: Entry,
  tagName: (id: string) => string | undefined,
): string[] {
  const words = text()
  const facts: string[] = []
  if (action === 'acl_change') {
    const seen = (details?.to ?? []) as { user_name: string; can_edit: boolean }[]
    const who = seen.map((one) => words.may(one.user_name, one.can_edit))
    return [who.length === 0 ? words.nobody : who.join(', ')]
  }
  for (const [key, value] of Object.entries(details ?? {})) {
    if (key === 'tag_ids' || key === 'tags') {
      const names = (value as string[]).map(tagName).filter((name) => name !== undefined)
      if (names.length > 0) facts.push(names.join(', '))
    } else if (key === 'changes') {
      for (const [field, change] of Object.entries(value as object)) {
        facts.push(changeOf(field, change as Change))
      }
    } else if (key === 'fields' && Array.isArray(value)) {
      facts.push(value.map((field) => words.fields[field] ?? '').join(', '))
    } else if (isChange(value)) {
      facts.push(changeOf(key, value))
    } else if (key === 'then_tag_name') {
      facts.push(words.adds(String(value)))
    } else if (typeof value === 'number' && words.counts[key]) {
      if (value > 0) facts.push(words.counts[key](value))
    }
  }
  return facts.filter((fact) => fact !== '')
}

function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}

function changeOf(field: string, { from, to }: Change): string {
  const words = text()
  const name = words.fields[field]
  if (name === undefined) return ''
  const [before, after] = [shown(from), shown(to)]
  return before === null || after === null ? name : words.change(name, before, after)
}

const ID = /^[\da-f]{8}-[\da-f-]{27}$/
const TIME = /^\d{4}-\d\d-\d\dT/

/** Returns a value in words; null for one that means nothing to a reader, such as an id. */
function shown(value: unknown): string | null {
  const words = text()
  if (value === null) return words.none
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'string' || ID.test(value)) return null
  if (TIME.test(value)) return when(value)
  return value.length > LONG ? `${value.slice(0, LONG)}…` : value
}
