import { basename, dirname, join } from 'node:path'
import { nfc } from '../../base/text.ts'
import { chunksOf, type FolderEntry } from '../entries.ts'
import { REASONS } from '../reasons.ts'
import { addSidecar } from '../sidecars.ts'
import { isJson, isOfYear, pairByTitle, pairJson, setOf } from './names.ts'
import { ALBUM_FILES } from './words.ts'

// In bytes; what Google writes of a picture or an album has a few thousand.
const MAX_READ = 2 ** 18
// How many files that go by the name of sidecars are read, to see whether a service wrote them.
const MANY = 3
// Ente's folders for sidecars, and for what is in no album.
const [METADATA, NO_ALBUM] = ['metadata', 'Uncategorized']
// The folder into which Ente moves what was deleted after an export of it (exportTrashDirectoryName in its
// web/packages/gallery/export-dirs.ts).
const TRASH = 'Trash'
const ALBUM_NAMES = new Set(ALBUM_FILES.map(([name]) => name.toLowerCase()))

/** A folder of an export, put together again from its parts. */
interface Group {
  place: string
  /** Those that may be imported, by name; each part of an export may have one. */
  entries: Map<string, FolderEntry[]>
}

interface Found {
  group: Group
  /** The sidecars, with the names of what they describe. */
  sidecars: Map<FolderEntry, string[]>
  isEnte: boolean
}

/**
 * Gives pictures and films in exports of Google Photos and Ente the sidecars and the album that these name for them. A
 * folder is one of an export when a sidecar in it says when a picture was taken, or when it lies beside such a folder.
 * Stops once `isOver` returns true.
 */
export async function addExports(entries: FolderEntry[], isOver: () => boolean): Promise<void> {
  const groups = groupsOf(entries)
  const exported: Found[] = []
  const roots = new Set<string>()
  for (const group of groups.values()) {
    if (isOver()) return
    const found = await pairsIn(group, groups.get(`${group.place}/${METADATA}`), isOver)
    if (!(await isExport(found))) continue
    exported.push(found)
    roots.add(dirname(group.place))
  }
  const ente = exported.filter(({ isEnte }) => isEnte)
  const deleted = [...new Set(ente.map(({ group }) => join(dirname(group.place), TRASH)))]
  for (const { place, entries: trashed } of groups.values()) {
    if (!deleted.some((trash) => `${place}/`.startsWith(`${trash}/`))) continue
    for (const entry of [...trashed.values()].flat()) entry.unfit = REASONS.trashed
  }
  const known = new Set(exported.map(({ group }) => group))
  for (const group of groups.values()) {
    const isBeside = roots.has(dirname(group.place)) && basename(group.place) !== METADATA
    if (isBeside && !known.has(group)) {
      exported.push({ group, sidecars: new Map(), isEnte: false })
    }
  }
  for (const found of exported) {
    if (isOver()) return
    await addFound(found)
  }
}

function groupsOf(entries: FolderEntry[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    if (entry.unfit !== null || entry.failure) continue
    // People unpack the parts of an export side by side.
    const names = dirname(entry.known).split('/')
    const place = names.map((name) => setOf(name) ?? name).join('/')
    const group = groups.get(place) ?? { place, entries: new Map() }
    groups.set(place, group)
    const named = group.entries.get(entry.name)
    if (named) named.push(entry)
    else group.entries.set(entry.name, [entry])
  }
  return groups
}

async function pairsIn(
  group: Group,
  metadata: Group | undefined,
  isOver: () => boolean,
): Promise<Found> {
  const sidecars = new Map<FolderEntry, string[]>()
  const add = (name: string, sidecar: FolderEntry) =>
    sidecars.set(sidecar, [...(sidecars.get(sidecar) ?? []), name])
  const names = [...group.entries.keys()]
  const { sidecars: byName, unsure } = pairJson(names)
  for (const one of unsure) {
    const titles = new Map<string, string>()
    for (const name of one.sidecars) {
      if (isOver()) break
      const title = textOf(await readJson(group.entries.get(name)![0]!), 'title')
      if (title) titles.set(name, title)
    }
    for (const [picture, sidecar] of pairByTitle(one, titles)) byName.set(picture, sidecar)
  }
  for (const [name, sidecar] of byName) add(name, group.entries.get(sidecar)![0]!)
  const ente = names.flatMap((name) => {
    const sidecar = metadata?.entries.get(`${name}.json`)?.[0]
    return sidecar && !isJson(name) ? [{ name, sidecar }] : []
  })
  for (const { name, sidecar } of ente) add(name, sidecar)
  return { group, sidecars, isEnte: ente.length > 0 }
}

async function isExport({ sidecars }: Found): Promise<boolean> {
  for (const sidecar of [...sidecars.keys()].slice(0, MANY)) {
    const file = await readJson(sidecar)
    const times = [fieldOf(file, 'photoTakenTime'), fieldOf(file, 'creationTime')]
    if (times.some((time) => fieldOf(time, 'timestamp') !== undefined)) return true
  }
  return false
}

async function addFound({ group, sidecars, isEnte }: Found): Promise<void> {
  const { place, entries } = group
  const title = isEnte ? titleOf(place) : await albumIn(group, sidecars)
  const album = title ? { title, root: dirname(place) } : null
  for (const [name, all] of entries) {
    if (!isJson(name)) for (const entry of all) entry.exported = { album }
  }
  for (const [entry, names] of sidecars) {
    const pictures = new Set(names.flatMap((name) => entries.get(name)!))
    addSidecar({ kind: 'json', entry, pictures })
  }
}

function titleOf(place: string): string | null {
  const name = basename(place)
  return name === NO_ALBUM ? null : name
}

// What describes an album is what describes no picture and has a title, whatever its name is where there are pictures.
async function albumIn(
  { place, entries }: Group,
  sidecars: Map<FolderEntry, string[]>,
): Promise<string | null> {
  if (isOfYear(basename(place))) return null
  const others = [...entries.values()]
    .flat()
    .filter((one) => isJson(one.name) && !sidecars.has(one))
  const isNamedSo = ({ name }: FolderEntry) => ALBUM_NAMES.has(nfc(name).toLowerCase())
  const first = others.toSorted((a, b) => Number(isNamedSo(b)) - Number(isNamedSo(a)))
  for (const entry of first.slice(0, MANY)) {
    if (sidecars.size === 0 && !isNamedSo(entry)) continue
    const file = await readJson(entry)
    if (fieldOf(file, 'photoTakenTime') !== undefined) continue
    const title = textOf(file, 'title').trim()
    if (title === '') continue
    entry.unfit = REASONS.album
    return isOfYear(title) ? null : title
  }
  return null
}

// Returns null for what is gone, too large or no JSON.
async function readJson({ folder, raw, seen }: FolderEntry): Promise<unknown> {
  if (seen.size > MAX_READ) return null
  const source = await folder.open(raw)
  if (!source) return null
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of chunksOf(source)) {
      size += chunk.length
      if (size > MAX_READ) return null
      chunks.push(Buffer.from(chunk))
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return null
  } finally {
    await source.close()
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
