import { plural } from '../../base/text.ts'
import type { en } from '../en/pools.ts'

const pictures = (count: number) => plural(count, { one: '# Bild', other: '# Bilder' })

export const de: typeof en = {
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
  count: pictures,
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
    `${pictures(count)}, zwischen ${before} und ${behind} von ${total}`,
  atStart: (count) => `${pictures(count)}, am Anfang`,
  atEnd: (count) => `${pictures(count)}, am Ende`,
  held: (count) => `${pictures(count)} gehalten; tipp eine Nummer, oder Esc zum Loslassen`,
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
