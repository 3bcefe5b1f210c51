import { plural, text } from '../base/text.ts'

const en = {
  title: 'On this day',
  yearsAgo: (years: number) => plural(years, { one: 'a year ago', other: '# years ago' }),
  open: (place: number, when: string) => `Open photo ${place} from ${when}`,
  close: 'Hide until tomorrow',
}

const de: typeof en = {
  title: 'An diesem Tag',
  yearsAgo: (years) => plural(years, { one: 'vor einem Jahr', other: 'vor # Jahren' }),
  open: (place, when) => `Foto ${place} von ${when} öffnen`,
  close: 'Bis morgen ausblenden',
}

/** Shows what was taken on this day in earlier years. */
export const thisDay = text({ en, de })
