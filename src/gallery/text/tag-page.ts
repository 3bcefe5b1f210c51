import { plural, text } from '../base/text.ts'

const files = (count: number) => plural(count, { one: '# photo', other: '# photos' })
const tags = (count: number) => plural(count, { one: '# tag', other: '# tags' })

const en = {
  title: 'Tags page',
  keys: { '/': 'Find a tag', n: 'New tag' },
  heading: 'Tags',
  files,
  tags,
  find: 'Find a tag',
  findOne: (count: number) =>
    plural(count, { one: 'Find one of # tag', other: 'Find one of # tags' }),
  noneFound: 'No tag has that name.',
  noTags: 'No tags yet',
  whatFor: 'Tags say what is in a photo: who, where, what for.',
  order: 'Order',
  byName: 'By name',
  byCount: 'By count',
  newTag: 'New tag',
  newCategory: 'New category',
  make: 'Create',
  edit: 'Edit',
  editCategory: (name: string) => `Edit ${name}`,
  noCategory: 'No category',
  hasRules: 'has rules',
  dropHint: 'Drop a tag on a heading to move it there, on another tag to merge the two.',
  seenByAll: 'seen by everybody',
  seenBy: (names: string) => `seen by ${names}`,
  closed: (count: number) =>
    plural(count, {
      one: 'Not everybody here sees # of your tags and categories.',
      other: 'Not everybody here sees # of your tags and categories.',
    }),
  chooseOpen: 'Choose which to open',
  leaveClosed: 'Leave them',
  openTags: 'Open tags to everybody',
  all: 'All',
  open: (count: number) =>
    plural(count, { one: 'Show # to everybody', other: 'Show # to everybody' }),
  opened: (count: number) =>
    plural(count, {
      one: '# is now visible to everybody',
      other: '# are now visible to everybody',
    }),
  name: 'Name',
  category: 'Category',
  ofCategory: 'Same as the category',
  noColor: 'None',
  notes: 'Notes',
  change: 'Change',
  changeSeers: 'Change who may see it',
  whoSees: 'Who may see it',
  everybody: 'Everybody',
  onlyYou: 'Only you',
  you: 'You',
  of: (name: string) => `It is ${name}’s`,
  mayEdit: (names: string, _count: number) => `${names} may edit`,
  place: 'Place among the categories',
  up: 'Move up',
  down: 'Move down',
  rules: 'Rules',
  /** The words between the tags of a rule, and after them. */
  also: [' also adds ', ''] as readonly [string, string],
  ruleNamed: (when: string, then: string) => `${when} also adds ${then}`,
  haveIt: (count: number) => plural(count, { one: '# photo has it', other: '# photos have it' }),
  offBoth: (count: number) => plural(count, { one: 'off, # has both', other: 'off, # have both' }),
  addToRest: (count: number) => plural(count, { one: 'Add to # more', other: 'Add to # more' }),
  newRule: 'New rule',
  tagToAdd: 'Tag to add',
  makeRule: 'Create',
  deleteRule: (rule: string) => `Delete the rule “${rule}”`,
  andNow: (name: string, count: number) =>
    plural(count, {
      one: `and to the # photo of ${name} that lacks it, now`,
      other: `and to the # photos of ${name} that lack it, now`,
    }),
  ruleMade: (rule: string) => `From now on, ${rule}`,
  ruleApplied: (then: string, count: number) => `${then} is on ${files(count)} more`,
  ruleDeleted: (rule: string) => `No longer: ${rule}`,
  tooMany: 'One tag can add at most 200 others, or the rule was deleted in the meantime.',
  mergeWithAnother: 'Merge with another tag',
  mergeInto: 'Merge into',
  otherTag: 'Another tag',
  /** `first` files have the first tag alone. */
  merging: (into: string, { both, first }: { both: number; first: number }) =>
    `${plural(first, { one: '# photo gets', other: '# photos get' })} ${into}, ${plural(both, { one: '# has it already.', other: '# have it already.' })}`,
  keeps: (into: string, taken: number) =>
    taken === 0
      ? `${into} keeps its name, notes and rights.`
      : `${into} keeps its name, notes and rights, and takes over ${plural(taken, { one: '# rule', other: '# rules' })}.`,
  isGone: (tag: string) => `${tag} is gone; one undo brings it back.`,
  merge: (count: number) => `Merge: ${files(count)}`,
  merged: (tag: string, into: string) => `${tag} is merged into ${into}`,
  notMerged: (tag: string, into: string, reason: string) =>
    `${tag} is not merged into ${into}: ${reason}`,
  noMerge: 'One tag would add more than 200 others, or one of the two is already being merged.',
  delete: 'Delete',
  loseIt: (count: number) =>
    plural(count, {
      one: '# photo loses it, none is deleted',
      other: '# photos lose it, none is deleted',
    }),
  stay: (count: number) => plural(count, { one: 'Its # tag stays', other: 'Its # tags stay' }),
  deleted: (name: string) => `${name} is deleted`,
  notChanged: (name: string, reason: string) => `${name} stays as it was: ${reason}`,
  retry: 'Try again',
}

