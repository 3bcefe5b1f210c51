import assert from 'node:assert/strict'
import { type OpenGallery, PASSWORD } from './open-gallery.ts'
import { madeUpPictures } from './pictures.ts'

/** Somebody who has a session of their own, apart from any page. */
export interface Somebody {
  id: number
  name: string
  /** Calls the API as them; throws when the answer is an error. */
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** Returns the status of an answer. */
  status(method: string, path: string, body?: unknown): Promise<number>
  /** Returns which files they see, as their own list tells. */
  sees(query?: string): Promise<Set<string>>
  /** Uploads pictures, five to a day, the newest first on 14 July 2018; returns their ids. */
  upload(count: number): Promise<string[]>
}

/** Makes a user, who may upload, and signs them in. */
export async function join(gallery: OpenGallery, name: string): Promise<Somebody> {
  const account = { name, password: PASSWORD }
  const { id } = await gallery.call<{ id: number }>('POST', '/users', {
    ...account,
    can_create: true,
  })
  const send = (method: string, path: string, body: unknown, token?: string) =>
    fetch(`${gallery.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(!(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      },
      body: body instanceof FormData ? body : body === undefined ? null : JSON.stringify(body),
    })
  const { access_token } = (await (await send('POST', '/auth/login', account)).json()) as {
    access_token: string
  }
  const call = async <Body>(method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body, access_token)
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }
  return {
    id,
    name,
    call,
    status: async (method, path, body) => (await send(method, path, body, access_token)).status,
    async sees(query = '') {
      const path = `/files/ids?limit=10000${query}`
      return new Set((await call<{ ids: string[] }>('GET', path)).ids)
    },
    async upload(count) {
      const ids: string[] = []
      for (const { name, bytes, taken } of await madeUpPictures(count)) {
        const form = new FormData()
        form.set('file', new Blob([Uint8Array.from(bytes)]), name)
        form.set('content_datetime', taken)
        ids.push((await call<{ id: string }>('POST', '/files', form)).id)
      }
      return ids
    },
  }
}
