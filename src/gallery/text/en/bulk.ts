import { plural } from '../../base/text.ts'

export const en = {
  title: 'Selection',
  bar: 'What is selected',
  selected: (count: number) => plural(count, { one: '# selected', other: '# selected' }),
  tag: 'Tag',
  reviewed: 'Reviewed',
  dates: 'Dates',
  download: 'Download',
  trash: 'Trash',
  more: 'More',
  clear: 'Select nothing',
  end: 'End',
  progress: (done: string, all: string) => `${done} of ${all}`,
  areReviewed: (count: number) =>
    plural(count, { one: '# file is reviewed', other: '# files are reviewed' }),
  areTrashed: (count: number) =>
    plural(count, { one: '# file is in the trash', other: '# files are in the trash' }),
  areDated: (count: number) =>
    plural(count, { one: '# file has a new date', other: '# files have new dates' }),
  notReviewed: (reason: string) => `Not reviewed: ${reason}`,
  notTrashed: (reason: string) => `Not moved to the trash: ${reason}`,
  notDated: (reason: string) => `The dates stay as they are: ${reason}`,
  tooManyNamed: (most: number) =>
    plural(most, {
      one: 'At most # file can be chosen for one ZIP. Of a whole filter it can be more: select everything.',
      other:
        'At most # files can be chosen for one ZIP. Of a whole filter it can be more: select everything.',
    }),
  archiveTooLarge: 'One ZIP has room for 100,000 files and 200 GB. Select fewer.',
  archive: (files: number, size: string) =>
    plural(files, { one: `# file as a ZIP of ${size}`, other: `# files as one ZIP of ${size}` }),
  archivePart: (files: number, asked: string, size: string) =>
    plural(files, {
      one: `# of ${asked} files as a ZIP of ${size}; the others are gone`,
      other: `# of ${asked} files as one ZIP of ${size}; the others are gone`,
    }),
  noArchive: 'None of these files is there any more.',
  dateTitle: (count: number) => plural(count, { one: 'Date of # file', other: 'Dates of # files' }),
  shift: 'Move all by',
  set: 'Set all to',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  later: 'Later',
  earlier: 'Earlier',
  date: 'Date and time',
  example: (before: string, after: string) => `${before} becomes ${after}`,
  change: (count: number) => plural(count, { one: 'Change # date', other: 'Change # dates' }),
  keys: {
    t: 'Tag',
    r: 'Reviewed',
    p: 'Put into a pool',
    s: 'Share',
    d: 'Change dates',
    Delete: 'To the trash',
  },
}
