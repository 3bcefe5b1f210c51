import { plural, text } from '../base/text.ts'

const en = {
  pool: 'Pool',
  addTo: (count: number) =>
    plural(count, { one: 'Add # file to a pool', other: 'Add # files to a pool' }),
  add: 'Add to a pool',
  box: 'Pool',
  placeholder: 'Name of a pool',
  make: (name: string) => `Create “${name}”`,
  none: 'There are no pools yet. Type a name to create one.',
  arePut: (count: number, pool: string) =>
    plural(count, { one: `# file is in ${pool}`, other: `# files are in ${pool}` }),
  notPut: (reason: string) => `Not added to the pool: ${reason}`,
  notCreated: (reason: string) => `The pool was not created: ${reason}`,
  areTakenOut: (count: number, pool: string) =>
    plural(count, { one: `# file removed from ${pool}`, other: `# files removed from ${pool}` }),
  notTakenOut: (reason: string) => `Not removed from the pool: ${reason}`,
  leaveOut: (pool: string) => `Don’t add to ${pool}`,
  into: 'Add to a pool',
}

const de: typeof en = {
  pool: 'Pool',
  addTo: (count) =>
    plural(count, { one: '# Datei in einen Pool legen', other: '# Dateien in einen Pool legen' }),
  add: 'In einen Pool legen',
  box: 'Pool',
  placeholder: 'Name eines Pools',
  make: (name) => `„${name}“ anlegen`,
  none: 'Es gibt noch keinen Pool: Tippe einen Namen, um einen anzulegen.',
  arePut: (count, pool) =>
    plural(count, { one: `# Datei ist in ${pool}`, other: `# Dateien sind in ${pool}` }),
  notPut: (reason) => `Nicht in den Pool gelegt: ${reason}`,
  notCreated: (reason) => `Der Pool wurde nicht angelegt: ${reason}`,
  areTakenOut: (count, pool) =>
    plural(count, {
      one: `# Datei ist nicht mehr in ${pool}`,
      other: `# Dateien sind nicht mehr in ${pool}`,
    }),
  notTakenOut: (reason) => `Nicht aus dem Pool genommen: ${reason}`,
  leaveOut: (pool) => `Nicht in ${pool}`,
  into: 'In einen Pool',
}

export const poolBox = text({ en, de })
