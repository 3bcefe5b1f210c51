import { plural, text } from '../base/text.ts'

const en = {
  pool: 'Album',
  addTo: (count: number) =>
    plural(count, { one: 'Add # photo to an album', other: 'Add # photos to an album' }),
  add: 'Add to an album',
  box: 'Album',
  placeholder: 'Name of an album',
  make: (name: string) => `Create “${name}”`,
  none: 'There are no albums yet. Type a name to create one.',
  arePut: (count: number, pool: string) =>
    plural(count, { one: `# photo is in “${pool}”.`, other: `# photos are in “${pool}”.` }),
  takeBack: 'Take back',
  isShared: 'The album is shared with others.',
  notYours: (count: number) =>
    plural(count, {
      one: '# belongs to somebody else. The album doesn’t share it.',
      other: '# belong to others. The album doesn’t share them.',
    }),
  people: (count: number) => plural(count, { one: '# person', other: '# people' }),
  see: (names: string, people: number, photos: number): string =>
    `${names} ${people === 1 ? 'sees' : 'see'} ${photos === 1 ? 'it' : 'them'} now.`,
  seeLater: (names: string, people: number): string =>
    `${names} ${people === 1 ? 'sees' : 'see'} what you add.`,
  notPut: (reason: string) => `Not added to the album: ${reason}`,
  notCreated: (reason: string) => `The album was not created: ${reason}`,
  areTakenOut: (count: number, pool: string) =>
    plural(count, {
      one: `# photo removed from “${pool}”`,
      other: `# photos removed from “${pool}”`,
    }),
  notTakenOut: (reason: string) => `Not removed from the album: ${reason}`,
  leaveOut: (pool: string) => `Don’t add to “${pool}”`,
  into: 'Add to an album',
}

const de: typeof en = {
  pool: 'Album',
  addTo: (count) =>
    plural(count, { one: '# Foto in ein Album legen', other: '# Fotos in ein Album legen' }),
  add: 'In ein Album legen',
  box: 'Album',
  placeholder: 'Name eines Albums',
  make: (name) => `„${name}“ anlegen`,
  none: 'Es gibt noch kein Album: Tippe einen Namen, um eines anzulegen.',
  arePut: (count, pool) =>
    plural(count, { one: `# Foto ist in „${pool}“.`, other: `# Fotos sind in „${pool}“.` }),
  takeBack: 'Zurücknehmen',
  isShared: 'Das Album ist mit anderen geteilt.',
  notYours: (count) =>
    plural(count, {
      one: '# gehört jemand anderem; das Album teilt es nicht.',
      other: '# gehören anderen; das Album teilt sie nicht.',
    }),
  people: (count) => plural(count, { one: '# Person', other: '# Personen' }),
  see: (names, people, photos) =>
    `${names} ${people === 1 ? 'sieht' : 'sehen'} ${photos === 1 ? 'es' : 'sie'} jetzt.`,
  seeLater: (names, people) => `${names} ${people === 1 ? 'sieht' : 'sehen'}, was du hineinlegst.`,
  notPut: (reason) => `Nicht ins Album gelegt: ${reason}`,
  notCreated: (reason) => `Das Album wurde nicht angelegt: ${reason}`,
  areTakenOut: (count, pool) =>
    plural(count, {
      one: `# Foto ist nicht mehr in „${pool}“`,
      other: `# Fotos sind nicht mehr in „${pool}“`,
    }),
  notTakenOut: (reason) => `Nicht aus dem Album genommen: ${reason}`,
  leaveOut: (pool) => `Nicht in „${pool}“`,
  into: 'In ein Album',
}

export const poolBox = text({ en, de })
