import { plural } from '../../base/text.ts'
import type { en } from '../en/pooling.ts'

export const de: typeof en = {
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
