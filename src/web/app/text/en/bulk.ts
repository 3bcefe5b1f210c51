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
  tooManyDownloads: (most: number) =>
    plural(most, {
      one: 'At most # file can be downloaded at once.',
      other: 'At most # files can be downloaded at once.',
    }),
  downloading: (count: number) =>
    plural(count, {
      one: 'The browser fetches # file',
      other: 'The browser fetches # files, one by one; it may ask whether it may',
    }),
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
