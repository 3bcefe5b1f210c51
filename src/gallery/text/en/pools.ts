import { plural } from '../../base/text.ts'

const pictures = (count: number) => plural(count, { one: '# picture', other: '# pictures' })

export const en = {
  pools: 'Pools',
  allPools: 'All pools',
  find: (count: number) =>
    plural(count, { one: 'Find one of # pool', other: 'Find one of # pools' }),
  findLabel: 'Find a pool',
  make: 'New pool',
  name: 'Name',
  makeIt: 'Make it',
  rename: 'Rename',
  delete: 'Delete the pool',
  more: 'More about this pool',
  order: 'Order',
  listOrders: { created: 'Newest', name: 'Name', size: 'Size' },
  orders: {
    manual: 'By hand',
    content_datetime: 'Date taken',
    created: 'Date added',
    original_name: 'Name',
  },
  turn: (order: string) => `${order}: the other way round`,
  count: pictures,
  files: (count: number) => plural(count, { one: '# file', other: '# files' }),
  seenBy: 'Seen by',
  everybody: 'Everybody',
  onlyYou: 'Only you',
  only: (name: string) => `Only ${name}`,
  from: (name: string) => `You, from ${name}`,
  slideshow: 'Slideshow',
  filter: 'Filter this pool',
  byHand:
    'By hand: drag pictures, or move them with Ctrl Shift and the arrows. In the other orders the files say where they stand, so nothing can be dragged.',
  byHandTouch:
    'By hand: hold a picture, then drag. Other orders follow the files, so nothing can be dragged.',
  byFiles: (order: string) =>
    `${order}: the files say where they stand, so nothing can be dragged. Choose “By hand” to arrange them.`,
  viewOnly: (name: string) =>
    `This pool belongs to ${name}, who hasn’t let you change it: nothing can be dragged.`,
  noPools: 'No pools yet',
  noPoolsHint: 'A pool holds pictures in an order of your own: a journey, a calendar, an album.',
  noneFound: 'No pool has such a name',
  empty: 'Nothing is in this pool',
  emptyHint: 'Select pictures among the photos and press P.',
  emptyViewed: 'Or nothing of it is shown to you.',
  toPhotos: 'Go to the photos',
  gone: 'This pool is gone',
  goneHint: 'Somebody has deleted it, or it is no longer shown to you.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteHint: (count: number) =>
    plural(count, {
      one: 'Its # file stays among the photos.',
      other: 'Its # files stay among the photos.',
    }),
  deleted: (name: string) => `“${name}” is deleted`,
  inPool: 'In this pool',
  toStart: 'Move to the beginning',
  toEnd: 'Move to the end',
  toNumber: 'Move before number …',
  takeOut: 'Take out of the pool',
  moveTitle: (count: number) => plural(count, { one: 'Move # picture', other: 'Move # pictures' }),
  beforeNumber: (total: string) => `Before number (1 to ${total}; more for the end)`,
  move: 'Move',
  between: (count: number, before: string, behind: string, total: string) =>
    `${pictures(count)}, between ${before} and ${behind} of ${total}`,
  atStart: (count: number) => `${pictures(count)}, at the beginning`,
  atEnd: (count: number) => `${pictures(count)}, at the end`,
  held: (count: number) => `${pictures(count)} held; type a number, or Esc to let go`,
  areMoved: (count: number) =>
    plural(count, { one: '# picture has moved', other: '# pictures have moved' }),
  notMoved: (reason: string) => `Not moved: ${reason}`,
  changedSince: 'somebody has changed this pool; it is shown as it is now.',
  title: 'Pools',
  keys: {
    'Ctrl+Shift+ArrowLeft': 'Move one place on to the left',
    'Ctrl+Shift+ArrowRight': 'Move one place on to the right',
    'Ctrl+Shift+ArrowUp': 'Move a row up',
    'Ctrl+Shift+ArrowDown': 'Move a row down',
    'Ctrl+Shift+Home': 'Move to the beginning',
    'Ctrl+Shift+End': 'Move to the end',
    '/': 'Find a pool, or filter one',
  },
}
