import { number } from '../../base/format.ts'
import { plural } from '../../base/text.ts'
import type { en } from '../en/sharing.ts'

const pictures = (count: number) => plural(count, { one: '# Bild', other: '# Bilder' })

type Seen = Parameters<(typeof en)['see']>[1]

function part({ seen, all }: Seen, isPool: boolean): string {
  if (all === 1) return isPool ? 'sein Bild' : 'es'
  const of = isPool ? `seiner ${number(all)} Bilder` : `dieser ${number(all)}`
  if (seen === 0) return `keines ${of}`
  return seen === all ? `alle ${number(all)}` : `${number(seen)} ${of}`
}

function see(name: string, sight: Seen, isPool = false): string {
  const { seen, edits, all } = sight
  const what = part(sight, isPool)
  if (all === 1 && seen === 0) return `${name} sieht ${what} nicht`
  if (edits === 0) return `${name} sieht ${what}`
  if (edits === seen) return `${name} darf ${what} sehen und ändern`
  return `${name} sieht ${what} und darf ${number(edits)} ändern`
}

export const de: typeof en = {
  title: (count) => `${pictures(count)} teilen`,
  titleOf: {
    file: () => 'Ein Bild teilen',
    pool: (name) => `Den Pool „${name}“ teilen`,
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
  never: 'nur ansehen, nie ändern',
  perhapsSome: 'vielleicht einige davon schon; nur ansehen, nie ändern',
  noMore: 'nicht mehr',
  picturesToo: (count) => plural(count, { one: 'Ihr Bild auch', other: 'Ihre # Bilder auch' }),
  later: 'Was später dazukommt, wird nicht von selbst geteilt.',
  now: 'Wer das jetzt sieht',
  after: 'Wer das danach sieht',
  noUndo: 'Teilen lässt sich nicht rückgängig machen: Hier kann man Personen herausnehmen.',
  others: (count) => plural(count, { one: '# gehört anderen', other: '# gehören anderen' }),
  notCounted: 'Wer sieht, was anderen gehört, bleibt ungesagt; Admins sehen alles.',
  adminsToo: 'Admins sehen alles.',
  allOthers: (count) =>
    plural(count, {
      one: 'Es gehört jemand anderem; nur diese Person kann es teilen.',
      other: 'Sie gehören anderen; nur diese können sie teilen.',
    }),
  notYours: (creator) => `Nur ${creator} und Admins können das teilen.`,
  see,
  seeSome: (name, seen) => `${name} sieht ${number(seen)}`,
  seeMore: (name, seen) => `${name} ${number(seen)}`,
  seePool: (name, mayEdit) =>
    mayEdit ? `${name} darf den Pool sehen und ändern` : `${name} sieht den Pool`,
  seeNoPool: (name) => `${name} sieht den Pool nicht`,
  inPool: (pool, sight) => `${pool} und davon ${part(sight, true)}`,
  onlyOpen: (name) => `${name} sieht nur, was alle ansehen dürfen`,
  onlyOpenUnless: (name) =>
    `${name} sieht nur, was alle ansehen dürfen, außer als Eigentümer oder Admin`,
  onlyNamed: (name) => `${name} sieht nur, was namentlich geteilt ist`,
  everyone: 'Jeder hier',
  onlyYou: 'Nur du',
  only: (name) => `Nur ${name}`,
  asBefore: (sentence) => `${sentence}, wie bisher`,
  more: (count) => plural(count, { one: '# weitere Person', other: '# weitere Personen' }),
  ended: (done, all) => `Nach ${done} von ${all} Bildern beendet`,
  progress: (done, all) => `${done} von ${all}`,
  partly: (done, all, reason) => `${done} von ${all} Bildern: ${reason}`,
  change: 'Ändern',
  shareWith: (names) => `Mit ${names} teilen`,
  retry: 'Noch einmal',
  toastNoUndo:
    'Teilen lässt sich nicht rückgängig machen; im selben Dialog nimmt man Personen wieder heraus.',
  gap: (count, names) =>
    plural(count, {
      one: `# Bild hier ist nicht mit denen geteilt, die diesen Pool sehen: ${names}`,
      other: `# Bilder hier sind nicht mit denen geteilt, die diesen Pool sehen: ${names}`,
    }),
  gaps: (parts) => `Nicht alle Bilder hier sind mit denen geteilt, die diesen Pool sehen: ${parts}`,
  lacks: (name, count) => `${name} fehlen ${number(count)}`,
  showAll: 'Allen zeigen',
  shareThem: 'Mit ihnen teilen',
}
