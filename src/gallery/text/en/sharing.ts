import { number } from '../../base/format.ts'
import { plural } from '../../base/text.ts'

/** How many pictures a person sees, and how many they may edit. */
interface Seen {
  seen: number
  edits: number
  all: number
}

const pictures = (count: number) => plural(count, { one: '# picture', other: '# pictures' })

/** Follows the word “sees”. */
function part({ seen, all }: Seen, isPool: boolean): string {
  if (all === 1) return isPool ? 'its picture' : 'it'
  const of = isPool ? `its ${number(all)} pictures` : `these ${number(all)}`
  if (seen === 0) return `none of ${of}`
  return seen === all ? `all ${isPool ? of : number(all)}` : `${number(seen)} of ${of}`
}

function see(name: string, sight: Seen, isPool = false): string {
  const { seen, edits, all } = sight
  if (all === 1 && seen === 0) return `${name} doesn’t see ${part(sight, isPool)}`
  if (edits === 0) return `${name} sees ${part(sight, isPool)}`
  if (edits === seen) return `${name} sees and may edit ${part(sight, isPool)}`
  return `${name} sees ${part(sight, isPool)} and may edit ${number(edits)}`
}

/** Sentences about what people see of what is shared, without their full stops. */
export const en = {
  title: (count: number) => `Share ${pictures(count)}`,
  titleOf: {
    file: () => 'Share a picture',
    pool: (name: string) => `Share the pool “${name}”`,
    tag: (name: string) => `Share the tag “${name}”`,
    category: (name: string) => `Share the category “${name}”`,
  },
  people: 'People',
  nobodyNamed: 'Nobody here is called that.',
  nobodyElse: 'Nobody else is here yet.',
  seesNow: (seen: number, all: number): string =>
    all === 1 ? 'sees it now' : seen === all ? 'sees all now' : `sees ${number(seen)} of them now`,
  seesNone: (all: number): string => (all === 1 ? 'doesn’t see it' : 'sees none'),
  view: 'View',
  edit: 'Edit',
  newByEnter: 'new, by Enter',
  isNew: 'new',
  isOut: 'taken out',
  takeOut: (name: string) => `Take ${name} out`,
  keep: (name: string) => `Keep ${name}`,
  everybody: 'Everybody signed in may view',
  never: 'view only, never edit',
  perhapsSome: 'perhaps some of them already; view only, never edit',
  noMore: 'not any more',
  picturesToo: (count: number) =>
    plural(count, { one: 'Its picture too', other: 'Its # pictures too' }),
  later: 'What is added later is not shared by itself.',
  now: 'Who sees this now',
  after: 'Who sees this after',
  noUndo: 'Sharing has no undo: take people out here.',
  others: (count: number) =>
    plural(count, { one: '# belongs to others', other: '# belong to others' }),
  notCounted: 'Who sees what belongs to others isn’t told; admins see everything.',
  adminsToo: 'Admins see everything.',
  allOthers: (count: number) =>
    plural(count, {
      one: 'It belongs to somebody else, who alone can share it.',
      other: 'They belong to others, who alone can share them.',
    }),
  notYours: (creator: string) => `Only ${creator} and admins can share it.`,
  see,
  seeSome: (name: string, seen: number) => `${name} sees ${number(seen)}`,
  seeMore: (name: string, seen: number) => `${name} ${number(seen)}`,
  seePool: (name: string, mayEdit: boolean): string =>
    mayEdit ? `${name} sees and may edit the pool` : `${name} sees the pool`,
  seeNoPool: (name: string) => `${name} doesn’t see the pool`,
  inPool: (pool: string, sight: Seen) => `${pool} and ${part(sight, true)}`,
  onlyOpen: (name: string) => `${name} sees only what everybody may view`,
  onlyOpenUnless: (name: string) =>
    `${name} sees only what everybody may view, unless as its owner or an admin`,
  onlyNamed: (name: string) => `${name} sees only what is shared by name`,
  everyone: 'Everybody here',
  onlyYou: 'Only you',
  only: (name: string) => `Only ${name}`,
  asBefore: (sentence: string) => `${sentence}, as before`,
  more: (count: number) => plural(count, { one: '# more', other: '# more' }),
  ended: (done: string, all: string) => `Ended after ${done} of ${all} pictures`,
  progress: (done: string, all: string) => `${done} of ${all}`,
  partly: (done: string, all: string, reason: string) => `${done} of ${all} pictures: ${reason}`,
  change: 'Change',
  shareWith: (names: string) => `Share with ${names}`,
  retry: 'Try again',
  toastNoUndo: 'Sharing has no undo; the same dialog takes people out again.',
  gap: (count: number, names: string) =>
    plural(count, {
      one: `# picture here is not shared with those who see this pool: ${names}`,
      other: `# pictures here are not shared with those who see this pool: ${names}`,
    }),
  gaps: (parts: string) =>
    `Not all pictures here are shared with those who see this pool: ${parts}`,
  lacks: (name: string, count: number) => `${name} lacks ${number(count)}`,
  showAll: 'Show them to everybody',
  shareThem: 'Share them',
}
