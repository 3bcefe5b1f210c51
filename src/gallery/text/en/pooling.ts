import { plural } from '../../base/text.ts'

export const en = {
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
