import { text } from '../base/text.ts'

const en = {
  broken: 'This filter is broken.',
  clearIt: 'Clear it',
  nothing: 'Nothing matches',
  nothingWith: (sentence: string) => `No photos or videos match: ${sentence}.`,
  takeOut: 'Remove one:',
  without: (what: string) => `without “${what}”`,
  anyName: 'with any name',
  anyTime: 'from any time',
  withIt: (what: string) => `with “${what}”`,
}

const de: typeof en = {
  broken: 'Dieser Filter ist kaputt.',
  clearIt: 'Leeren',
  nothing: 'Nichts passt',
  nothingWith: (sentence) => `Weder Fotos noch Videos passen dazu: ${sentence}.`,
  takeOut: 'Eines weglassen:',
  without: (what) => `ohne „${what}“`,
  anyName: 'mit jedem Namen',
  anyTime: 'aus jeder Zeit',
  withIt: (what) => `mit „${what}“`,
}

export const nothing = text({ en, de })
