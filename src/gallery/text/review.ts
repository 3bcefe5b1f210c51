import { plural, text } from '../base/text.ts'

const en = {
  inbox: 'Inbox',
  place: (place: string, all: string, isUntagged: boolean) =>
    isUntagged ? `${place} of ${all} without a tag` : `${place} of ${all} to review`,
  reviewed: 'Reviewed',
  next: 'Reviewed, next',
  onward: 'Next',
  undo: 'Undo the last change',
  allReviewed: 'All reviewed',
  allTagged: 'Every photo has a tag',
  toUntagged: 'See photos without a tag',
  toNew: 'See new photos',
  yearsAgo: (years: number) =>
    plural(years, { one: 'This day a year ago', other: 'This day # years ago' }),
  title: 'Inbox',
  keys: { Space: 'Mark as reviewed and go to the next' },
}

const de: typeof en = {
  inbox: 'Eingang',
  place: (place, all, isUntagged) =>
    isUntagged ? `${place} von ${all} ohne Schlagwort` : `${place} von ${all} offen`,
  reviewed: 'Durchgesehen',
  next: 'Durchgesehen, weiter',
  onward: 'Weiter',
  undo: 'Letzte Änderung rückgängig machen',
  allReviewed: 'Alles durchgesehen',
  allTagged: 'Jedes Foto hat ein Schlagwort',
  toUntagged: 'Die ohne Schlagwort ansehen',
  toNew: 'Das Neue ansehen',
  yearsAgo: (years) =>
    plural(years, { one: 'Dieser Tag vor einem Jahr', other: 'Dieser Tag vor # Jahren' }),
  title: 'Eingang',
  keys: { Space: 'Durchgesehen, und weiter zur nächsten' },
}

export const review = text({ en, de })
