import { plural } from '../../base/text.ts'
import type { en } from '../en/tagging.ts'

export const de: typeof en = {
  title: 'Schlagwörter',
  tags: 'Schlagwörter',
  addTag: 'Schlagwort hinzufügen',
  unknown: 'ein Schlagwort, das du nicht sehen kannst',
  byRule: 'durch Regel',
  onSome: 'an einigen der Dateien',
  remove: (name) => `${name} entfernen`,
  complete: (name) => `${name} an allen setzen`,
  alsoAdds: 'fügt auch hinzu:',
  present: 'ist schon da',
  create: (name) => `„${name}“ anlegen`,
  again: 'Noch einmal',
  oneKey: 'je eine Taste',
  allOfLast: 'alle der letzten Datei',
  category: 'Kategorie',
  noCategory: 'Ohne Kategorie',
  color: 'Farbe',
  categoryColor: 'Wie die Kategorie',
  colors: ['Orange', 'Blau', 'Grün', 'Violett', 'Rot', 'Petrol', 'Gelb', 'Grau'],
  name: 'Name',
  make: 'Anlegen und hinzufügen',
  isOn: (count) =>
    plural(count, { one: 'ist an # Datei gesetzt', other: 'ist an # Dateien gesetzt' }),
  isOff: (count) =>
    plural(count, { one: 'ist von # Datei entfernt', other: 'ist von # Dateien entfernt' }),
  severalTags: (count) => plural(count, { one: '# Schlagwort', other: '# Schlagwörter' }),
  locked: (count) => plural(count, { one: '# gehört anderen', other: '# gehören anderen' }),
  skipped: (count) =>
    plural(count, { one: '# ließ sich nicht ändern', other: '# ließen sich nicht ändern' }),
  showLocked: (count) => plural(count, { one: 'Zeigen', other: 'Die # zeigen' }),
  ended: (done, all) => `Beendet nach ${done} von ${all} Dateien`,
  notTagged: (reason) => `Nicht gesetzt: ${reason}`,
  notRemoved: (reason) => `Nicht entfernt: ${reason}`,
  partly: (done, all, reason) => `${done} von ${all} Dateien: ${reason}`,
  progress: (done, all) => `${done} von ${all}`,
  end: 'Beenden',
  keyTag: 'Das Schlagwort einer Taste',
  keyTagHint: 'F setzt und entfernt es. In den Einstellungen lässt es sich ändern.',
  keys: {
    t: 'Schlagwort hinzufügen',
    '1': 'Das Schlagwort dieser Ziffer setzen',
    '0': 'Die Schlagwörter der letzten Datei setzen',
    f: 'Eigenes Schlagwort setzen oder entfernen',
  },
}
