import { createApp } from '../../src/app.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { printTable } from './measure.ts'

const BODY = 2 ** 20 - 200
/** What HTTP servers allow for a head, where a mark takes six bytes. */
const QUERY = 16_000 / 6
const RUNS = 5
/** A field of marks may take so many times as long as one of letters. */
const GOAL = 3

interface Field {
  method: string
  path: string
  /** In a body, as JSON or as a form, or in the query. */
  in: 'json' | 'form' | 'query'
  field: string
  rest?: object
  /** Bytes that the text may have. */
  size: number
}

const MARKS = ['\u0301', '\u0323\u0301']

/** Prints how long each text of the API takes when it is all marks, against letters. */
export async function bench(): Promise<void> {
  const library = await openLibrary()
  try {
    const { token } = await library.join('Root', { is_admin: true })
    const app = createApp(library.deps)
    const rows = []
    for (const field of await fieldsOf(library, token)) {
      const requestOf = (unit: string) => {
        const text = unit.repeat(field.size / Buffer.byteLength(unit))
        return () => send(app, token, field, text)
      }
      const letters = await fastest(requestOf('x'))
      const marks = await fastest(requestOf(MARKS[0]!))
      const reordered = await fastest(requestOf(MARKS[1]!))
      const ratio = Math.max(marks.ms, reordered.ms) / letters.ms
      rows.push({
        text: `${field.method} ${field.path.slice(0, 24)} ${field.field}`,
        letters: letters.ms,
        marks: marks.ms,
        reordered: reordered.ms,
        status: String(marks.status),
        ratio,
        '': ratio <= GOAL ? '' : 'TOO LONG',
      })
    }
    printTable(
      `texts of marks against texts of letters, as long as they may be sent; goal ${GOAL}`,
      rows,
    )
  } finally {
    await library.close()
  }
}

async function fastest(work: () => Promise<number>): Promise<{ ms: number; status: number }> {
  let ms = Number.POSITIVE_INFINITY
  let status = 0
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now()
    status = await work()
    ms = Math.min(ms, performance.now() - started)
  }
  return { ms, status }
}

async function send(
  app: ReturnType<typeof createApp>,
  token: string,
  { method, path, in: place, field, rest = {} }: Field,
  text: string,
): Promise<number> {
  const headers = new Headers({ Authorization: `Bearer ${token}` })
  if (place === 'json') headers.set('Content-Type', 'application/json')
  const query = place === 'query' ? `?${new URLSearchParams({ [field]: text })}` : ''
  const body = place === 'json' ? JSON.stringify({ ...rest, [field]: text }) : null
  const answer = await app.request(`/api/v1${path}${query}`, {
    method,
    headers,
    body: place === 'form' ? formOf(field, text) : body,
  })
  await answer.arrayBuffer()
  return answer.status
}

/** The file is no picture, so that it isn't the decoder that is timed. */
function formOf(field: string, text: string): FormData {
  const form = new FormData()
  form.set(field, text)
  form.set('file', new Blob(['no picture']), 'a.jpg')
  return form
}

async function fieldsOf(library: Library, token: string): Promise<Field[]> {
  const make = async (path: string) =>
    (await library.call('POST', path, { token, body: { name: 'Made' } })).body.id as string
  const file = (await library.upload(token, await picture())).body.id as string
  const kinds = ['tags', 'categories', 'pools']
  const paths = await Promise.all(kinds.map(async (kind) => `/${kind}/${await make(`/${kind}`)}`))
  const json = (method: string, path: string, fields: string[], rest = {}, size = BODY) =>
    fields.map((field): Field => ({ method, path, in: 'json', field, rest, size }))
  const query = (path: string, field: string): Field => {
    return { method: 'GET', path, in: 'query', field, size: QUERY }
  }
  return [
    ...json('POST', '/auth/login', ['name'], { password: 'x' }, 8000),
    ...json('POST', '/auth/login', ['password'], { name: 'Root' }, 8000),
    ...json('POST', '/auth/refresh', ['refresh_token'], {}, 8000),
    ...kinds.flatMap((kind) => json('POST', `/${kind}`, ['name', 'notes', 'metadata', 'color'])),
    ...paths.flatMap((path) => json('PATCH', path, ['name', 'notes', 'metadata'])),
    ...json('PATCH', `/files/${file}`, ['original_name', 'notes', 'metadata', 'content_datetime']),
    ...json('POST', '/users', ['name'], { password: 'x' }),
    ...json('POST', '/users', ['password'], { name: 'New' }),
    ...json('PATCH', '/users/me', ['name', 'password']),
    ...json('POST', '/files/import', ['path']),
    ...['notes', 'metadata', 'tag_ids', 'content_datetime'].map(
      (field): Field => ({ method: 'POST', path: '/files', in: 'form', field, size: BODY }),
    ),
    ...['/files', '/tags', '/categories', '/pools'].map((path) => query(path, 'search')),
    query('/files', 'filter'),
    query(`${paths[2]}/files`, 'filter'),
    query('/files', 'cursor'),
    query('/audit', 'action'),
  ]
}
