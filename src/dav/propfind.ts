import type { Context } from 'hono'
import { invalid } from '../base/errors.ts'
import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import type { AppEnv } from '../http/env.ts'
import { stream } from '../http/stream.ts'
import { type Entry, listEntries } from './entries-queries.ts'
import { asFolder, type DavPath, hrefOf } from './paths.ts'
import {
  DAV,
  dav,
  davIn,
  documentOf,
  element,
  escapeXml,
  isDav,
  readXmlBody,
  requireShort,
  response,
  XML_TYPE,
  type XmlName,
  type XmlNode,
} from './xml.ts'

// How many entries are read and written at once.
const PAGE = 500
// How many properties a request may ask for: each is answered for each entry.
const MOST_NAMES = 100
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** How much a user has and may still send, in bytes; null where nothing limits it. */
export interface Room {
  used: number
  available: number | null
}

/** What is shown of an entry; of the drop box itself, too. */
type Shown = Pick<
  Entry,
  'folder' | 'name' | 'is_folder' | 'size' | 'sha256' | 'modified_at' | 'created_at'
>

/** Returns the drop box itself, as an entry. */
export function rootEntry(now: number): Shown {
  const times = { modified_at: null, created_at: now }
  return { folder: '', name: '', is_folder: true, size: 0, sha256: null, ...times }
}

/** Returns the entity tag of what was sent, with its quotes. */
export function etagOf({ sha256 }: Pick<Entry, 'sha256'>): string {
  return `"${sha256 ? Buffer.from(sha256).toString('hex') : EMPTY}"`
}

/** Returns when what was sent was last changed, or when it was sent where no client has said, for a header. */
export function lastModified({
  modified_at,
  created_at,
}: Pick<Shown, 'modified_at' | 'created_at'>): string {
  return new Date(modified_at ?? created_at).toUTCString()
}

type Property = (entry: Shown, room: () => Room) => string | null

const ofFile = (value: (entry: Shown) => string): Property => {
  return (entry) => (entry.is_folder ? null : value(entry))
}
const LOCK_ENTRY = dav(
  'lockentry',
  dav('lockscope', dav('exclusive')) + dav('locktype', dav('write')),
)

/** The properties that are told to whoever asks for all. */
const USUAL: Record<string, Property> = {
  resourcetype: ({ is_folder }) => (is_folder ? dav('collection') : ''),
  displayname: ({ name }) => escapeXml(name),
  getcontentlength: ofFile(({ size }) => String(size)),
  getcontenttype: ofFile(() => 'application/octet-stream'),
  getetag: ofFile((entry) => escapeXml(etagOf(entry))),
  getlastmodified: lastModified,
  creationdate: ({ created_at }) => isoTime(created_at),
  supportedlock: () => LOCK_ENTRY,
  lockdiscovery: () => '',
}
const PROPERTIES: Record<string, Property> = {
  ...USUAL,
  'quota-used-bytes': ({ is_folder }, room) => (is_folder ? String(room().used) : null),
  'quota-available-bytes': ({ is_folder }, room) => {
    const available = is_folder ? room().available : null
    return available === null ? null : String(available)
  },
}

/** Returns what says of an entry the properties that a request asks for. */
type Describe = (entry: Shown) => string

/**
 * Answers which properties the entry at a path has, and with a depth of 1 what is in it, piece by piece. Throws a
 * validation error for XML that asks for nothing, and forbidden for the depth `infinity`, which is also what it is
 * without the header.
 */
export async function propfind(
  c: Context<AppEnv>,
  db: Db,
  { path, entry, room }: { path: DavPath; entry: Shown; room: () => Room },
): Promise<Response> {
  const depth = c.req.header('Depth')?.trim() ?? 'infinity'
  const body = await readXmlBody(c)
  if (depth !== '0' && depth !== '1') return refuseDepth(c, depth)
  const describe = describerOf(body, room)
  const user = c.var.user.id
  function* parts() {
    const [begin, end] = documentOf('multistatus')
    yield begin + describe(entry)
    let after = ''
    for (let hasMore = depth === '1' && entry.is_folder; hasMore; ) {
      const page = listEntries(db, user, { folder: asFolder(path), after, limit: PAGE })
      yield page.map(describe).join('')
      hasMore = page.length === PAGE
      after = page.at(-1)?.name ?? after
    }
    yield end
  }
  const headers = { 'Content-Type': XML_TYPE }
  // The answer about one entry has its length.
  if (depth === '0') return c.body([...parts()].join(''), 207, headers)
  return c.body(stream(c, parts()), 207, headers)
}

function refuseDepth(c: Context<AppEnv>, depth: string): Response {
  if (depth.toLowerCase() !== 'infinity') throw invalid('Depth', 'must be 0 or 1')
  const [begin, end] = documentOf('error')
  return c.body(begin + dav('propfind-finite-depth') + end, 403, { 'Content-Type': XML_TYPE })
}

function describerOf(body: XmlNode | null, room: () => Room): Describe {
  if (body && !isDav(body, 'propfind')) throw invalid('body', 'must be a propfind')
  const [prop] = body ? davIn(body, 'prop') : []
  if (prop) {
    const names = prop.children()
    if (names.length > MOST_NAMES) throw invalid('body', `asks for more than ${MOST_NAMES}`)
    requireShort(names)
    return (entry) => describeSome(entry, names, room)
  }
  if (body && davIn(body, 'propname').length > 0) {
    const names = Object.keys(USUAL).map((local) => dav(local))
    return (entry) => response(hrefFor(entry), [{ status: '200 OK', props: names }])
  }
  if (body && davIn(body, 'allprop').length === 0) throw invalid('body', 'asks for nothing')
  const names = Object.keys(USUAL).map((local) => ({ space: DAV, local }))
  // Whoever asks for all doesn't want to know what there is not.
  return (entry) => describeSome(entry, names, room, false)
}

function describeSome(entry: Shown, names: XmlName[], room: () => Room, isTold = true): string {
  const found: string[] = []
  const missing: string[] = []
  for (const name of names) {
    const property = name.space === DAV && Object.hasOwn(PROPERTIES, name.local)
    const value = property ? PROPERTIES[name.local]!(entry, room) : null
    if (value === null) missing.push(element(name))
    else found.push(element(name, value))
  }
  return response(hrefFor(entry), [
    { status: '200 OK', props: found },
    { status: '404 Not Found', props: isTold ? missing : [] },
  ])
}

function hrefFor(entry: Shown): string {
  return hrefOf(entry, entry.is_folder)
}
