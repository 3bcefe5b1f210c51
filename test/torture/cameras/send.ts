import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import type { SpawnedServer } from '../../support/spawn.ts'
import { cookieJar, PAGE } from '../../support/web-session.ts'

/** What the server tells of a file, as far as it is looked at. */
export interface Told {
  id: string
  width: number | null
  height: number | null
  duration: number | null
  phash: number | null
  exif: Record<string, unknown>
}

/** A page that is signed in to a server. */
export interface Page {
  /** Sends a file, and returns what the server tells of it at once and the milliseconds until then. */
  upload(path: string, name: string): Promise<{ told: Told; waited: number }>
  /** Returns what it tells once there is a hash, or after five minutes. */
  settled(id: string): Promise<Told>
  /** Returns the size of a derivative, or null for the placeholder. */
  sizeOf(id: string, kind: 'thumbnail' | 'preview' | 'full'): Promise<[number, number] | null>
}

/** Milliseconds. */
const PAUSE = 200
const LONGEST = 300_000

/** Signs in to a server as its page does. */
export async function openPage({ url, adminPassword }: SpawnedServer): Promise<Page> {
  const jar = cookieJar()
  const session = await fetch(`${url}/web/session`, {
    method: 'POST',
    headers: PAGE,
    body: JSON.stringify({ name: 'admin', password: adminPassword }),
  })
  assert.equal(session.status, 200)
  jar.take(session)
  const { media, access_token } = (await session.json()) as Record<'media' | 'access_token', string>
  const headers = { Authorization: `Bearer ${access_token}` }
  const get = async (id: string) =>
    (await (await fetch(`${url}/api/v1/files/${id}`, { headers })).json()) as Told
  return {
    async upload(path, name) {
      const body = new FormData()
      body.append('file', await openAsBlob(path), name)
      const started = performance.now()
      const response = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body })
      const text = await response.text()
      assert.equal(response.status, 201, `${name}: ${text}`)
      return { told: JSON.parse(text) as Told, waited: performance.now() - started }
    },
    async settled(id) {
      const started = performance.now()
      for (;;) {
        const told = await get(id)
        if (told.phash !== null || performance.now() - started > LONGEST) return told
        await setTimeout(PAUSE)
      }
    },
    async sizeOf(id, kind) {
      const path = `/web/media/${media}/${id}/${kind}`
      const response = await fetch(`${url}${path}`, { headers: jar.header(path) })
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(response.status, 200, `${kind}: ${bytes.subarray(0, 200)}`)
      if (response.headers.get('etag')?.includes('placeholder')) return null
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
      return [width, height]
    },
  }
}
