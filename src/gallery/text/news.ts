import { joined } from '../base/joined.ts'
import { plural, text } from '../base/text.ts'

const en = {
  label: 'New for you',
  /** What is new since a time, such as “since Tuesday”, from people. */
  isNew: (count: number, since: string, names: readonly string[]): string =>
    plural(count, { one: '# new for you', other: '# new for you' }) +
    ` ${since}, from ${joined(names)}`,
  since: {
    time: (time: string) => `since ${time}`,
    weekday: (name: string) => `since ${name}`,
    date: (date: string) => `since ${date}`,
  },
  open: (place: number) => `Open new photo ${place}`,
}

const de: typeof en = {
  label: 'Neu',
  isNew: (count, since, names) =>
    plural(count, { one: '# neues Foto', other: '# neue Fotos' }) +
    ` ${since}, von ${joined(names)}`,
  since: {
    time: (time) => `seit ${time} Uhr`,
    weekday: (name) => `seit ${name}`,
    date: (date) => `seit dem ${date}`,
  },
  open: (place) => `Neues Foto ${place} öffnen`,
}

/** Says what others have shared since the last visit. */
export const news = text({ en, de })
