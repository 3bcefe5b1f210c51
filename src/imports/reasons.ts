/** Why an entry of an import folder is not imported, in the words of the API, or its source stays. */
export const REASONS = {
  link: 'a symbolic link',
  folder: 'a folder',
  tooFarDown: 'a folder too far down',
  leftAlone: 'a folder of thumbnails, snapshots or what was thrown away',
  backups: 'a folder of backups',
  otherLibrary: 'another library',
  noFile: 'not a regular file',
  hidden: 'hidden',
  empty: 'empty',
  unfinished: 'a part of a file',
  stillWritten: 'still being written',
  gone: 'no longer there',
  /** A file has the content already. */
  here: 'already here',
  /** The journal names the source. */
  imported: 'already imported',
  deleted: 'its file in the library was deleted meanwhile',
  changed: 'the source has changed meanwhile, so it stays',
  notRemoved: 'the source could not be removed',
  damaged: "its content in the library is damaged or can't be read, so the source stays",
  movedFolder: 'the folder is no longer where it was',
  movedFile: 'the file is no longer where it was',
  denied: 'permission denied',
  readOnly: 'the folder is read-only',
  diskFull: 'the disk of the server is full',
} as const
