import { plural } from '../../base/text.ts'

export const en = {
  inbox: 'Inbox',
  place: (place: string, all: string, isUntagged: boolean) =>
    isUntagged ? `${place} of ${all} without a tag` : `${place} of ${all} to review`,
  reviewed: 'Reviewed',
  next: 'Reviewed, next',
  onward: 'Next',
  undo: 'Undo the last change',
  allReviewed: 'All reviewed',
  allTagged: 'Every file has a tag',
  toUntagged: 'Look at those without a tag',
  toNew: 'Look at what is new',
  yearsAgo: (years: number) =>
    plural(years, { one: 'This day a year ago', other: 'This day # years ago' }),
  title: 'Inbox',
  keys: { Space: 'Reviewed, and on to the next' },
}
