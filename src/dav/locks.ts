import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { requireCreator } from '../acl/access.ts'
import { writeAs } from '../auth/write-as.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx, WriteDeps } from '../db/write.ts'
import { editFile } from '../files/edit.ts'
import { filesByRid, loadFile } from '../files/queries.ts'
import type { AppEnv } from '../http/env.ts'
import { loadEntry, plausibleTime, saveEntry } from './entries.ts'
import { type Entry, findEntry, updateEntry } from './entries-queries.ts'
import { type DavPath, hrefOf, isRoot } from './paths.ts'
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
  type XmlNode,
} from './xml.ts'

// Finder, Explorer and davfs2 write only what they have locked. Only one person writes here, so that a lock is a token
// and nothing else.

const SECONDS = 3600
const TOKEN = /<(opaquelocktoken:[\da-f-]{36})>/i

/**
 * Answers a LOCK with a token, or one that names a token with that one. What isn't there becomes an empty file, with
 * 201. Throws a validation error for anything but a lock for writing, and what `saveEntry` throws.
 */
export async function lock(deps: WriteDeps, c: Context<AppEnv>, path: DavPath): Promise<Response> {
  const info = await readXmlBody(c)
  const known = TOKEN.exec(c.req.header('If') ?? '')?.[1]
  if (!info && !known) throw invalid('If', 'must name the token of a lock that is prolonged')
  if (info && !(isDav(info, 'lockinfo') && davIn(info, 'locktype').length === 1)) {
    throw invalid('body', 'must be a lockinfo')
  }
  const { db } = deps
  let entry = isRoot(path) ? undefined : findEntry(db, c.var.user.id, path)
  const isNew = !isRoot(path) && !entry
  if (isNew) {
    // The token of a file that was moved or deleted must not bring its name back.
    if (!info) loadEntry(db, c.var.user, path)
    const sent = {
      file_rid: null,
      upload_id: null,
      size: 0,
      sha256: null,
      modified_at: null,
    }
    const conditions = { match: undefined, noneMatch: undefined }
    writeAs(deps, c, (tx, user) => saveEntry(tx, user, { path, sent, conditions }))
    entry = findEntry(db, c.var.user.id, path)
  }
  const token = (!info && known) || `opaquelocktoken:${randomUUID()}`
  const [begin, end] = documentOf('prop')
  const href = hrefOf(path, isRoot(path) || entry!.is_folder)
  const body = begin + dav('lockdiscovery', activeLock(c, info, { token, href })) + end
  return c.body(body, isNew ? 201 : 200, {
    'Content-Type': XML_TYPE,
    ...(info && { 'Lock-Token': `<${token}>` }),
  })
}

function activeLock(
  c: Context<AppEnv>,
  info: XmlNode | null,
  { token, href }: { token: string; href: string },
): string {
  const [scope] = info ? davIn(info, 'lockscope') : []
  const isShared = scope !== undefined && davIn(scope, 'shared').length > 0
  const [owner] = info ? davIn(info, 'owner') : []
  const depth = c.req.header('Depth')?.trim() === '0' ? '0' : 'infinity'
  return dav(
    'activelock',
    dav('locktype', dav('write')) +
      dav('lockscope', dav(isShared ? 'shared' : 'exclusive')) +
      dav('depth', depth) +
      (owner ? dav('owner', ownerOf(owner)) : '') +
      dav('timeout', `Second-${SECONDS}`) +
      dav('locktoken', dav('href', token)) +
      dav('lockroot', dav('href', escapeXml(href))),
  )
}

// Clients know their own locks by it.
function ownerOf(owner: XmlNode): string {
  const [href] = davIn(owner, 'href')
  return href ? dav('href', escapeXml(href.text)) : escapeXml(owner.text)
}

/** Answers an UNLOCK. Throws a validation error unless it names the token of a lock. */
export function unlock(c: Context<AppEnv>): Response {
  if (!TOKEN.test(c.req.header('Lock-Token') ?? '')) {
    throw invalid('Lock-Token', 'must be the token of a lock')
  }
  return c.body(null, 204)
}

// Properties of these namespaces are taken and, but for the time, dropped: Explorer and Finder set them on all that they
// send.
const TAKEN = /^(urn:schemas-microsoft-com:|http:\/\/(www\.)?apple\.com\/)/
// The times of a file that a client sets.
const MODIFIED = [`${DAV} getlastmodified`, 'urn:schemas-microsoft-com: Win32LastModifiedTime']

/**
 * Answers a PROPPATCH property by property: times of Explorer and Finder are taken, and nothing else can be set. When a
 * file was last changed then shows in its entry. Throws not_found, and a validation error for other XML.
 */
export async function proppatch(
  deps: WriteDeps,
  c: Context<AppEnv>,
  path: DavPath,
): Promise<Response> {
  const update = await readXmlBody(c)
  if (!update || !isDav(update, 'propertyupdate')) throw invalid('body', 'must be a propertyupdate')
  const changes = [...davIn(update, 'set'), ...davIn(update, 'remove')]
  const props = changes.flatMap((one) => davIn(one, 'prop').flatMap((prop) => prop.children()))
  requireShort(props)
  const isTime = ({ space, local }: XmlNode) => MODIFIED.includes(`${space} ${local}`)
  const isTaken = (one: XmlNode) => isTime(one) || TAKEN.test(one.space)
  const [said = Number.NaN] = props.filter(isTime).map(({ text }) => Date.parse(text))
  const time = plausibleTime(said, deps.clock())
  const entry = isRoot(path) ? null : loadEntry(deps.db, c.var.user, path)
  if (entry && !entry.is_folder && time !== null) {
    writeAs(deps, c, (tx, user) => setModified(tx, user, loadEntry(tx, user, path), time))
  }
  const named = (wanted: boolean) =>
    props.filter((one) => isTaken(one) === wanted).map((one) => element(one))
  const [begin, end] = documentOf('multistatus')
  const answer = response(hrefOf(path, entry?.is_folder ?? true), [
    { status: '200 OK', props: named(true) },
    { status: '403 Forbidden', props: named(false) },
  ])
  return c.body(begin + answer + end, 207, { 'Content-Type': XML_TYPE })
}

// Notes when what was sent was last changed. That is the date of its file, too, where nothing tells a better one.
function setModified(tx: Tx, user: User, entry: Entry, time: number): void {
  requireCreator(user)
  updateEntry(tx, entry.rid, { ...entry, modified_at: time })
  const [found] = entry.file_rid === null ? [] : filesByRid(tx, [entry.file_rid])
  const file = found && loadFile(tx, user, found.id, 'view')
  if (file?.date_source !== 'upload' || file.creator_id !== user.id) return
  editFile(tx, user, file, { content_datetime: { time, offset: null } })
}
