import { plural } from '../../base/text.ts'
import type { en } from '../en/tag-page.ts'

const files = (count: number) => plural(count, { one: '# Datei', other: '# Dateien' })
const tags = (count: number) => plural(count, { one: '# Schlagwort', other: '# Schlagwörter' })

export const de: typeof en = {
  title: 'Schlagwörter ändern',
  keys: { '/': 'Schlagwort suchen', n: 'Neues Schlagwort' },
  heading: 'Schlagwörter',
  files,
  tags,
  find: 'Schlagwort suchen',
  findOne: (count) => plural(count, { one: '# Schlagwort suchen', other: 'Eines von # suchen' }),
  noneFound: 'Kein Schlagwort heißt so.',
  noTags: 'Noch keine Schlagwörter',
  whatFor: 'Schlagwörter sagen, was auf einem Bild ist: wer, wo, wozu.',
  order: 'Reihenfolge',
  byName: 'Nach Name',
  byCount: 'Nach Anzahl',
  newTag: 'Neues Schlagwort',
  newCategory: 'Neue Kategorie',
  make: 'Anlegen',
  edit: 'Bearbeiten',
  editCategory: (name) => `${name} bearbeiten`,
  noCategory: 'Ohne Kategorie',
  hasRules: 'hat Regeln',
  dropHint:
    'Ein Schlagwort auf eine Überschrift ziehen, um es dorthin zu verschieben, auf ein anderes, um beide zu vereinen.',
  seenByAll: 'von allen gesehen',
  seenBy: (names) => `gesehen von ${names}`,
  name: 'Name',
  category: 'Kategorie',
  ofCategory: 'Wie die Kategorie',
  noColor: 'Keine',
  notes: 'Notizen',
  change: 'Ändern',
  changeSeers: 'Ändern, wer es sehen darf',
  whoSees: 'Wer es sehen darf',
  everybody: 'Alle',
  onlyYou: 'Nur du',
  you: 'Du',
  of: (name) => `Es gehört ${name}`,
  mayEdit: (names, count) => `${names} ${count === 1 ? 'darf' : 'dürfen'} es ändern`,
  place: 'Platz unter den Kategorien',
  up: 'Nach oben',
  down: 'Nach unten',
  rules: 'Regeln',
  also: [' fügt auch ', ' hinzu'],
  ruleNamed: (when, then) => `${when} fügt auch ${then} hinzu`,
  haveIt: (count) => plural(count, { one: '# Datei hat es', other: '# Dateien haben es' }),
  offBoth: (count) => plural(count, { one: 'aus, # hat beide', other: 'aus, # haben beide' }),
  addToRest: (count) =>
    plural(count, { one: 'An # weiterer setzen', other: 'An # weiteren setzen' }),
  newRule: 'Neue Regel',
  tagToAdd: 'Schlagwort, das dazukommt',
  makeRule: 'Anlegen',
  deleteRule: (rule) => `Die Regel „${rule}“ löschen`,
  andNow: (name, count) =>
    plural(count, {
      one: `und jetzt auch an der # Datei von ${name}, der es fehlt`,
      other: `und jetzt auch an den # Dateien von ${name}, denen es fehlt`,
    }),
  ruleMade: (rule) => `Von jetzt an: ${rule}`,
  ruleApplied: (then, count) => `${then} ist an ${files(count)} mehr gesetzt`,
  ruleDeleted: (rule) => `Nicht mehr: ${rule}`,
  tooMany:
    'Aus einem Schlagwort dürfen höchstens 200 folgen, oder die Regel wurde inzwischen gelöscht.',
  mergeWithAnother: 'Mit einem anderen vereinen',
  mergeInto: 'Vereinen mit',
  otherTag: 'Anderes Schlagwort',
  merging: (into, { both, first }) =>
    `${plural(first, { one: '# Datei bekommt', other: '# Dateien bekommen' })} ${into}, ${plural(both, { one: '# hat es schon.', other: '# haben es schon.' })}`,
  keeps: (into, taken) =>
    taken === 0
      ? `${into} behält Namen, Notizen und Rechte.`
      : `${into} behält Namen, Notizen und Rechte und übernimmt ${plural(taken, { one: '# Regel', other: '# Regeln' })}.`,
  isGone: (tag) => `${tag} verschwindet; einmal Rückgängig bringt es zurück.`,
  merge: (tag, into, count) => `${tag} mit ${into} vereinen: ${files(count)}`,
  merged: (tag, into) => `${tag} ist mit ${into} vereint`,
  notMerged: (tag, into, reason) => `${tag} ist nicht mit ${into} vereint: ${reason}`,
  noMerge:
    'Aus einem Schlagwort würden mehr als 200 folgen, oder eines der beiden wird gerade vereint.',
  deleteTag: (name) => `${name} löschen`,
  loseIt: (count) =>
    plural(count, {
      one: '# Datei verliert es, keine wird gelöscht',
      other: '# Dateien verlieren es, keine wird gelöscht',
    }),
  stay: (count) =>
    plural(count, { one: 'Ihr # Schlagwort bleibt', other: 'Ihre # Schlagwörter bleiben' }),
  deleted: (name) => `${name} ist gelöscht`,
  notChanged: (name, reason) => `${name} bleibt, wie es war: ${reason}`,
  retry: 'Noch einmal versuchen',
}
