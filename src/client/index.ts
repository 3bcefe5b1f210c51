import createFetchClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

export type { operations, paths } from './api.d.ts'

/** The shapes that the API accepts and returns, named as in its document: `Schemas['File']`. */
export type Schemas = components['schemas']

/** Where the server is, and who calls it. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:3000`, without `/api/v1`. */
  baseUrl: string
  /** An access token, or a function that returns one for each request. */
  token?: string | (() => string | Promise<string>)
  /** How a request is sent; by default, with the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

type Stream<Event> = {
  post: { responses: { 200: { content: { 'application/x-ndjson': Event } } } }
}

/** The paths whose POST is answered with a stream of events. */
export type EventPath = {
  [Path in keyof paths]: paths[Path] extends Stream<unknown> ? Path : never
}[keyof paths]

/** An event of such a path. */
export type EventOf<Path extends EventPath> =
  paths[Path] extends Stream<infer Event> ? Event : never

type BodyOf<Path extends EventPath> = paths[Path]['post'] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : undefined

/**
 * What a method of the client resolves to; `error` is a text when something other than Tagstead,
 * such as a proxy, has answered.
 */
export interface Answer<Data> {
  data?: Data
  error?: Schemas['Error'] | string | undefined
  response: Response
}

/** A client of the API. */
export type Client = ReturnType<typeof createClient>

/**
 * Returns a client of the API. `GET`, `HEAD`, `POST`, `PUT`, `PATCH` and `DELETE` take a path with
 * its parameters and body, and resolve to `{ data, error, response }`. A body that contains a Blob
 * is sent as a form.
 */
export function createClient({ baseUrl, token, fetch }: ClientOptions) {
  const client = createFetchClient<paths>({ baseUrl, bodySerializer, ...(fetch && { fetch }) })
  client.use({
    async onRequest({ request }) {
      const given = typeof token === 'function' ? await token() : token
      if (given !== undefined) request.headers.set('Authorization', `Bearer ${given}`)
    },
  })

  /** Yields the events of a long operation as they arrive; throws as `dataOf` does. */
  async function* events<Path extends EventPath>(
    path: Path,
    body?: BodyOf<Path>,
  ): AsyncGenerator<EventOf<Path>, void, undefined> {
    const post = client.POST as unknown as StreamingPost
    yield* jsonLines<EventOf<Path>>(dataOf(await post(path, { body, parseAs: 'stream' })))
  }

  return { ...client, events }
}

/**
 * Returns the data of an answer. Throws an Error with the message of the server's error, which is
 * its `cause`.
 */
export function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
  if (response.ok) return data as Data
  const message = typeof error === 'object' ? error.message : response.statusText
  throw new Error(message || `Answered ${response.status}`, { cause: error })
}

/** `POST` without the types that exist only for a path given as a literal. */
type StreamingPost = (
  path: string,
  init: { body: unknown; parseAs: 'stream' },
) => Promise<Answer<ReadableStream<Uint8Array>>>

function bodySerializer(body: unknown): string | FormData {
  const fields = Object.entries(body as object)
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}

async function* jsonLines<Line>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  // Not every browser can iterate over a stream.
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield JSON.parse(line) as Line
    }
  } finally {
    await reader.cancel()
  }
}
