import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The API of a server, for its first user. */
export interface Client {
  /** Returns an answer, which is none of an error. */
  call(path: string, init?: RequestInit): Promise<Response>
  bytes(path: string): Promise<Buffer>
  /** Returns the id of the file that a picture or film has become. */
  upload(path: string): Promise<string>
}

/** Signs in as the first user. */
export async function signIn(url: string, password: string): Promise<Client> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${access_token}` }
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers })
    if (!response.ok) assert.fail(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    call,
    bytes: async (path) => Buffer.from(await (await call(path)).arrayBuffer()),
    async upload(path) {
      const body = new FormData()
      body.append('file', new File([readFileSync(path)], path))
      const answer = await call('/files', { method: 'POST', body })
      return ((await answer.json()) as { id: string }).id
    },
  }
}
