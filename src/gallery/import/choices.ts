import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'

/** The optional settings of an import that are always shown, in their order. */
export const CHOICES = ['recursive', 'leave_sources'] as const
/** Those that are shown on demand. */
export const FURTHER_CHOICES = [
  'only_new',
  'folder_tags',
  'keyword_tags',
  'top_categories',
  'name_dates',
  'favorites',
  'archived',
  'partners',
] as const

export type Choice = (typeof CHOICES | typeof FURTHER_CHOICES)[number] | 'create_users'
export type Choices = Partial<Record<Choice, boolean>>

/** The settings of the next import; they remain until the page is left. What is safest is on. */
export const choices = signal<Choices>({
  recursive: true,
  leave_sources: true,
  only_new: true,
  partners: true,
})

/** The id of the user whose files the next import makes; undefined for oneself. */
export const owner = signal<number | undefined>(undefined)
/** The paths of keywords that the next import leaves out, each as JSON. */
export const leftOut = signal<ReadonlySet<string>>(new Set())

/** Leaves a path out, or takes it in again. */
export function leaveOut(path: string[], isOut: boolean): void {
  const next = new Set(leftOut.peek())
  if (isOut) next.add(JSON.stringify(path))
  else next.delete(JSON.stringify(path))
  leftOut.value = next
}

/** Whether a path is left out, by itself or with one above. */
export function isLeftOut(path: string[]): 'itself' | 'above' | null {
  if (leftOut.value.has(JSON.stringify(path))) return 'itself'
  const isOut = path.some((_, at) => at > 0 && leftOut.value.has(JSON.stringify(path.slice(0, at))))
  return isOut ? 'above' : null
}

/** Returns the request for a folder, given by its path below the import folder. */
export function requestOf(
  path: string,
  { only_new: isOnlyNew = false, ...others }: Choices,
  {
    isTry,
    public_tags,
    owner,
    leftOut = new Set(),
  }: {
    isTry: boolean
    public_tags: boolean
    owner?: number | undefined
    leftOut?: ReadonlySet<string>
  },
): Partial<Schemas['ImportRequest']> {
  const on_duplicate = isOnlyNew ? 'skip' : 'keep'
  // A dry run lists them all, so that one can be taken in again.
  const leave_out = isTry ? [] : [...leftOut].map((path): string[] => JSON.parse(path))
  return {
    path,
    ...others,
    public_tags,
    dry_run: isTry,
    on_duplicate,
    leave_out,
    ...(owner !== undefined && { owner }),
  }
}
