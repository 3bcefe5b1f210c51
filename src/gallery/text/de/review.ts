import { plural } from '../../base/text.ts'
import type { en } from '../en/review.ts'

export const de: typeof en = {
  inbox: 'Eingang',
  place: (place, all, isUntagged) =>
    isUntagged ? `${place} von ${all} ohne Schlagwort` : `${place} von ${all} durchzusehen`,
  reviewed: 'Durchgesehen',
  next: 'Durchgesehen, weiter',
  onward: 'Weiter',
  undo: 'Letzte Änderung rückgängig machen',
  allReviewed: 'Alles durchgesehen',
  allTagged: 'Jede Datei hat ein Schlagwort',
  toUntagged: 'Die ohne Schlagwort ansehen',
  toNew: 'Das Neue ansehen',
  yearsAgo: (years) =>
    plural(years, { one: 'Dieser Tag vor einem Jahr', other: 'Dieser Tag vor # Jahren' }),
  title: 'Eingang',
  keys: { Space: 'Durchgesehen, und weiter zur nächsten' },
}
