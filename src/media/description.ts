import type { ReadDate } from './dates.ts'

/** What the bytes of a picture and the files beside it say of it, as people or their programs wrote it. */
export interface Description {
  /** Tags as ways down a tree: the levels of each, from the top one. */
  paths: string[][]
  people: string[]
  /** 1 to 5; null for none, 0 and rejected. */
  rating: number | null
  label: string | null
  caption: string | null
  /** Of a sidecar alone: when it was taken. `isUtc` when it is a moment whose clock nobody knows, as in Takeout. */
  date: (Pick<ReadDate, 'clock' | 'offset' | 'precision'> & { isUtc: boolean }) | null
  /** Of a sidecar alone, in degrees. */
  position: { latitude: number; longitude: number } | null
  /** What sidecars of services say of one person's library. */
  isFavorite: boolean
  isArchived: boolean
  isTrashed: boolean
  isPartners: boolean
  /** How many keywords and names were too long, too deep or too many. */
  leftOut: number
  /** The fields that said something, as `XMP digiKam:TagsList`, in the order of the table of sources. */
  from: string[]
}

/** A file beside a picture that describes it, in base64; at most `MAX_SIDECAR` bytes of it are read. */
export interface Sidecar {
  kind: 'xmp' | 'json'
  base64: string
}

/** In bytes; a larger one is not read. */
export const MAX_SIDECAR = 2 ** 20

/** In a description: its paths, and its people. */
export const MAX_KEYWORDS = 2000
/** Of a path. */
export const MAX_LEVELS = 16
/** In characters. */
export const MAX_LEVEL = 256
/** In UTF-16 units; a longer caption is cut. */
export const MAX_CAPTION = 2 ** 14

/** Returns the description of what says nothing. */
export function nothingSaid(): Description {
  return {
    paths: [],
    people: [],
    rating: null,
    label: null,
    caption: null,
    date: null,
    position: null,
    isFavorite: false,
    isArchived: false,
    isTrashed: false,
    isPartners: false,
    leftOut: 0,
    from: [],
  }
}