const filesInGerman = (count: number) => plural(count, { one: '# Foto', other: '# Fotos' })
const tagsInGerman = (count: number) =>
  plural(count, { one: '# Schlagwort', other: '# Schlagwörter' })

const de: typeof en = {
  title: 'Schlagwörter ändern',
  keys: { '/': 'Schlagwort suchen', n: 'Neues Schlagwort' },
  heading: 'Schlagwörter',
  files: filesInGerman,
  tags: tagsInGerman,
  find: 'Schlagwort suchen',
  findOne: (count) => plural(count, { one: '# Schlagwort suchen', other: 'Eines von # suchen' }),
  noneFound: 'Kein Schlagwort heißt so.',
  noTags: 'Noch keine Schlagwörter',
  whatFor: 'Schlagwörter sagen, was auf einem Foto ist: wer, wo, wozu.',
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
  closed: (count) =>
    plural(count, {
      one: '# deiner Schlagwörter und Kategorien ist nicht für alle sichtbar.',
      other: '# deiner Schlagwörter und Kategorien sind nicht für alle sichtbar.',
    }),
  chooseOpen: 'Auswählen, was alle sehen',
  leaveClosed: 'So lassen',
  openTags: 'Schlagwörter für alle öffnen',
  all: 'Alle',
  open: (count) => plural(count, { one: '# öffnen', other: '# öffnen' }),
  opened: (count) =>
    plural(count, {
      one: '# ist jetzt für alle sichtbar',
      other: '# sind jetzt für alle sichtbar',
    }),
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
  haveIt: (count) => plural(count, { one: '# Foto hat es', other: '# Fotos haben es' }),
  offBoth: (count) => plural(count, { one: 'aus, # hat beide', other: 'aus, # haben beide' }),
  addToRest: (count) =>
    plural(count, { one: 'An # weiterer setzen', other: 'An # weiteren setzen' }),
  newRule: 'Neue Regel',
  tagToAdd: 'Schlagwort, das dazukommt',
  makeRule: 'Anlegen',
  deleteRule: (rule) => `Die Regel „${rule}“ löschen`,
  andNow: (name, count) =>
    plural(count, {
      one: `und jetzt auch an dem # Foto von ${name}, dem es fehlt`,
      other: `und jetzt auch an den # Fotos von ${name}, denen es fehlt`,
    }),
  ruleMade: (rule) => `Von jetzt an: ${rule}`,
  ruleApplied: (then, count) => `${then} ist an ${filesInGerman(count)} mehr gesetzt`,
  ruleDeleted: (rule) => `Nicht mehr: ${rule}`,
  tooMany:
    'Aus einem Schlagwort dürfen höchstens 200 folgen, oder die Regel wurde inzwischen gelöscht.',
  mergeWithAnother: 'Mit einem anderen vereinen',
  mergeInto: 'Vereinen mit',
  otherTag: 'Anderes Schlagwort',
  merging: (into, { both, first }) =>
    `${plural(first, { one: '# Foto bekommt', other: '# Fotos bekommen' })} ${into}, ${plural(both, { one: '# hat es schon.', other: '# haben es schon.' })}`,
  keeps: (into, taken) =>
    taken === 0
      ? `${into} behält Namen, Notizen und Rechte.`
      : `${into} behält Namen, Notizen und Rechte und übernimmt ${plural(taken, { one: '# Regel', other: '# Regeln' })}.`,
  isGone: (tag) => `${tag} verschwindet; einmal Rückgängig bringt es zurück.`,
  merge: (count) => `Vereinen: ${filesInGerman(count)}`,
  merged: (tag, into) => `${tag} ist mit ${into} vereint`,
  notMerged: (tag, into, reason) => `${tag} ist nicht mit ${into} vereint: ${reason}`,
  noMerge:
    'Aus einem Schlagwort würden mehr als 200 folgen, oder eines der beiden wird gerade vereint.',
  delete: 'Löschen',
  loseIt: (count) =>
    plural(count, {
      one: '# Foto verliert es, keines wird gelöscht',
      other: '# Fotos verlieren es, keines wird gelöscht',
    }),
  stay: (count) =>
    plural(count, { one: 'Ihr # Schlagwort bleibt', other: 'Ihre # Schlagwörter bleiben' }),
  deleted: (name) => `${name} ist gelöscht`,
  notChanged: (name, reason) => `${name} bleibt, wie es war: ${reason}`,
  retry: 'Noch einmal versuchen',
}

export const tagPage = text({ en, de })
