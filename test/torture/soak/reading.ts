import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sha256 } from '../../support/imports.ts'
import { BUSY } from '../worlds/client.ts'
import type { Random } from '../worlds/random.ts'
import type { Asking } from './asking.ts'

/** A file that nobody changes. */
export interface StillFile {
  id: string
  name: string
  sha256: string
  size: number
}

/** What somebody reads in who changes nothing. */
export interface Shelf {
  url: string
  random: Random
  files: StillFile[]
  /** Ids of tags and pools that nobody changes. */
  tags: string[]
  pools: string[]
}

type Read = (asking: Asking, shelf: Shelf) => Promise<void>

const FILE_SORTS = ['created', 'content_datetime', 'original_name', 'mime']
/** Milliseconds after which somebody hangs up, at most. */
const SHORT = 30
/** How many files an archive has. */
const ARCHIVED = 5

/**
 * Returns the bytes of an answer of the status, or null when a busy server has refused, or has forgotten what was asked
 * for. Throws for any other status.
 */
async function read(
  asked: Promise<Response>,
  { status = 200, mayBeForgotten = false } = {},
): Promise<Buffer | null> {
  const response = await asked
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status === status) return bytes
  const refusals = mayBeForgotten ? [...BUSY, 404] : BUSY
  assert.ok(refusals.includes(response.status), `${response.url}: ${response.status} ${bytes}`)
  return null
}

/** Reads a list, and a page after the first. */
async function turnPages({ get }: Asking, path: string): Promise<void> {
  const first = await read(get(path))
  const cursor = first && JSON.parse(first.toString()).next_cursor
  if (cursor) await read(get(`${path}&cursor=${encodeURIComponent(cursor)}`))
}

const READS = {
  list: (asking, { random }) => {
    const order = random.pick(['asc', 'desc'])
    return turnPages(asking, `/files?limit=100&sort=${random.pick(FILE_SORTS)}&order=${order}`)
  },
  filter: (asking, { random, tags }) => {
    const [one, other] = random.some(tags, 2)
    const filters = [`t=${one}`, `!,t=${one}`, `t=${one},|,t=${other}`, `t=${one},&,!,m~video/%`]
    const filter = encodeURIComponent(`{${random.pick(filters)}}`)
    return turnPages(asking, `/files?limit=100&filter=${filter}`)
  },
  search: (asking, { random }) => {
    const word = random.pick(['old', 'still', 'file-1', 'nothing like it', 'e'])
    return turnPages(asking, `/files?limit=100&search=${encodeURIComponent(word)}`)
  },
  async overview({ get }, { random }) {
    const paths = ['/files/cells', '/files/timeline', '/files/ids', '/tags/counts', '/status']
    await read(get(random.pick(paths)))
  },
  async objects({ get }, { random, pools, files }) {
    const file = `/files/${random.pick(files).id}`
    const pool = `/pools/${random.pick(pools)}/files`
    const paths = ['/tags', '/pools', pool, '/audit?limit=100', '/users/me', `${file}/history`]
    await read(get(random.pick([...paths, file, `${file}/similar`, '/files/duplicates'])))
  },
  async download({ get }, { random, files }) {
    const { id, sha256: digest } = random.pick(files)
    const bytes = await read(get(`/files/${id}/content`))
    if (bytes) assert.equal(sha256(bytes), digest)
  },
  async range({ get }, { random, files }) {
    const { id, size } = random.pick(files)
    const [from, to] = [random.below(size), random.below(size)].sort((a, b) => a - b)
    const headers = { Range: `bytes=${from}-${to}` }
    const bytes = await read(get(`/files/${id}/content`, { headers }), { status: 206 })
    if (bytes) assert.equal(bytes.length, to! - from! + 1)
  },
  async thumbnail({ get }, { random, files }) {
    const picture = random.pick(['thumbnail', 'thumbnail?size=640', 'preview'])
    const bytes = await read(get(`/files/${random.pick(files).id}/${picture}`))
    if (bytes) assert.equal(bytes.subarray(0, 2).toString('hex'), 'ffd8', picture)
  },
  async archive({ call, get }, { random, files }) {
    const path = await askForArchive(call, random.some(files, ARCHIVED))
    // Of all users together, the server remembers twenty.
    const bytes = path && (await read(get(path), { mayBeForgotten: true }))
    if (bytes) assert.equal(bytes.subarray(0, 2).toString(), 'PK')
  },
  /** Hangs up in the middle of a download. */
  async leave({ call, get }, { random, files }) {
    const largest = files.toSorted((a, b) => b.size - a.size).slice(0, 2)
    const isArchive = random.below(2) === 0
    const path = isArchive
      ? await askForArchive(call, largest)
      : `/files/${random.pick(largest).id}/content`
    if (path === null) return
    const gone = new AbortController()
    const left = get(path, { signal: gone.signal }).then((response) =>
      response.body?.getReader().read(),
    )
    await Promise.race([left, setTimeout(random.below(SHORT))]).finally(() => gone.abort())
    await left.catch((error) => {
      if (error.name !== 'AbortError') throw error
    })
  },
  /** Hangs up in the middle of an upload. */
  async giveUp({ token }, { url, random }) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /api/v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="given-up.jpg"\r\n\r\n',
    )
    socket.write(Buffer.alloc(random.below(900_000)))
    await setTimeout(random.below(SHORT))
    socket.destroy()
  },
} satisfies Record<string, Read>

async function askForArchive(call: Asking['call'], files: StillFile[]): Promise<string | null> {
  const file_ids = files.slice(0, 20).map(({ id }) => id)
  const bytes = await read(call('POST', '/files/archive', { file_ids }))
  return bytes && `/files/archive?access_token=${JSON.parse(bytes.toString()).token}`
}

const KINDS = Object.keys(READS) as (keyof typeof READS)[]

/** Reads something that the numbers choose, and returns what kind of reading it was. Throws when it isn't as it has to be. */
export async function readOnce(asking: Asking, shelf: Shelf): Promise<string> {
  const kind = shelf.random.pick(KINDS)
  await (READS[kind] as Read)(asking, shelf)
  return kind
}
