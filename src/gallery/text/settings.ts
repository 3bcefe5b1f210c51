import { text } from '../base/text.ts'

const en = {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  density: 'Photos',
  densities: { airy: 'Large', medium: 'Medium', dense: 'Small' },
  series: 'Series as one tile',
  seriesHint: 'Photos that one camera took within two seconds of each other.',
  order: 'Order',
  orders: { desc: 'Newest first', asc: 'Newest last' },
  language: 'Language',
  languages: { en: 'English', de: 'Deutsch' },
  keyboard: 'Keyboard',
  singleKeys: 'Single-key shortcuts',
  singleKeysHint: 'For example T to tag. Shortcuts with Ctrl always work.',
  on: 'On',
  off: 'Off',
  keyTag: 'Tag for Shift+F',
  noKeyTag: 'None yet',
  chooseKeyTag: 'Choose',
  tags: 'Tags',
  newTags: 'Who sees new tags',
  newTagsHint: 'Also new categories. You can change it for each of them.',
  seers: { everybody: 'Everybody', me: 'Only me' },
  app: 'On this phone or tablet',
  installApp:
    'The menu of your browser can add Tagstead to the home screen as an app. On Android, other apps can then share photos with Tagstead.',
  needsHttps:
    'Tagstead can be an app on the home screen once its address begins with https. The page docs/proxy.md of its documentation says how.',
  remembered: 'This browser remembers the theme and the size of photos.',
}

const de: typeof en = {
  title: 'Einstellungen',
  appearance: 'Aussehen',
  theme: 'Farben',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  density: 'Fotos',
  densities: { airy: 'Groß', medium: 'Mittel', dense: 'Klein' },
  series: 'Serien als eine Kachel',
  seriesHint: 'Fotos, die eine Kamera im Abstand von zwei Sekunden gemacht hat.',
  order: 'Reihenfolge',
  orders: { desc: 'Neueste zuerst', asc: 'Neueste zuletzt' },
  language: 'Sprache',
  languages: { en: 'English', de: 'Deutsch' },
  keyboard: 'Tastatur',
  singleKeys: 'Einzelne Tasten',
  singleKeysHint: 'Wie T für ein Schlagwort. Die mit Strg wirken immer.',
  on: 'An',
  off: 'Aus',
  keyTag: 'Schlagwort für Umschalt+F',
  noKeyTag: 'Noch keins',
  chooseKeyTag: 'Wählen',
  tags: 'Schlagwörter',
  newTags: 'Wer neue Schlagwörter sieht',
  newTagsHint: 'Auch neue Kategorien. Für jedes einzelne lässt es sich ändern.',
  seers: { everybody: 'Alle', me: 'Nur ich' },
  app: 'Auf diesem Handy oder Tablet',
  installApp:
    'Das Menü des Browsers kann Tagstead als App zum Startbildschirm hinzufügen. Unter Android können andere Apps dann Fotos mit Tagstead teilen.',
  needsHttps:
    'Tagstead kann eine App auf dem Startbildschirm sein, wenn seine Adresse mit https beginnt. Wie das geht, sagt die Seite docs/proxy.md der Dokumentation.',
  remembered: 'Farben und Größe der Fotos merkt sich dieser Browser.',
}

export const settings = text({ en, de })
