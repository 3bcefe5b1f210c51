import type { en } from '../en/settings.ts'

export const de: typeof en = {
  title: 'Einstellungen',
  appearance: 'Aussehen',
  theme: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  density: 'Bilder',
  densities: { airy: 'Groß', medium: 'Mittel', dense: 'Klein' },
  order: 'Reihenfolge',
  orders: { desc: 'Neueste zuerst', asc: 'Neueste zuletzt' },
  language: 'Sprache',
  languages: { en: 'English', de: 'Deutsch' },
  keyboard: 'Tastatur',
  singleKeys: 'Einzelne Tasten',
  singleKeysHint: 'Wie T für ein Schlagwort. Die mit Strg wirken immer.',
  on: 'An',
  off: 'Aus',
  keyTag: 'Schlagwort der Taste F',
  noKeyTag: 'Noch keins',
  chooseKeyTag: 'Wählen',
  kept: 'Farben und Bildgröße merkt sich dieser Browser.',
}
