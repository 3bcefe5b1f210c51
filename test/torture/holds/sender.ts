import { form, type Library } from '../../support/harness.ts'
import type { Person } from './library.ts'

/** What a request may carry, as far as it isn't asked for by its path alone. */
interface Sent {
  /** Sent as JSON. */
  body?: object
  /** Sent as a form, in the place of a body. */
  file?: Uint8Array
  fields?: Record<string, string>
  headers?: Record<string, string>
}

/** What the requests after this one need of its answer. */
export interface Received {
  /** The method and the path that were asked for. */
  asked: string
  status: number
  /** The id of what was made, or empty. */
  id: string
  /** The number of the operation, or empty. */
  operation: string
  /** The cursor of the next page, or empty. */
  next: string
  /** The token of the content, or empty. */
  token: string
}

/** Sends a request to a path below /api/v1. */
export type Send = (method: string, path: string, sent?: Sent) => Promise<Received>

/** Signs a person in and returns what sends their requests. */
export async function senderOf(library: Library, name: Person): Promise<Send> {
  const { access_token } = (await library.login(name, 'a password for tests')).body
  return async (method, path, { body, file, fields, headers } = {}) => {
    const response = await library.request(`/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${access_token}`,
        'X-Asked-By': name,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: file ? form(file, 'picture.jpg', fields) : body ? JSON.stringify(body) : null,
    })
    const isJson = response.headers.get('Content-Type') === 'application/json'
    // biome-ignore lint/suspicious/noExplicitAny: each answer has some of the fields
    const answer: any = isJson ? await response.json() : {}
    return {
      asked: `${method} ${path}`,
      status: response.status,
      id: answer?.id ?? '',
      operation: response.headers.get('Operation') ?? '',
      next: answer?.next_cursor ?? '',
      token: answer?.token ?? '',
    }
  }
}
