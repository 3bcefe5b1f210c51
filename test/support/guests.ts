import assert from 'node:assert/strict'
import { form, type Library, picture } from './harness.ts'

/** Makes a link and returns its address. */
export async function makeLink(library: Library, token: string, body: object): Promise<string> {
  const made = await library.call('POST', '/shares', { token, body })
  assert.equal(made.status, 201, made.text)
  return made.body.url
}

/** Uploads a small picture and returns its id. */
export async function addPicture(
  library: Library,
  token: string,
  { seed = 0, bytes = null as Uint8Array | null, name = 'secret name.jpg' } = {},
): Promise<string> {
  const answer = await library.upload(token, bytes ?? (await picture(seed)), name)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** Makes a pool of files and returns its id. */
export async function makePool(
  library: Library,
  token: string,
  file_ids: string[],
  fields: object = {},
): Promise<string> {
  const pool = await library.call('POST', '/pools', { token, body: { name: 'Secret', ...fields } })
  assert.equal(pool.status, 201, pool.text)
  const added = { token, body: { file_ids } }
  assert.equal((await library.call('POST', `/pools/${pool.body.id}/files`, added)).status, 201)
  return pool.body.id
}

/** What a link answers at an address below its own. */
export interface Guest {
  status: number
  headers: Headers
  bytes: Buffer
  /** The JSON of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect to find in it
  body: any
}

/** Asks a link as somebody without an account; a form or an object makes it a POST of the page. */
export async function ask(
  library: Library,
  address: string,
  {
    body,
    headers,
    method,
  }: { body?: object; headers?: Record<string, string>; method?: string } = {},
): Promise<Guest> {
  const sent = new Headers({ ...(body && { 'X-Tagstead': '1' }), ...headers })
  const isForm = body instanceof FormData
  if (body && !isForm) sent.set('Content-Type', 'application/json')
  const response = await library.request(address, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: sent,
    body: isForm ? body : body ? JSON.stringify(body) : null,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  const { status } = response
  return {
    status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(String(bytes)) : null,
  }
}

/** Returns the ids of what a link shows. */
export async function shownBy(library: Library, link: string, headers = {}): Promise<string[]> {
  const { status, body } = await ask(library, `${link}/list`, { headers })
  assert.equal(status, 200)
  return body.items.map((item: { id: string }) => item.id)
}

/** Sends the password of a link, and returns the header with its cookie. */
export async function openWith(library: Library, link: string, password: string) {
  const { status, headers } = await ask(library, `${link}/password`, { body: { password } })
  assert.equal(status, 204)
  return { Cookie: headers.get('Set-Cookie')!.split(';')[0]! }
}

/** Returns the form of a guest who adds a picture. */
export async function guestForm(name = 'Anna', bytes: Uint8Array | null = null, fields = {}) {
  return form(bytes ?? (await picture(7)), 'IMG_0001.jpg', { name, ...fields })
}
