import type { Json } from '../../../src/http/openapi/json-schema.ts'
import { fc } from '../property.ts'
import type { MadeForm, MadeRequest } from './requests.ts'

const LONG = 'long '.repeat(20_000)
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const ODD_TEXTS = ['', ' ', '\0', '\ud800', '\u0085', 'e\u0301', '%', "'; --", '../..', '😀', LONG]
const ODD_VALUES = [
  ...[null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]], [null], { a: { b: [] } }],
  ...ODD_TEXTS,
]
const ODD_SEGMENTS = [
  'nonsense',
  '0',
  '-1',
  '1e3',
  '9'.repeat(20),
  '%00',
  '%ff',
  '%F0%9F%98%80',
  '.',
]
const ODD_TYPES = [
  'text/plain',
  'application/jsonp',
  'multipart/form-data',
  'application/json; x=y',
]
const ODD_BODIES = ['', '[]', 'null', '{', '"text"', '{"__proto__":{"a":1}}', '{"a":1e999}']
const HUGE = `{"notes":"${'x'.repeat(2 ** 20)}"}`
const ODD_HEADERS: Record<string, string>[] = [
  { Range: 'bytes=0-9' },
  { Range: 'bytes=-5' },
  { Range: 'bytes=99999999-' },
  { Range: 'bytes=9-0,1' },
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'Sat, 01 Jan 2050 00:00:00 GMT' },
  { 'If-Range': '"other"', Range: 'bytes=0-1' },
  { Authorization: 'Bearer nonsense' },
  { Authorization: 'Basic YTpi' },
]

/** Returns requests made from those of `sound`, each spoilt in one place. */
export function brokenRequests(sound: fc.Arbitrary<MadeRequest>): fc.Arbitrary<MadeRequest> {
  return sound.chain((request) => {
    const ways = [brokenHeaders(request), brokenQuery(request)]
    if (request.operation.path.includes('{')) ways.push(brokenPath(request))
    if (typeof request.body === 'string') ways.push(brokenBody(request), brokenField(request))
    else if (request.body instanceof Uint8Array) {
      const spoilt = ['{}', HUGE, new Uint8Array()]
      ways.push(fc.constantFrom(...spoilt).map((body) => ({ ...request, body })))
    } else if (request.body) ways.push(brokenForm(request, request.body as MadeForm))
    else ways.push(fc.constantFrom('{}', HUGE, '\0').map((body) => ({ ...request, body })))
    return fc.oneof(...ways)
  })
}

function brokenHeaders(request: MadeRequest): fc.Arbitrary<MadeRequest> {
  const types = ODD_TYPES.map((type) => ({ 'Content-Type': type }))
  return fc.constantFrom(...ODD_HEADERS, ...types).map((headers) => ({ ...request, headers }))
}

function brokenQuery(request: MadeRequest): fc.Arbitrary<MadeRequest> {
  const names = (request.operation.description.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameter.name)
  const odd = fc.oneof(
    fc.constantFrom('%', '%00', '%ff', '1e3', '-1', '١', '', '{', '{t=}', '{(,}'),
    fc.webQueryParameters(),
  )
  return fc
    .tuple(fc.constantFrom('unknown', ...names), odd, fc.boolean())
    .map(([name, value, twice]) => ({
      ...request,
      query: `?${name}=${value}${twice ? `&${name}=1` : ''}`,
    }))
}

function brokenPath(request: MadeRequest): fc.Arbitrary<MadeRequest> {
  const places = [...request.operation.path.matchAll(/\{\w+\}/g)].map((match) => match[0])
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...ODD_SEGMENTS))
    .map(([place, odd]) => ({
      ...request,
      path: request.operation.path.replace(place, odd).replaceAll(/\{\w+\}/g, '@file:0'),
    }))
}

function brokenBody(request: MadeRequest): fc.Arbitrary<MadeRequest> {
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  const bodies = [...ODD_BODIES, HUGE, bytes, `{"a":${deep(40)}}`, `{"a":${deep(30_000)}}`]
  return fc.constantFrom(...bodies).map((body) => ({ ...request, body }))
}

/** Changes one field of the body, leaves one out, or adds one. */
function brokenField(request: MadeRequest): fc.Arbitrary<MadeRequest> {
  const body = JSON.parse(request.body as string) as Json
  const { __proto__: _, ...fields } = body
  return fc
    .tuple(
      fc.constantFrom('extra', ...Object.keys(fields)),
      fc.constantFrom(...ODD_VALUES, undefined),
    )
    .map(([name, value]) => ({ ...request, body: JSON.stringify({ ...fields, [name]: value }) }))
}

function brokenForm(request: MadeRequest, made: MadeForm): fc.Arbitrary<MadeRequest> {
  const file = made.files[0]!
  const bytes = (value: Uint8Array): MadeForm => ({ ...made, files: [{ ...file, bytes: value }] })
  const field = (name: string, value: string): MadeForm => ({ ...made, fields: [[name, value]] })
  return fc
    .oneof(
      fc.constantFrom<MadeRequest['body']>(
        { ...made, files: [] },
        { ...made, files: [file, file] },
        bytes(file.bytes.subarray(0, 200)),
        bytes(new Uint8Array()),
        'no form',
        '{}',
      ),
      fc.uint8Array({ maxLength: 300 }).map(bytes),
      fc
        .tuple(
          fc.constantFrom('metadata', 'tag_ids', 'is_public', 'content_datetime', 'x'),
          fc.constantFrom(...ODD_TEXTS),
        )
        .map(([name, value]) => field(name, value.toWellFormed())),
    )
    .map((body) => ({ ...request, body }))
}
