import { plural, text } from '../base/text.ts'

const pictures = (count: number) => plural(count, { one: '# picture', other: '# pictures' })

const en = {
  pools: 'Pools',
  allPools: 'All pools',
  find: (count: number) =>
    plural(count, { one: 'Find one of # pool', other: 'Find one of # pools' }),
  findLabel: 'Find a pool',
  make: 'New pool',
  name: 'Name',
  makeIt: 'Create',
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
  turn: (order: string) => `${order}: reverse the order`,
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
    'By hand: drag pictures, or move them with Ctrl Shift and the arrows. In other orders the files decide their own places, so nothing can be dragged.',
  byHandTouch:
    'By hand: hold a picture, then drag. Other orders follow the files, so nothing can be dragged.',
  byFiles: (order: string) =>
    `${order}: the files decide their own places, so nothing can be dragged. Choose “By hand” to arrange them.`,
  viewOnly: (name: string) =>
    `This pool belongs to ${name}. You can’t change it, so nothing can be dragged.`,
  noPools: 'No pools yet',
  noPoolsHint: 'A pool holds pictures in an order of your own: a journey, a calendar, an album.',
  noneFound: 'No pool has that name',
  empty: 'This pool is empty',
  emptyHint: 'Select pictures among the photos and press P.',
  emptyViewed: 'Or nothing in it is shared with you.',
  toPhotos: 'Go to the photos',
  gone: 'This pool is gone',
  goneHint: 'Somebody deleted it, or it is no longer shared with you.',
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
  takeOut: 'Remove from the pool',
  moveTitle: (count: number) => plural(count, { one: 'Move # picture', other: 'Move # pictures' }),
  beforeNumber: (total: string) => `Before number (1 to ${total}; more for the end)`,
  move: 'Move',
  between: (count: number, before: string, behind: string, total: string) =>
    `${pictures(count)}, between ${before} and ${behind} of ${total}`,
  atStart: (count: number) => `${pictures(count)}, at the beginning`,
  atEnd: (count: number) => `${pictures(count)}, at the end`,
  held: (count: number) => `${pictures(count)} held; type a number, or Esc to let go`,
  areMoved: (count: number) => plural(count, { one: '# picture moved', other: '# pictures moved' }),
  notMoved: (reason: string) => `Not moved: ${reason}`,
  changedSince: 'somebody has changed this pool; it is shown as it is now.',
  title: 'Pools',
  keys: {
    'Ctrl+Shift+ArrowLeft': 'Move one place to the left',
    'Ctrl+Shift+ArrowRight': 'Move one place to the right',
    'Ctrl+Shift+ArrowUp': 'Move a row up',
    'Ctrl+Shift+ArrowDown': 'Move a row down',
    'Ctrl+Shift+Home': 'Move to the beginning',
    'Ctrl+Shift+End': 'Move to the end',
    '/': 'Find a pool, or filter one',
  },
}

const picturesInGerman = (count: number) => plural(count, { one: '# Bild', other: '# Bilder' })

