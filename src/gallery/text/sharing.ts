import { number } from '../base/format.ts'
import { joined } from '../base/joined.ts'
import { plural, text } from '../base/text.ts'

/** How many photos a person sees, and how many they may edit. */
interface Seen {
  seen: number
  edits: number
  all: number
}

const photos = (count: number) => plural(count, { one: '# photo', other: '# photos' })

/** Follows the word “sees”. */
function part({ seen, all }: Seen, isPool: boolean): string {
  if (all === 1) return isPool ? 'its photo' : 'it'
  const of = isPool ? `its ${number(all)} photos` : `these ${number(all)}`
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

const en = {
  title: (count: number) => `Share ${photos(count)}`,
  titleOf: {
    file: () => 'Share a photo',
    pool: (name: string) => `Share the album “${name}”`,
    tag: (name: string) => `Share the tag “${name}”`,
    category: (name: string) => `Share the category “${name}”`,
  },
  people: 'People',
  nobodyNamed: 'Nobody here has that name.',
  nobodyElse: 'There is nobody else here yet.',
  seesNow: (seen: number, all: number): string =>
    all === 1 ? 'sees it now' : seen === all ? 'sees all now' : `sees ${number(seen)} of them now`,
  seesNone: (all: number): string => (all === 1 ? 'doesn’t see it' : 'sees none'),
  view: 'View',
  edit: 'Edit',
  newByEnter: 'new, press Enter',
  isNew: 'new',
  isOut: 'removed',
  takeOut: (name: string) => `Remove ${name}`,
  keep: (name: string) => `Keep ${name}`,
  everybody: 'Everybody signed in may view',
  never: 'View only, never edit',
  perhapsSome: 'Perhaps some of them already; view only, never edit',
  noMore: 'not any more',
  picturesToo: (count: number) =>
    plural(count, { one: 'Its photo too', other: 'Its # photos too' }),
  later: 'Anything added later is not shared automatically.',
  laterToo: 'Photos added later, too',
  laterHint: 'People named here may view all photos of the album, now and later.',
  unshares: 'The photos are unshared as well, except those shared by name.',
  theirTagsToo: (count: number) =>
    plural(count, { one: 'Their # tag too', other: 'Their # tags too' }),
  itsTagsToo: (count: number) => plural(count, { one: 'Its # tag too', other: 'Its # tags too' }),
  hiddenSoFar: 'Hidden so far.',
  alsoTags: (count: number) => plural(count, { one: 'Also # tag.', other: 'Also # tags.' }),
  takeBack: 'Take back',
  takenBack: 'Taken back',
  now: 'Who sees this now',
  after: 'Who sees this after',
  others: (count: number) =>
    plural(count, { one: '# belongs to others', other: '# belong to others' }),
  notCounted: 'Who sees other people’s photos is not shown here. Admins see everything.',
  adminsToo: 'Admins see everything.',
  allOthers: (count: number) =>
    plural(count, {
      one: 'It belongs to somebody else. Only they can share it.',
      other: 'They belong to others. Only their owners can share them.',
    }),
  notYours: (creator: string) => `Only ${creator} and admins can share it.`,
  see,
  /** Follows a sentence on what a person sees. */
  through: (albums: readonly string[]): string =>
    albums.length === 0
      ? 'through an album'
      : albums.length === 1
        ? `through the album ${albums[0]}`
        : `through the albums ${joined(albums)}`,
  seeSome: (name: string, seen: number) => `${name} sees ${number(seen)}`,
  seeMore: (name: string, seen: number) => `${name} ${number(seen)}`,
  seePool: (name: string, mayEdit: boolean): string =>
    mayEdit ? `${name} sees and may edit the album` : `${name} sees the album`,
  seeNoPool: (name: string) => `${name} doesn’t see the album`,
  inPool: (pool: string, sight: Seen) => `${pool} and ${part(sight, true)}`,
  editPool: (name: string, sight: Seen) =>
    `${name} may edit the album and sees ${part(sight, true)}`,
  onlyThrough: (name: string) => `${name} sees only what albums share`,
  onlyOpen: (name: string) => `${name} sees only what everybody may view`,
  onlyOpenUnless: (name: string) =>
    `${name} sees only what everybody may view, unless they own it or are an admin`,
  onlyNamed: (name: string) => `${name} sees only what is shared by name`,
  everyone: 'Everybody here',
  onlyYou: 'Only you',
  only: (name: string) => `Only ${name}`,
  asBefore: (sentence: string) => `${sentence}, as before`,
  more: (count: number) => plural(count, { one: '# more', other: '# more' }),
  ended: (done: string, all: string) => `Stopped after ${done} of ${all} photos`,
  progress: (done: string, all: string) => `${done} of ${all}`,
  partly: (done: string, all: string, reason: string) => `${done} of ${all} photos: ${reason}`,
  change: 'Change',
  shareWith: (names: string) => `Share with ${names}`,
  retry: 'Try again',
  gap: (count: number, names: string) =>
    plural(count, {
      one: `# photo here is not shared with those who see this album: ${names}`,
      other: `# photos here are not shared with those who see this album: ${names}`,
    }),
  gaps: (parts: string) => `Not all photos here are shared with those who see this album: ${parts}`,
  lacks: (name: string, count: number) => `${name} lacks ${number(count)}`,
  showAll: 'Show them to everybody',
  shareThem: 'Share them',
}

const picturesInGerman = (count: number) => plural(count, { one: '# Foto', other: '# Fotos' })

function partInGerman({ seen, all }: Seen, isPool: boolean): string {
  if (all === 1) return isPool ? 'sein Foto' : 'es'
  const of = isPool ? `seiner ${number(all)} Fotos` : `dieser ${number(all)}`
  if (seen === 0) return `keines ${of}`
  return seen === all ? `alle ${number(all)}` : `${number(seen)} ${of}`
}

function seeInGerman(name: string, sight: Seen, isPool = false): string {
  const { seen, edits, all } = sight
  const what = partInGerman(sight, isPool)
  if (all === 1 && seen === 0) return `${name} sieht ${what} nicht`
  if (edits === 0) return `${name} sieht ${what}`
  if (edits === seen) return `${name} darf ${what} sehen und ändern`
  return `${name} sieht ${what} und darf ${number(edits)} ändern`
}

const de: typeof en = {
  title: (count) => `${picturesInGerman(count)} teilen`,
  titleOf: {
    file: () => 'Ein Foto teilen',
    pool: (name) => `Das Album „${name}“ teilen`,
    tag: (name) => `Das Schlagwort „${name}“ teilen`,
    category: (name) => `Die Kategorie „${name}“ teilen`,
  },
  people: 'Personen',
  nobodyNamed: 'So heißt hier niemand.',
  nobodyElse: 'Hier ist noch niemand sonst.',
  seesNow: (seen, all) =>
    all === 1
      ? 'sieht es jetzt'
      : seen === all
        ? 'sieht jetzt alle'
        : `sieht jetzt ${number(seen)}`,
  seesNone: (all) => (all === 1 ? 'sieht es nicht' : 'sieht keines'),
  view: 'Ansehen',
  edit: 'Ändern',
  newByEnter: 'neu, mit Enter',
  isNew: 'neu',
  isOut: 'herausgenommen',
  takeOut: (name) => `${name} herausnehmen`,
  keep: (name) => `${name} behalten`,
  everybody: 'Alle Angemeldeten dürfen ansehen',
  never: 'Nur ansehen, nie ändern',
  perhapsSome: 'Vielleicht einige davon schon; nur ansehen, nie ändern',
  noMore: 'nicht mehr',
  picturesToo: (count) => plural(count, { one: 'Sein Foto auch', other: 'Seine # Fotos auch' }),
  later: 'Was später dazukommt, wird nicht von selbst geteilt.',
  laterToo: 'Auch Fotos, die später dazukommen',
  laterHint: 'Wer hier genannt ist, darf alle Fotos des Albums ansehen, jetzt und später.',
  unshares: 'Auch die Fotos sind dann nicht mehr geteilt, außer namentlich geteilte.',
  theirTagsToo: (count) =>
    plural(count, { one: 'Ihr # Schlagwort auch', other: 'Ihre # Schlagwörter auch' }),
  itsTagsToo: (count) =>
    plural(count, { one: 'Ihr # Schlagwort auch', other: 'Ihre # Schlagwörter auch' }),
  hiddenSoFar: 'Bisher verborgen.',
  alsoTags: (count) => plural(count, { one: 'Auch # Schlagwort.', other: 'Auch # Schlagwörter.' }),
  takeBack: 'Zurücknehmen',
  takenBack: 'Zurückgenommen',
  now: 'Wer das jetzt sieht',
  after: 'Wer das danach sieht',
  others: (count) => plural(count, { one: '# gehört anderen', other: '# gehören anderen' }),
  notCounted: 'Wer sieht, was anderen gehört, bleibt ungesagt; Admins sehen alles.',
  adminsToo: 'Admins sehen alles.',
  allOthers: (count) =>
    plural(count, {
      one: 'Es gehört jemand anderem; nur diese Person kann es teilen.',
      other: 'Sie gehören anderen; nur diese können sie teilen.',
    }),
  notYours: (creator) => `Nur ${creator} und Admins können das teilen.`,
  see: seeInGerman,
  through: (albums) =>
    albums.length === 0
      ? 'durch ein Album'
      : albums.length === 1
        ? `durch das Album ${albums[0]}`
        : `durch die Alben ${joined(albums)}`,
  seeSome: (name, seen) => `${name} sieht ${number(seen)}`,
  seeMore: (name, seen) => `${name} ${number(seen)}`,
  seePool: (name, mayEdit) =>
    mayEdit ? `${name} darf das Album sehen und ändern` : `${name} sieht das Album`,
  seeNoPool: (name) => `${name} sieht das Album nicht`,
  inPool: (pool, sight) => `${pool} und davon ${partInGerman(sight, true)}`,
  editPool: (name, sight) => `${name} darf das Album ändern und sieht ${partInGerman(sight, true)}`,
  onlyThrough: (name) => `${name} sieht nur, was Alben teilen`,
  onlyOpen: (name) => `${name} sieht nur, was alle ansehen dürfen`,
  onlyOpenUnless: (name) =>
    `${name} sieht nur, was alle ansehen dürfen, außer als Eigentümer oder Admin`,
  onlyNamed: (name) => `${name} sieht nur, was namentlich geteilt ist`,
  everyone: 'Jeder hier',
  onlyYou: 'Nur du',
  only: (name) => `Nur ${name}`,
  asBefore: (sentence) => `${sentence}, wie bisher`,
  more: (count) => plural(count, { one: '# weitere Person', other: '# weitere Personen' }),
  ended: (done, all) => `Nach ${done} von ${all} Fotos beendet`,
  progress: (done, all) => `${done} von ${all}`,
  partly: (done, all, reason) => `${done} von ${all} Fotos: ${reason}`,
  change: 'Ändern',
  shareWith: (names) => `Mit ${names} teilen`,
  retry: 'Noch einmal',
  gap: (count, names) =>
    plural(count, {
      one: `# Foto hier ist nicht mit denen geteilt, die dieses Album sehen: ${names}`,
      other: `# Fotos hier sind nicht mit denen geteilt, die dieses Album sehen: ${names}`,
    }),
  gaps: (parts) => `Nicht alle Fotos hier sind mit denen geteilt, die dieses Album sehen: ${parts}`,
  lacks: (name, count) => `${name} fehlen ${number(count)}`,
  showAll: 'Allen zeigen',
  shareThem: 'Mit ihnen teilen',
}

/** Sentences about what people see of what is shared, without their full stops. */
export const sharing = text({ en, de })
