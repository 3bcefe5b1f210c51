import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'

/** The optional settings of an import, in the order in which they are shown. */
export const CHOICES = [
  'recursive',
  'leave_sources',
  'only_new',
  'folder_tags',
  'keyword_tags',
  'name_dates',
] as const

export type Choices = Partial<Record<(typeof CHOICES)[number], boolean>>

/** The settings of the next import; they remain until the page is left. */
export const choices = signal<Choices>({})

/** Returns the request for a folder, given by its path below the import folder. */
export function requestOf(
  path: string,
  { only_new: isOnlyNew = false, ...others }: Choices,
  isTry: boolean,
): Partial<Schemas['ImportRequest']> {
  return { path, ...others, dry_run: isTry, on_duplicate: isOnlyNew ? 'skip' : 'keep' }
}
