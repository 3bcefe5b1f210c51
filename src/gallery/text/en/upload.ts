import { plural } from '../../base/text.ts'

export const en = {
  upload: 'Upload',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  takePicture: 'Take a picture',
  dropHere: 'Let go to upload',
  drop: (name: string) => `Leave ${name} out`,
  progress: (done: string, total: string) => `${done} of ${total}`,
  pause: 'Pause',
  goOn: 'Go on',
  close: 'Make small',
  clear: 'Clear the list',
  retry: (name: string) => `Send ${name} again`,
  retryAll: 'Retry all failed',
  tryAgain: 'Try again',
  skipped: (count: number) =>
    plural(count, {
      one: '# file is here already and was skipped',
      other: '# files are here already and were skipped',
    }),
  here: (by: string | null) => (by === null ? 'already here' : `already here, from ${by}`),
  alike: (name: string | null) =>
    name === null ? 'Looks like another file' : `Looks like ${name}`,
  trashed: (count: number) =>
    plural(count, { one: '# of them is in the trash', other: '# of them are in the trash' }),
  notRestored: (count: number) =>
    plural(count, { one: '# file could not be restored', other: '# files could not be restored' }),
  byFolders: 'Tags from folders',
  noTags: (names: string) => `No tag of yours can be made of: ${names}`,
  finished: (count: number) =>
    plural(count, { one: '# file has arrived', other: '# files have arrived' }),
  more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  nextTry: (attempt: number, seconds: number) => `try ${attempt} in ${seconds} s`,
  pace: (pace: string, seconds: number) =>
    seconds < 60
      ? `${pace} a second, ${plural(Math.max(1, Math.round(seconds)), { one: '# second to go', other: '# seconds to go' })}`
      : `${pace} a second, ${plural(Math.round(seconds / 60), { one: '# minute to go', other: '# minutes to go' })}`,
  reasons: {
    unsupported_mime: 'no picture and no film',
    payload_too_large: 'larger than the server, or a proxy before it, takes',
    insufficient_storage: 'the server’s disk is full',
    'insufficient_storage file': 'no room left for your files',
    forbidden: 'you may not add files',
    no_connection: 'the connection was lost',
  } as Record<string, string>,
}
