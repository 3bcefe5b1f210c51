import { randomBytes } from 'node:crypto'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { createApp } from '../../src/app.ts'
import type { Library } from './harness.ts'

export interface DavAnswer {
  status: number
  headers: Headers
  text: string
}

/** Makes a key for the user of an access token, and returns it. */
export async function makeKey(library: Library, token: string, scope = 'upload', more = {}) {
  const body = { name: `of ${randomBytes(4).toString('hex')}`, scope, ...more }
  const answer = await library.call('POST', '/auth/keys', { token, body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.key as string
}

/** Returns the header by which an app sends a key as its password. */
export function basic(key: string, name = 'phone') {
  return { Authorization: `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}` }
}

/** Returns a client of the drop box that sends requests with a key; paths are below `/dav/`. */
export function davClient(library: Library, key: string) {
  const app = createApp(library.deps)
  async function send(
    method: string,
    path: string,
    {
      body,
      headers = {},
      peer,
    }: { body?: RequestInit['body']; headers?: object; peer?: string } = {},
  ): Promise<DavAnswer> {
    const all = { ...basic(key), ...headers } as Record<string, string>
    const init = { method, headers: all, body: body ?? null, duplex: 'half' as const }
    const response = await app.request(`/dav/${path}`, init, peer ? { peer } : {})
    const { status, headers: answered } = response
    return {
      status,
      headers: answered,
      text: Buffer.from(await response.arrayBuffer()).toString('latin1'),
    }
  }
  return {
    send,
    put: (path: string, bytes: Uint8Array | string, headers = {}) =>
      send('PUT', path, { body: Buffer.from(bytes) as never, headers }),
    /** Returns what a folder or a file has, by its address and then by the name of the property. */
    async list(path = '', depth = '1', body?: string) {
      const answer = await send('PROPFIND', path, { headers: { Depth: depth }, body: body! })
      if (answer.status !== 207) throw new Error(`${answer.status} ${answer.text}`)
      return readMultistatus(Buffer.from(answer.text, 'latin1').toString('utf8'))
    },
  }
}

/** Returns the properties in a multistatus by address, local name of the property and status. */
export function readMultistatus(text: string) {
  const children = (element: XmlElement) =>
    element.children.filter((child): child is XmlElement => child instanceof XmlElement)
  const named = (element: XmlElement, name: string) =>
    children(element).filter((child) => child.name === `D:${name}`)
  const found: Record<string, Record<string, string>> = {}
  for (const response of named(parseXml(text).root!, 'response')) {
    const props: Record<string, string> = {}
    for (const propstat of named(response, 'propstat')) {
      const status = named(propstat, 'status')[0]!.text.split(' ')[1]!
      for (const prop of children(named(propstat, 'prop')[0]!)) {
        const local = prop.name.replace('D:', '')
        const value =
          prop.text ||
          children(prop)
            .map(({ name }) => name)
            .join()
        props[local] = status === '200' ? value : status
      }
    }
    found[named(response, 'href')[0]!.text] = props
  }
  return found
}