const de: typeof en = {
  pools: 'Pools',
  allPools: 'Alle Pools',
  find: (count) =>
    plural(count, { one: 'Einen von # Pool finden', other: 'Einen von # Pools finden' }),
  findLabel: 'Einen Pool finden',
  make: 'Neuer Pool',
  name: 'Name',
  makeIt: 'Anlegen',
  rename: 'Umbenennen',
  delete: 'Pool löschen',
  more: 'Mehr zu diesem Pool',
  order: 'Reihenfolge',
  listOrders: { created: 'Neueste', name: 'Name', size: 'Größe' },
  orders: {
    manual: 'Von Hand',
    content_datetime: 'Aufnahme',
    created: 'Hinzugefügt',
    original_name: 'Name',
  },
  turn: (order) => `${order}: andersherum`,
  count: picturesInGerman,
  files: (count) => plural(count, { one: '# Datei', other: '# Dateien' }),
  seenBy: 'Zu sehen für',
  everybody: 'Alle',
  onlyYou: 'Nur du',
  only: (name) => `Nur ${name}`,
  from: (name) => `Du, von ${name}`,
  slideshow: 'Diaschau',
  filter: 'Diesen Pool filtern',
  byHand:
    'Von Hand: Zieh Bilder, oder beweg sie mit Strg Umschalt und den Pfeilen. In den anderen Reihenfolgen sagen die Dateien, wo sie stehen; dann lässt sich nichts ziehen.',
  byHandTouch:
    'Von Hand: Halte ein Bild, dann zieh es. Andere Reihenfolgen folgen den Dateien; dann lässt sich nichts ziehen.',
  byFiles: (order) =>
    `${order}: Die Dateien sagen, wo sie stehen; darum lässt sich nichts ziehen. Wähle „Von Hand“, um sie zu ordnen.`,
  viewOnly: (name) =>
    `Dieser Pool gehört ${name} und darf von dir nicht geändert werden: Es lässt sich nichts ziehen.`,
  noPools: 'Noch keine Pools',
  noPoolsHint:
    'Ein Pool hält Bilder in einer eigenen Reihenfolge: eine Reise, einen Kalender, ein Album.',
  noneFound: 'Kein Pool heißt so',
  empty: 'In diesem Pool ist nichts',
  emptyHint: 'Wähle Bilder unter den Fotos aus und drück P.',
  emptyViewed: 'Oder nichts davon ist für dich zu sehen.',
  toPhotos: 'Zu den Fotos',
  gone: 'Diesen Pool gibt es nicht mehr',
  goneHint: 'Jemand hat ihn gelöscht, oder er ist für dich nicht mehr zu sehen.',
  deleteTitle: (name) => `„${name}“ löschen?`,
  deleteHint: (count) =>
    plural(count, {
      one: 'Seine # Datei bleibt unter den Fotos.',
      other: 'Seine # Dateien bleiben unter den Fotos.',
    }),
  deleted: (name) => `„${name}“ ist gelöscht`,
  inPool: 'In diesem Pool',
  toStart: 'An den Anfang',
  toEnd: 'Ans Ende',
  toNumber: 'Vor Nummer …',
  takeOut: 'Aus dem Pool nehmen',
  moveTitle: (count) => plural(count, { one: '# Bild bewegen', other: '# Bilder bewegen' }),
  beforeNumber: (total) => `Vor Nummer (1 bis ${total}; mehr fürs Ende)`,
  move: 'Bewegen',
  between: (count, before, behind, total) =>
    `${picturesInGerman(count)}, zwischen ${before} und ${behind} von ${total}`,
  atStart: (count) => `${picturesInGerman(count)}, am Anfang`,
  atEnd: (count) => `${picturesInGerman(count)}, am Ende`,
  held: (count) => `${picturesInGerman(count)} gehalten; tipp eine Nummer, oder Esc zum Loslassen`,
  areMoved: (count) =>
    plural(count, { one: '# Bild wurde bewegt', other: '# Bilder wurden bewegt' }),
  notMoved: (reason) => `Nicht bewegt: ${reason}`,
  changedSince: 'Jemand hat diesen Pool geändert; zu sehen ist er, wie er jetzt ist.',
  title: 'Pools',
  keys: {
    'Ctrl+Shift+ArrowLeft': 'Einen Platz nach links bewegen',
    'Ctrl+Shift+ArrowRight': 'Einen Platz nach rechts bewegen',
    'Ctrl+Shift+ArrowUp': 'Eine Zeile nach oben bewegen',
    'Ctrl+Shift+ArrowDown': 'Eine Zeile nach unten bewegen',
    'Ctrl+Shift+Home': 'An den Anfang bewegen',
    'Ctrl+Shift+End': 'Ans Ende bewegen',
    '/': 'Einen Pool finden oder filtern',
  },
}

export const pools = text({ en, de })
