// The endings of the names of files, without a dot, for the server and the gallery.

/** The accepted MIME types of RAW files with the extension of each. */
export const RAW_TYPES: ReadonlyMap<string, string> = new Map([
  ['image/x-adobe-dng', 'dng'],
  ['image/x-canon-cr2', 'cr2'],
  ['image/x-canon-cr3', 'cr3'],
  ['image/x-nikon-nef', 'nef'],
  ['image/x-sony-arw', 'arw'],
  ['image/x-olympus-orf', 'orf'],
  ['image/x-fuji-raf', 'raf'],
  ['image/x-panasonic-rw2', 'rw2'],
  ['image/x-pentax-pef', 'pef'],
])

/** Further endings of files, by the extension of their type. */
export const SPELLINGS: Record<string, string[]> = {
  jpg: ['jpeg', 'jpe', 'jfif'],
  png: ['apng'],
  heic: ['heif', 'hif'],
  heif: ['heic', 'hif', 'avci'],
  tif: ['tiff'],
  nef: ['nrw'],
  rw2: ['raw', 'rwl'],
  mp4: ['m4v'],
  m4v: ['mp4'],
  mov: ['qt'],
  '3gp': ['3gpp'],
  mpg: ['mpeg', 'mpe'],
  mts: ['m2ts', 'm2t', 'ts'],
}
