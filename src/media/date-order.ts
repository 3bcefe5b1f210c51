/**
 * The sources of dates, the best one first. A file gets the first of its dates that is plausible; one that a person
 * gives comes before all.
 */
const SOURCES = [
  // Of pictures
  'EXIF DateTimeOriginal',
  'XMP exif:DateTimeOriginal',
  'XMP photoshop:DateCreated',
  'IPTC DateCreated and TimeCreated',
  'PNG Creation Time',
  'EXIF DateTimeDigitized',
  'XMP xmp:CreateDate',
  'XMP exif:DateTimeDigitized',
  'GPS date and time',
  'EXIF DateTime',
  // Of films
  'tags of a film',
  'headers of a film',
  // Often that of a publication
  'a year or month in tags of a film',
  // Beside the content
  'the name',
  'the last change of the source',
] as const

/** What was read from some of the sources of dates. */
export type BySource<Dated> = Partial<Record<(typeof SOURCES)[number], Dated[]>>

/** Returns what was read from the sources, the best one first. */
export function inOrder<Dated>(found: BySource<Dated>): Dated[] {
  return SOURCES.flatMap((source) => found[source] ?? [])
}
