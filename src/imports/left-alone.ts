/** Folders that storage boxes, systems and file managers keep among pictures: thumbnails, what was thrown away, and snapshots. */
export const LEFT_FOLDERS = [
  '@eaDir',
  '#recycle',
  '@Recycle',
  '$RECYCLE.BIN',
  'RECYCLER',
  'Network Trash Folder',
  'System Volume Information',
  'lost+found',
  '#snapshot',
  '@Recently-Snapshot',
  '~snapshot',
  'Thumbs',
  '.thumbnails',
  '__MACOSX',
]

/** What programs put behind the name of a file that they haven't finished. */
export const UNFINISHED = ['.part', '.partial', '.filepart', '.crdownload', '.download', '.tmp']

const FOLDERS = new Set(LEFT_FOLDERS.map((name) => name.toLowerCase()))

/** Returns whether no pictures of people are in a folder, by its name, in upper or lower case. */
export function isLeftAlone(folder: string): boolean {
  return FOLDERS.has(folder.toLowerCase())
}

/** Returns whether a file is only a part of one, by its name. */
export function isUnfinished(name: string): boolean {
  const lower = name.toLowerCase()
  return UNFINISHED.some((ending) => lower.endsWith(ending))
}
