import type { Runtime } from '../../../support/spawn.ts'

/** Bytes on a connection of their own, and how they may be answered. */
export interface RawCase {
  name: string
  /** In latin1. */
  bytes: string
  /**
   * The statuses of all answers until the server closes the connection, that of `LAST` included;
   * the ways that are right, on both runtimes or on each.
   */
  answers: string[] | Record<Runtime, string[]>
  /** The runtime that answers and then only waits, until the connection has rested for too long. */
  rests?: Runtime
}

/** It follows every case: when its answer comes, the connection was in step with the client. */
export const LAST = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
/** A request that nobody sent, hidden in another. */
const HIDDEN = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const health = (more: string) => get('/health', more)
/** A sign-in without name and password, which is 400, with a head and a body. */
const login = (head: string, body: string) =>
  `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`
const chunked = (body: string) => login('Transfer-Encoding: chunked', body)
const length = (value: string) => login(`Content-Length: ${value}`, '{}')

const REFUSED = ['400']
/** The answer to the request before the one that is refused may be lost with the connection. */
const AFTER_ANOTHER = ['400', '400,400']

/** What a client, or a proxy in front, may put into a connection. */
export const CASES: RawCase[] = [
  { name: 'a request', bytes: health(''), answers: ['200,200'] },
  { name: 'requests in advance', bytes: health('') + get('/nowhere'), answers: ['200,404,200'] },

  { name: 'no Host', bytes: 'GET /health HTTP/1.1\r\n\r\n', answers: REFUSED },
  { name: 'two Host', bytes: health('Host: y\r\n'), answers: REFUSED },
  { name: 'twice the same Host', bytes: health('Host: x\r\n'), answers: REFUSED },
  { name: 'two Host in other case', bytes: health('hOST: y\r\n'), answers: REFUSED },
  {
    name: 'a Host with a space',
    bytes: 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n',
    answers: { bun: ['404,200'], node: ['400,200'] },
  },

  {
    name: 'twice the same Content-Length',
    bytes: length('2\r\nContent-Length: 2'),
    answers: REFUSED,
  },
  { name: 'two Content-Length', bytes: length('2\r\nContent-Length: 40'), answers: REFUSED },
  { name: 'a list of Content-Length', bytes: length('2, 2'), answers: REFUSED },
  { name: 'Content-Length with a sign', bytes: length('+2'), answers: REFUSED },
  { name: 'a negative Content-Length', bytes: length('-2'), answers: REFUSED },
  { name: 'a hexadecimal Content-Length', bytes: length('0x2'), answers: REFUSED },
  { name: 'an empty Content-Length', bytes: length(''), answers: REFUSED },
  { name: 'a Content-Length beyond all numbers', bytes: length('9'.repeat(30)), answers: REFUSED },
  {
    name: 'Content-Length before Transfer-Encoding',
    bytes: login('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`),
    answers: REFUSED,
  },
  {
    name: 'Transfer-Encoding before Content-Length',
    bytes: login('Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${HIDDEN}`),
    answers: REFUSED,
  },
  { name: 'a space before the colon', bytes: login('Content-Length : 2', '{}'), answers: REFUSED },
  {
    name: 'a space before the colon of Transfer-Encoding',
    bytes: login('Transfer-Encoding : chunked', '2\r\n{}\r\n0\r\n\r\n'),
    answers: REFUSED,
  },

  { name: 'chunks', bytes: chunked('2\r\n{}\r\n0\r\n\r\n'), answers: ['400,200'] },
  {
    name: 'chunks with extensions',
    bytes: chunked('2;a=b\r\n{}\r\n0\r\n\r\n'),
    answers: ['400,200'],
  },
  ...['identity', 'xchunked', 'chunked, identity', 'chunked\r\nTransfer-Encoding: chunked'].map(
    (coding) => ({
      name: `Transfer-Encoding: ${JSON.stringify(coding)}`,
      bytes: login(`Transfer-Encoding: ${coding}`, '2\r\n{}\r\n0\r\n\r\n'),
      answers: REFUSED,
    }),
  ),
  {
    name: 'a transfer coding that nobody here knows',
    bytes: login('Transfer-Encoding: gzip, chunked', '2\r\n{}\r\n0\r\n\r\n'),
    answers: { bun: REFUSED, node: ['400,200'] },
  },
  {
    name: 'chunks in HTTP/1.0',
    bytes: chunked('2\r\n{}\r\n0\r\n\r\n').replace('HTTP/1.1', 'HTTP/1.0'),
    answers: REFUSED,
  },
  { name: 'a chunk after a bare LF', bytes: chunked('2\n{}\r\n0\r\n\r\n'), answers: REFUSED },
  {
    name: 'a chunk longer than its size',
    bytes: chunked('2\r\n{}x\r\n0\r\n\r\n'),
    answers: AFTER_ANOTHER,
  },
  {
    name: 'a chunk beyond all numbers',
    bytes: chunked(`${'f'.repeat(17)}\r\n{}`),
    answers: REFUSED,
  },
  { name: 'a chunk of a negative size', bytes: chunked('-2\r\n{}\r\n0\r\n\r\n'), answers: REFUSED },
  {
    name: 'a chunk whose size has a prefix',
    bytes: chunked('0x2\r\n{}\r\n0\r\n\r\n'),
    answers: REFUSED,
  },
  {
    name: 'a trailer',
    bytes: chunked('2\r\n{}\r\n0\r\nX: y\r\n\r\n'),
    answers: { bun: ['400,400'], node: ['400,200'] },
  },
  ...['', 'X', 'XX', 'X: y\r\n', '\n', 'X\r\n'].map((between) => ({
    name: `a request in place of a trailer, after ${JSON.stringify(between)}`,
    bytes: chunked(`2\r\n{}\r\n0\r\n${between}${HIDDEN}`),
    answers: AFTER_ANOTHER,
  })),

  { name: 'a folded header', bytes: health('X: a\r\n b\r\n'), answers: REFUSED },
  {
    name: 'a folded Transfer-Encoding',
    bytes: login('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${HIDDEN}`),
    answers: REFUSED,
  },
  {
    name: 'bare LF everywhere',
    bytes: 'GET /health HTTP/1.1\nHost: x\n\n',
    answers: { bun: ['505'], node: REFUSED },
  },
  {
    name: 'bare LF between headers',
    bytes: 'GET /health HTTP/1.1\r\nX: y\nHost: x\r\n\r\n',
    answers: REFUSED,
  },
  { name: 'bare CR in a header', bytes: health('X: a\rContent-Length: 40\r\n'), answers: REFUSED },
  { name: 'NUL in a header', bytes: health('X: a\0b\r\n'), answers: REFUSED },
  { name: 'NUL in the name of a header', bytes: health('X\0: b\r\n'), answers: REFUSED },
  { name: 'a header without a name', bytes: health(': b\r\n'), answers: REFUSED },
  { name: 'a header with a space in its name', bytes: health('X y: b\r\n'), answers: REFUSED },
  { name: 'a header of bytes beyond ASCII', bytes: health('X: \xff\r\n'), answers: ['200,200'] },
  { name: 'a head of 20 KB', bytes: health(`X: ${'a'.repeat(20_000)}\r\n`), answers: ['431'] },
  { name: 'a target of 20 KB', bytes: get(`/${'a'.repeat(20_000)}`), answers: ['431'] },
  {
    name: 'three thousand headers',
    bytes: health(Array.from({ length: 3000 }, (_, n) => `X${n}: 1\r\n`).join('')),
    answers: ['431'],
  },

  { name: 'a target with a host', bytes: get('http://evil.example/health'), answers: ['200,200'] },
  {
    name: 'OPTIONS *',
    bytes: 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    answers: { bun: REFUSED, node: ['400,200'] },
  },
  { name: 'TRACE', bytes: health('').replace('GET', 'TRACE'), answers: ['405,200'] },
  {
    name: 'a method that nobody knows',
    bytes: health('').replace('GET', 'FROB'),
    answers: { bun: [''], node: REFUSED },
  },
  {
    name: 'NUL in the target',
    bytes: get('/hea\0lth'),
    answers: { bun: ['505'], node: REFUSED },
  },
  {
    name: 'a space in the target',
    bytes: get('/hea lth'),
    answers: { bun: ['505'], node: REFUSED },
  },
  {
    name: 'bytes beyond ASCII in the target',
    bytes: get('/\xff\xfe'),
    answers: { bun: ['404,200'], node: REFUSED },
  },
  { name: '%00 in the target', bytes: get('/api/v1/files/%00'), answers: ['401,200'] },
  { name: 'a broken escape in the target', bytes: get('/api/v1/files/%zz'), answers: ['401,200'] },
  { name: 'a target above the root', bytes: get('/../../etc/passwd'), answers: ['404,200'] },
  { name: 'a target without a slash', bytes: get('health'), answers: REFUSED },
  {
    name: 'HTTP/0.9',
    bytes: 'GET /health\r\n\r\n',
    answers: { bun: ['505'], node: REFUSED },
  },
  {
    name: 'HTTP/2 without having agreed on it',
    bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    answers: REFUSED,
  },
  { name: 'TLS', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', answers: REFUSED },

  {
    name: 'GET with a body',
    bytes: `${health('Content-Length: 5\r\n')}hello`,
    answers: ['200,200'],
  },
  {
    name: 'GET with a body in chunks',
    bytes: `${health('Transfer-Encoding: chunked\r\n')}5\r\nhello\r\n0\r\n\r\n`,
    answers: ['200,200'],
  },
  {
    name: 'HEAD with a body that is a request',
    bytes: `HEAD /health HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    answers: ['200,200'],
  },
  {
    name: 'a refused request with a body that is a request',
    bytes: `POST /api/v1/tags HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    answers: ['401,200'],
  },
  {
    name: 'another protocol to go on with',
    bytes: health('Connection: Upgrade\r\nUpgrade: h2c\r\n'),
    answers: { bun: ['200,200'], node: ['200'] },
    rests: 'node',
  },
  {
    name: 'something after the last request',
    bytes: LAST + HIDDEN,
    answers: { bun: ['200'], node: ['200', '400'] },
  },
]
