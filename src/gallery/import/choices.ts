import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'

/** The optional settings of an import that are always shown, in their order. */
export const CHOICES = ['recursive', 'leave_sources'] as const
/** Those that are shown on demand. */
export const FURTHER_CHOICES = ['only_new', 'folder_tags', 'keyword_tags', 'name_dates'] as const

export type Choice = (typeof CHOICES | typeof FURTHER_CHOICES)[number]
export type Choices = Partial<Record<Choice, boolean>>

/** The settings of the next import; they remain until the page is left. What is safest is on. */
export const choices = signal<Choices>({ recursive: true, leave_sources: true, only_new: true })

/** Returns the request for a folder, given by its path below the import folder. */
export function requestOf(
  path: string,
  { only_new: isOnlyNew = false, ...others }: Choices,
  { isTry, public_tags }: { isTry: boolean; public_tags: boolean },
): Partial<Schemas['ImportRequest']> {
  const on_duplicate = isOnlyNew ? 'skip' : 'keep'
  return { path, ...others, public_tags, dry_run: isTry, on_duplicate }
}
