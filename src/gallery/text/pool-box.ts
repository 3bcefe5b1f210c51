import { plural, text } from '../base/text.ts'

const en = {
  pool: 'Pool',
  addTo: (count: number) =>
    plural(count, { one: 'Put # file into a pool', other: 'Put # files into a pool' }),
  add: 'Put into a pool',
  box: 'Pool',
  placeholder: 'Name of a pool',
  make: (name: string) => `Make “${name}”`,
  none: 'There is no pool yet: type a name to make one.',
  arePut: (count: number, pool: string) =>
    plural(count, { one: `# file is in ${pool}`, other: `# files are in ${pool}` }),
  notPut: (reason: string) => `Not put into the pool: ${reason}`,
  notMade: (reason: string) => `The pool was not made: ${reason}`,
  areTakenOut: (count: number, pool: string) =>
    plural(count, { one: `# file is out of ${pool}`, other: `# files are out of ${pool}` }),
  notTakenOut: (reason: string) => `Not taken out of the pool: ${reason}`,
  leaveOut: (pool: string) => `Not into ${pool}`,
  into: 'Into a pool',
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
  notMade: (reason) => `Der Pool wurde nicht angelegt: ${reason}`,
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
