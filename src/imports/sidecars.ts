import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { groupedBy } from '../base/grouped.ts'
import { MAX_SIDECAR, type Sidecar } from '../media/description.ts'
import { SPELLINGS } from '../media/endings.ts'
import { MIME_TYPES } from '../media/sniff.ts'
import {
  type Beside,
  chunksOf,
  type FolderEntry,
  isSameFile,
  removeSource,
  type Seen,
} from './entries.ts'
import { REASONS } from './reasons.ts'
import type { HasWriter } from './rest.ts'
import type { Status } from './tree.ts'

/** A sidecar as it was read for a picture. */
export interface ReadSidecar {
  beside: Beside
  opened: Status
  sha256: Buffer
  sidecar: Sidecar
}

/** What was read beside a picture. */
export interface ReadBeside {
  sidecars: ReadSidecar[]
  /** The names of those that are too large to be read. */
  tooLarge: string[]
}

const TYPES = [...MIME_TYPES].map(([mime, ending]) => ({
  isFilm: mime.startsWith('video/'),
  endings: [ending, ...(SPELLINGS[ending] ?? [])],
}))
const endingsOf = (isFilm: boolean) =>
  new Set(TYPES.flatMap((type) => (type.isFilm === isFilm ? type.endings : [])).map((e) => `.${e}`))
const [PICTURES, FILMS] = [endingsOf(false), endingsOf(true)]
const XMP = /\.xmp$/i

/**
 * Gives pictures and films among the entries of folders their sidecars of XMP: `name.ext.xmp`, or `name.xmp` where only
 * one picture, or else one film, is called so. A sidecar that belongs to one is no entry to be imported any more.
 */
export function addSidecars(entries: FolderEntry[]): void {
  const folders = groupedBy(entries.filter(isFit), ({ folder }) => folder)
  for (const all of folders.values()) {
    const sidecars = all.filter(({ name }) => XMP.test(name))
    if (sidecars.length === 0) continue
    const others = all.filter(({ name }) => !XMP.test(name))
    const named = new Map(others.map((entry) => [entry.name, entry]))
    const stems = groupedBy(others, ({ name }) => name.slice(0, -extname(name).length || undefined))
    for (const entry of sidecars) {
      const stem = entry.name.replace(XMP, '')
      const picture = named.get(stem) ?? onlyOne(stems.get(stem) ?? [])
      if (picture) addSidecar({ kind: 'xmp', entry, pictures: new Set([picture]) })
    }
  }
}

/** Gives pictures a sidecar, which is no entry to be imported any more. */
export function addSidecar(beside: Beside): void {
  beside.entry.unfit = REASONS.sidecar
  for (const picture of beside.pictures) {
    picture.sidecars = [...(picture.sidecars ?? []), beside]
  }
}

function isFit({ unfit, failure }: FolderEntry): boolean {
  return unfit === null && failure === undefined
}

function onlyOne(entries: FolderEntry[]): FolderEntry | undefined {
  const ending = ({ name }: FolderEntry) => extname(name).toLowerCase()
  const pictures = entries.filter((entry) => PICTURES.has(ending(entry)))
  const films = entries.filter((entry) => FILMS.has(ending(entry)))
  const [one, ...more] = pictures.length > 0 ? pictures : films
  return more.length === 0 ? one : undefined
}

/**
 * Returns what the sidecars of a picture hold, without those that are gone; null when one has changed since it was
 * seen, or is being written. Throws the file system's errors.
 */
export async function readSidecars(
  { sidecars = [] }: FolderEntry,
  hasWriter: HasWriter,
): Promise<ReadBeside | null> {
  const read: ReadBeside = { sidecars: [], tooLarge: [] }
  for (const beside of sidecars) {
    const { entry, kind } = beside
    if (entry.seen.size > MAX_SIDECAR) {
      read.tooLarge.push(entry.name)
      continue
    }
    const source = await entry.folder.open(entry.raw)
    if (!source) continue
    try {
      const opened = await source.stat()
      const isFit = opened.isFile() && isSameFile(opened, entry.seen)
      if (!isFit || (await hasWriter(entry.raw, opened))) return null
      const chunks: Buffer[] = []
      for await (const chunk of chunksOf(source)) chunks.push(Buffer.from(chunk))
      const bytes = Buffer.concat(chunks)
      if (bytes.length !== opened.size) return null
      const sha256 = createHash('sha256').update(bytes).digest()
      const sidecar = { kind, base64: bytes.toString('base64') }
      read.sidecars.push({ beside, opened, sha256, sidecar })
    } finally {
      await source.close()
    }
  }
  return read
}

/** Returns the SHA-256 of all sidecars together, or null when there are none. */
export function digestOfAll({ sidecars }: ReadBeside): Buffer | null {
  if (sidecars.length === 0) return null
  const hash = createHash('sha256')
  for (const { sha256 } of sidecars) hash.update(sha256)
  return hash.digest()
}

/**
 * Removes the sidecars of a picture that is about to be removed, unless they belong to others that are still there.
 * Returns whether they are gone: false when one has changed. `lookAgain` looks at it once more.
 */
export async function removeSidecars(
  picture: FolderEntry,
  { sidecars }: ReadBeside,
  lookAgain: (read: ReadSidecar) => Promise<Seen | string>,
): Promise<boolean> {
  for (const read of sidecars) {
    const { entry, kind, pictures } = read.beside
    // The library doesn't hold all that a service writes there.
    if (kind === 'json' || [...pictures].some((other) => other !== picture)) continue
    const seen = await lookAgain(read)
    if (typeof seen === 'string' || !(await removeSource(entry, seen))) return false
  }
  return true
}
