import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'

/** What may be done in another way than the usual one, in the order in which it is asked. */
export const CHOICES = [
  'recursive',
  'leave_sources',
  'only_new',
  'folder_tags',
  'keyword_tags',
  'name_dates',
] as const

export type Choices = Partial<Record<(typeof CHOICES)[number], boolean>>

/** What is chosen for the next import, and for those after it as long as the page is there. */
export const choices = signal<Choices>({})

/** Returns what is asked of the server for a folder, given by its path below the import folder. */
export function requestOf(
  path: string,
  { only_new: isOnlyNew = false, ...others }: Choices,
  isTry: boolean,
): Partial<Schemas['ImportRequest']> {
  return { path, ...others, dry_run: isTry, on_duplicate: isOnlyNew ? 'skip' : 'keep' }
}
