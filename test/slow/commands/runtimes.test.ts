import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { form } from '../../support/harness.ts'
import { type Runtime, spawnServer } from '../../support/spawn.ts'

/** What one request of the session came to, without what differs from one session to the next. */
interface Recorded {
  request: string
  status: number
  headers: Record<string, string>
  body: unknown
}

// Of the connection, of the moment, or told by one HTTP server only.
const NOT_COMPARED = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'last-modified',
  'transfer-encoding',
  'x-request-id',
]

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+|\d+\.\d+\.[\w-]{43}/g
const CURSOR = /(?<=_cursor":"|cursor=)WyJ[\w-]+/g
const NOW = /"(created_at|trashed_at|started_at|expires_at|last_activity|performed_at)":"[^"]+"/g

/** Runs the same session on a server of a runtime and returns what came of it. */
async function record(runtime: Runtime): Promise<Recorded[]> {
  const server = await spawnServer({ runtime })
  const recorded: Recorded[] = []
  const names = new Map<string, string>()
  const named = (id: string) => {
    if (!names.has(id)) names.set(id, `<id ${names.size + 1}>`)
    return names.get(id)!
  }
  const settle = (text: string) =>
    text
      .replace(CURSOR, (cursor) => Buffer.from(cursor, 'base64url').toString())
      .replace(UUID, named)
      .replace(TOKEN, '<token>')
      .replace(VERSION, '<version>')
      .replace(NOW, '"$1":"<now>"')

  async function send(method: string, path: string, init: RequestInit = {}, token?: string) {
    const headers = new Headers(init.headers)
    if (token) headers.set('Authorization', `Bearer ${token}`)
    const answer = await fetch(`${server.url}${path}`, { ...init, method, headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json')
    const kept = [...answer.headers].filter(([name]) => !NOT_COMPARED.includes(name))
    recorded.push({
      request: settle(`${method} ${path}`),
      status: answer.status,
      headers: JSON.parse(settle(JSON.stringify(Object.fromEntries(kept))).replace(BLOB, '<blob>')),
      body: isJson
        ? settle(bytes.toString())
        : { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    })
    return isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null
  }

  try {
    await session(send, server.adminPassword)
    return recorded
  } finally {
    await server.stop()
  }
}

// It comes from the name of the blob, which is new each time.
const VERSION = /(?<="version":")[\w-]{8}(?=")/g
const BLOB = /[0-9a-f]{32}(?=-thumbnail|-preview)/g

type Send = (
  method: string,
  path: string,
  init?: RequestInit,
  token?: string,
  // biome-ignore lint/suspicious/noExplicitAny: the session follows what the answers name
) => Promise<any>

const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

async function session(send: Send, password: string): Promise<void> {
  const api = '/api/v1'
  await send('GET', '/health')
  await send('POST', `${api}/auth/login`, json({ name: 'admin', password: 'wrong' }))
  await send('POST', `${api}/auth/login`, json({ name: 'admin' }))
  const { access_token: token, refresh_token } = await send(
    'POST',
    `${api}/auth/login`,
    json({ name: 'admin', password }),
  )
  const files: string[] = []
  for (const [index, name] of ['b.jpg', 'Ä b.png', 'c "quoted".webp'].entries()) {
    const bytes = await pictureOf(index)
    const upload = {
      body: form(bytes, name, {
        content_datetime: '2020-02-29T12:00:00+02:00',
        notes: 'line\r\nbreak',
        metadata: '{"a":[1,"é"]}',
      }),
    }
    files.push((await send('POST', `${api}/files`, upload, token)).id)
  }
  await send('POST', `${api}/files`, { body: form(Buffer.from('text'), 'a.jpg') }, token)
  await send('POST', `${api}/files`, { body: form(Buffer.alloc(0), 'a.jpg') }, token)
  await send('POST', `${api}/files`, json({}), token)
  const tag = await send('POST', `${api}/tags`, json({ name: ' Sea ', color: '00ffAA' }), token)
  const other = await send('POST', `${api}/tags`, json({ name: 'Summer' }), token)
  await send('POST', `${api}/tags`, json({ name: 'Sea' }), token)
  await send('POST', `${api}/tags`, json({ name: '', color: '#fff' }), token)
  await send('POST', `${api}/tags/${tag.id}/rules`, json({ then_tag_id: other.id }), token)
  await send('PUT', `${api}/files/${files[0]}/tags/${tag.id}`, {}, token)
  const filter = encodeURIComponent(`{t=${tag.id},|,m=image/png}`)
  await send('GET', `${api}/files?filter=${filter}&sort=original_name&order=asc`, {}, token)
  const page = await send('GET', `${api}/files?limit=2&sort=original_name`, {}, token)
  await send('GET', `${api}/files?cursor=${page.next_cursor}`, {}, token)
  await send('GET', `${api}/files?filter={t=1}&limit=0&limit=1`, {}, token)
  await send('GET', `${api}/files?search=%C3%84`, {}, token)
  for (const path of ['thumbnail', 'preview', 'content', 'content?inline=1']) {
    await send('GET', `${api}/files/${files[1]}/${path}`, {}, token)
  }
  for (const range of ['bytes=2-5', 'bytes=-3', 'bytes=900000-', 'bytes=1-2,4-5', 'lines=1-2']) {
    await send('GET', `${api}/files/${files[1]}/content`, { headers: { Range: range } }, token)
  }
  await send('HEAD', `${api}/files/${files[1]}/content`, {}, token)
  await send('PATCH', `${api}/files/${files[2]}`, json({ notes: null, original_name: 'x' }), token)
  await send(
    'PUT',
    `${api}/files/${files[2]}/content`,
    { body: form(await pictureOf(7), '') },
    token,
  )
  await send('DELETE', `${api}/files/${files[2]}`, {}, token)
  await send('GET', `${api}/files?trash=true`, {}, token)
  await send('DELETE', `${api}/files/${files[0]}/permanent`, {}, token)
  await send('DELETE', `${api}/files/${files[2]}/permanent`, {}, token)
  const pool = await send('POST', `${api}/pools`, json({ name: 'Album' }), token)
  await send('POST', `${api}/pools/${pool.id}/files`, json({ file_ids: files.slice(0, 2) }), token)
  await send('GET', `${api}/pools/${pool.id}/files`, {}, token)
  await send('GET', `${api}/audit?limit=5`, {}, token)
  await send('GET', `${api}/files/duplicates`, {}, token)
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['POST', `${api}/health`],
    ['PUT', `${api}/tags`],
    ['OPTIONS', `${api}/tags`],
    ['GET', `${api}/files/not-an-id`],
    ['GET', `${api}/files/%00`],
    ['GET', `${api}/openapi.json`],
  ] as const) {
    await send(method, path, {}, token)
  }
  await send('POST', `${api}/auth/refresh`, json({ refresh_token }))
  await send('POST', `${api}/auth/refresh`, json({ refresh_token: 'garbage' }))
  await send('POST', `${api}/auth/logout`, {}, token)
  await send('GET', `${api}/users/me`, {}, token)
}

/** A picture with something in it, in another format for each number. */
async function pictureOf(seed: number): Promise<Uint8Array> {
  const pixels = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * (seed + 3)) % 251))
  const image = sharp(pixels, { raw: { width: 64, height: 48, channels: 3 } })
  const format = (['jpeg', 'png', 'webp'] as const)[seed % 3]!
  return image.toFormat(format).toBuffer()
}

describe('the server', () => {
  it('gives the same answers under Bun and under Node', async () => {
    const [bun, node] = await Promise.all([record('bun'), record('node')])
    assert.ok(bun.length > 50)
    for (const [index, answer] of bun.entries()) assert.deepEqual(node[index], answer)
    assert.equal(node.length, bun.length)
  })
})
