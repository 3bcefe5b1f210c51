import { text } from '../base/text.ts'

const en = {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  density: 'Pictures',
  densities: { airy: 'Large', medium: 'Medium', dense: 'Small' },
  order: 'Order',
  orders: { desc: 'Newest first', asc: 'Newest last' },
  language: 'Language',
  languages: { en: 'English', de: 'Deutsch' },
  keyboard: 'Keyboard',
  singleKeys: 'Single-key shortcuts',
  singleKeysHint: 'For example T to tag. Shortcuts with Ctrl always work.',
  on: 'On',
  off: 'Off',
  keyTag: 'Tag for the F key',
  noKeyTag: 'None yet',
  chooseKeyTag: 'Choose',
  remembered: 'This browser remembers the theme and the picture size.',
}

const de: typeof en = {
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
  remembered: 'Farben und Bildgröße merkt sich dieser Browser.',
}

export const settings = text({ en, de })
