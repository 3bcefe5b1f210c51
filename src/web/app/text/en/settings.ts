/** What stands on the screens of the settings. */
export const en = {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: 'Pictures',
  densities: { airy: 'Large', medium: 'Medium', dense: 'Small' },
  order: 'Order',
  orders: { desc: 'Newest first', asc: 'Newest last' },
  language: 'Language',
  languages: { en: 'English', de: 'Deutsch' },
  keyboard: 'Keyboard',
  singleKeys: 'Keys by themselves',
  singleKeysHint: 'Such as T to tag. Those with Ctrl always work.',
  on: 'On',
  off: 'Off',
  kept: 'Theme and picture size are kept in this browser.',
}
