import { plural, text } from '../base/text.ts'

const en = {
  title: 'Tagging',
  tags: 'Tags',
  addTag: 'Add a tag',
  unknown: 'a tag that you can’t see',
  byRule: 'by rule',
  onSome: 'on some of the photos',
  remove: (name: string) => `Remove ${name}`,
  complete: (name: string) => `Add ${name} to all of them`,
  alsoAdds: 'also adds',
  present: 'already added',
  create: (name: string) => `Create “${name}”`,
  again: 'Again',
  oneKey: 'one key each',
  allOfLast: 'all of the last photo',
  category: 'Category',
  noCategory: 'No category',
  color: 'Colour',
  categoryColor: 'Of its category',
  colors: ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'],
  otherColor: 'another colour',
  name: 'Name',
  make: 'Create and add',
  hiddenTag: (name: string) =>
    `“${name}” is the name of a tag that you can’t see. An admin can open it to you.`,
  hiddenCategory: (name: string) =>
    `“${name}” is the name of a category that you can’t see. An admin can open it to you.`,
  use: (name: string) => `Use “${name}”`,
  isOn: (count: number) => plural(count, { one: 'added to # photo', other: 'added to # photos' }),
  isOff: (count: number) =>
    plural(count, { one: 'removed from # photo', other: 'removed from # photos' }),
  severalTags: (count: number) => plural(count, { one: '# tag', other: '# tags' }),
  locked: (count: number) =>
    plural(count, { one: '# belongs to others', other: '# belong to others' }),
  skipped: (count: number) =>
    plural(count, { one: '# could not be changed', other: '# could not be changed' }),
  showLocked: (count: number) => plural(count, { one: 'Show it', other: 'Show the #' }),
  ended: (done: string, all: string) => `Stopped after ${done} of ${all} photos`,
  notTagged: (reason: string) => `Not tagged: ${reason}`,
  notRemoved: (reason: string) => `Not removed: ${reason}`,
  partly: (done: string, all: string, reason: string) => `${done} of ${all} photos: ${reason}`,
  progress: (done: string, all: string) => `${done} of ${all}`,
  end: 'Stop',
  keyTag: 'The one-key tag',
  keyTagHint: 'F adds it and removes it. You can change it in the settings.',
  keys: {
    t: 'Tag',
    '1': 'Add the tag with that number',
    '0': 'Add the tags of the last photo',
    f: 'Add or remove your one-key tag',
  },
}

const de: typeof en = {
  title: 'Schlagwörter',
  tags: 'Schlagwörter',
  addTag: 'Schlagwort hinzufügen',
  unknown: 'ein Schlagwort, das du nicht sehen kannst',
  byRule: 'durch Regel',
  onSome: 'an einigen der Fotos',
  remove: (name) => `${name} entfernen`,
  complete: (name) => `${name} an allen setzen`,
  alsoAdds: 'fügt auch hinzu:',
  present: 'ist schon da',
  create: (name) => `„${name}“ anlegen`,
  again: 'Noch einmal',
  oneKey: 'je eine Taste',
  allOfLast: 'alle des letzten Fotos',
  category: 'Kategorie',
  noCategory: 'Ohne Kategorie',
  color: 'Farbe',
  categoryColor: 'Wie die Kategorie',
  colors: ['Rot', 'Orange', 'Gelb', 'Grün', 'Petrol', 'Blau', 'Violett', 'Rosa'],
  otherColor: 'eine andere Farbe',
  name: 'Name',
  make: 'Anlegen und hinzufügen',
  hiddenTag: (name) =>
    `„${name}“ heißt schon ein Schlagwort, das du nicht sehen kannst. Ein Admin kann es dir öffnen.`,
  hiddenCategory: (name) =>
    `„${name}“ heißt schon eine Kategorie, die du nicht sehen kannst. Ein Admin kann sie dir öffnen.`,
  use: (name) => `„${name}“ nehmen`,
  isOn: (count) =>
    plural(count, { one: 'ist an # Foto gesetzt', other: 'ist an # Fotos gesetzt' }),
  isOff: (count) =>
    plural(count, { one: 'ist von # Foto entfernt', other: 'ist von # Fotos entfernt' }),
  severalTags: (count) => plural(count, { one: '# Schlagwort', other: '# Schlagwörter' }),
  locked: (count) => plural(count, { one: '# gehört anderen', other: '# gehören anderen' }),
  skipped: (count) =>
    plural(count, { one: '# ließ sich nicht ändern', other: '# ließen sich nicht ändern' }),
  showLocked: (count) => plural(count, { one: 'Zeigen', other: 'Die # zeigen' }),
  ended: (done, all) => `Beendet nach ${done} von ${all} Fotos`,
  notTagged: (reason) => `Nicht gesetzt: ${reason}`,
  notRemoved: (reason) => `Nicht entfernt: ${reason}`,
  partly: (done, all, reason) => `${done} von ${all} Fotos: ${reason}`,
  progress: (done, all) => `${done} von ${all}`,
  end: 'Beenden',
  keyTag: 'Das Schlagwort einer Taste',
  keyTagHint: 'F setzt und entfernt es. In den Einstellungen lässt es sich ändern.',
  keys: {
    t: 'Schlagwort hinzufügen',
    '1': 'Das Schlagwort dieser Ziffer setzen',
    '0': 'Die Schlagwörter des letzten Fotos setzen',
    f: 'Eigenes Schlagwort setzen oder entfernen',
  },
}

export const tagBox = text({ en, de })
