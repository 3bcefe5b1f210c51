import assert from 'node:assert/strict'
import type { SpawnedServer } from '../../support/spawn.ts'
import type { Call } from './steps.ts'

type Address = Pick<SpawnedServer, 'url' | 'adminPassword'>

/** Returns what sends requests as the admin, or as somebody who has the same password. */
export async function callAs(server: Address, name = 'admin'): Promise<Call> {
  const login = await callWith(server, null)('POST', '/auth/login', {
    name,
    password: server.adminPassword,
  })
  assert.equal(login.status, 200)
  return callWith(server, ((await login.json()) as { access_token: string }).access_token)
}

/** Returns what sends requests with an access token, or without one. */
export function callWith({ url }: Pick<Address, 'url'>, token: string | null): Call {
  return (method, path, body) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      },
      body: body instanceof FormData ? body : body ? JSON.stringify(body) : null,
    })
}
