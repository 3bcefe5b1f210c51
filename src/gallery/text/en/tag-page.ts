import { plural } from '../../base/text.ts'

const files = (count: number) => plural(count, { one: '# file', other: '# files' })
const tags = (count: number) => plural(count, { one: '# tag', other: '# tags' })

export const en = {
  title: 'Tags page',
  keys: { '/': 'Find a tag', n: 'New tag' },
  heading: 'Tags',
  files,
  tags,
  find: 'Find a tag',
  findOne: (count: number) =>
    plural(count, { one: 'Find one of # tag', other: 'Find one of # tags' }),
  noneFound: 'No tag of that name.',
  noTags: 'No tags yet',
  whatFor: 'Tags say what is in a picture: who, where, what for.',
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
  name: 'Name',
  category: 'Category',
  ofCategory: 'That of the category',
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
  haveIt: (count: number) => plural(count, { one: '# file has it', other: '# files have it' }),
  offBoth: (count: number) => plural(count, { one: 'off, # has both', other: 'off, # have both' }),
  addToRest: (count: number) => plural(count, { one: 'Add to # more', other: 'Add to # more' }),
  newRule: 'New rule',
  tagToAdd: 'Tag to add',
  makeRule: 'Make',
  deleteRule: (rule: string) => `Delete the rule “${rule}”`,
  andNow: (name: string, count: number) =>
    plural(count, {
      one: `and to the # file of ${name} that lacks it, now`,
      other: `and to the # files of ${name} that lack it, now`,
    }),
  ruleMade: (rule: string) => `From now on, ${rule}`,
  ruleApplied: (then: string, count: number) => `${then} is on ${files(count)} more`,
  ruleDeleted: (rule: string) => `No longer: ${rule}`,
  tooMany: 'At most 200 tags may follow from one, or the rule was taken away meanwhile.',
  mergeWithAnother: 'Merge with another tag',
  mergeInto: 'Merge into',
  otherTag: 'Another tag',
  /** `first` files have the first tag alone. */
  merging: (into: string, { both, first }: { both: number; first: number }) =>
    `${plural(first, { one: '# file gets', other: '# files get' })} ${into}, ${plural(both, { one: '# has it already.', other: '# have it already.' })}`,
  keeps: (into: string, taken: number) =>
    taken === 0
      ? `${into} keeps its name, notes and rights.`
      : `${into} keeps its name, notes and rights, and takes over ${plural(taken, { one: '# rule', other: '# rules' })}.`,
  isGone: (tag: string) => `${tag} is gone; one undo brings it back.`,
  merge: (tag: string, into: string, count: number) => `Merge ${tag} into ${into}: ${files(count)}`,
  merged: (tag: string, into: string) => `${tag} is merged into ${into}`,
  notMerged: (tag: string, into: string, reason: string) =>
    `${tag} is not merged into ${into}: ${reason}`,
  noMerge: 'More than 200 tags would follow from one, or one of the two is just being merged.',
  deleteTag: (name: string) => `Delete ${name}`,
  loseIt: (count: number) =>
    plural(count, {
      one: '# file loses it, none is deleted',
      other: '# files lose it, none is deleted',
    }),
  stay: (count: number) => plural(count, { one: 'Its # tag stays', other: 'Its # tags stay' }),
  deleted: (name: string) => `${name} is deleted`,
  notChanged: (name: string, reason: string) => `${name} stays as it was: ${reason}`,
  retry: 'Try again',
}
