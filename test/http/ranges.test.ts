import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sendFile } from '../../src/http/ranges.ts'
import { type ReadRange, streamFile } from '../../src/media/file-bytes.ts'
import { checkExchange } from '../support/contract/watch.ts'
import { eventually } from '../support/eventually.ts'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'

const SMALL = Buffer.from('0123456789')
/** More than the kernel takes off our hands for a client that reads nothing. */
const LARGE = Buffer.alloc(
  24 * 2 ** 20,
  (() => Buffer.from(Array.from({ length: 251 }, (_, i) => i)))(),
)
const MODIFIED = Date.parse('2024-05-06T07:08:09.900Z')
const LAST_MODIFIED = 'Mon, 06 May 2024 07:08:09 GMT'
/** As large as previews are. */
const MIDDLING = LARGE.subarray(0, 200_000)
const contents: Record<string, Buffer> = {
  small: SMALL,
  middling: MIDDLING,
  large: LARGE,
  empty: Buffer.alloc(0),
}
let server: SmallServer

before(async () => {
  server = await startSmallServer(async (app, folder) => {
    for (const [name, bytes] of Object.entries(contents)) await writeFile(join(folder, name), bytes)
    app.get('/api/v1/files/:name/content', (c) => {
      const name = c.req.param('name')
      const file = {
        stream: (range: ReadRange) => streamFile(join(folder, name), range),
        size: contents[name]!.length,
        etag: '"v1"',
        modified: MODIFIED,
        isDateStrong: c.req.query('date') !== 'weak',
        headers: { 'Content-Type': 'image/jpeg', 'Content-Disposition': 'inline' },
      }
      const window = Number(c.req.query('window') ?? 30_000)
      return sendFile(c, file, { window, bytes: 1 })
    })
  })
})
after(() => server.stop())

/** How many handles on the files of this test are open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(server.folder)
    } catch {
      return false
    }
  }).length
}

/** Of a file and a query, like `small?date=weak`. */
function pathOf(name: string): string {
  const { pathname, search } = new URL(name, server.url)
  return `/api/v1/files${pathname}/content${search}`
}

function get(name: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(server.url + pathOf(name), { headers, method })
}

describe('a file', () => {
  it('is sent whole with its validators and the headers of the middlewares', async () => {
    const response = await get('small')
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '0123456789')
    const headers = Object.fromEntries(
      [...response.headers].filter(
        ([name]) => !/^(date|connection|keep-alive|x-request-id|tagstead-version)$/.test(name),
      ),
    )
    assert.deepEqual(headers, {
      'accept-ranges': 'bytes',
      'content-disposition': 'inline',
      'content-length': '10',
      'content-type': 'image/jpeg',
      etag: '"v1"',
      'last-modified': LAST_MODIFIED,
      'x-before': 'set by a middleware',
      'x-after': 'saw 200',
    })
  })

  it('tells its length as a whole and in pieces, unless it is large', async () => {
    for (const [range, bytes] of [
      [{}, MIDDLING],
      [{ Range: 'bytes=0-65535' }, MIDDLING.subarray(0, 65_536)],
    ] as const) {
      const response = await get('middling', range)
      assert.equal(response.headers.get('Content-Length'), String(bytes.length))
      assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())))
    }
  })

  it('is sent in chunks when it is large, also in several pieces at once', async () => {
    const whole = Buffer.from(await (await get('large')).arrayBuffer())
    assert.ok(whole.equals(LARGE))
    const step = 5_000_000
    const starts = Array.from({ length: 5 }, (_, i) => i * step)
    const pieces = await Promise.all(
      starts.map(async (start) => {
        const response = await get('large', { Range: `bytes=${start}-${start + step - 1}` })
        assert.equal(response.status, 206)
        return Buffer.from(await response.arrayBuffer())
      }),
    )
    assert.ok(Buffer.concat(pieces).equals(LARGE.subarray(0, 5 * step)))
    await eventually(() => openFiles() === 0)
  })

  it('may be empty', async () => {
    const response = await get('empty')
    assert.deepEqual([response.status, await response.text()], [200, ''])
  })

  for (const name of Object.keys(contents)) {
    it(`has its length told by HEAD (${name})`, async () => {
      const response = await get(name, {}, 'HEAD')
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-length'), String(contents[name]!.length))
      assert.equal(response.headers.get('etag'), '"v1"')
      assert.equal(await response.text(), '')
    })
  }
})

describe('a range', () => {
  const satisfied: [string, string, string][] = [
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-500', '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99999999999999999999', '56789', 'bytes 5-9/10'],
    ['Bytes=1-1', '1', 'bytes 1-1/10'],
  ]
  for (const [range, expected, contentRange] of satisfied) {
    it(`${range} gives ${contentRange}`, async () => {
      const response = await get('small', { Range: range })
      const { status, headers } = response
      assert.deepEqual(
        [
          status,
          await response.text(),
          headers.get('content-range'),
          headers.get('content-length'),
        ],
        [206, expected, contentRange, String(expected.length)],
      )
      const head = await get('small', { Range: range }, 'HEAD')
      assert.equal(head.status, 206)
      assert.equal(head.headers.get('content-length'), String(expected.length))
    })
  }

  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-']) {
    it(`${range} lies outside: 416`, async () => {
      const response = await get('small', { Range: range })
      assert.equal(response.status, 416)
      assert.equal(response.headers.get('content-range'), 'bytes */10')
      assert.equal(((await response.json()) as { code: string }).code, 'range_not_satisfiable')
    })
  }

  for (const range of [
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes',
    'items=0-1',
    'bytes=a-b',
  ]) {
    it(`${range} is as if it were not there`, async () => {
      const response = await get('small', { Range: range })
      assert.deepEqual([response.status, await response.text()], [200, '0123456789'])
    })
  }

  it('of an empty file is 416', async () => {
    assert.equal((await get('empty', { Range: 'bytes=0-' })).status, 416)
    assert.equal((await get('empty', { Range: 'bytes=-5' })).status, 416)
  })

  const conditions: [string, number][] = [
    ['"v1"', 206],
    ['"v0"', 200],
    ['W/"v1"', 200],
    [LAST_MODIFIED, 206],
    ['Mon, 06 May 2024 07:08:08 GMT', 200],
  ]
  for (const [condition, status] of conditions) {
    it(`with If-Range: ${condition} is ${status}`, async () => {
      const response = await get('small', { Range: 'bytes=0-1', 'If-Range': condition })
      assert.equal(response.status, status)
      await response.text()
    })
  }

  it('with If-Range: a date that may stand for other bytes too is 200', async () => {
    const headers = { Range: 'bytes=0-1', 'If-Range': LAST_MODIFIED }
    const response = await get('small?date=weak', headers)
    assert.deepEqual([response.status, await response.text()], [200, '0123456789'])
    const tagged = await get('small?date=weak', { ...headers, 'If-Range': '"v1"' })
    assert.deepEqual([tagged.status, await tagged.text()], [206, '01'])
  })
})

describe('a client that has the file', () => {
  const cases: [Record<string, string>, number][] = [
    [{ 'If-None-Match': '"v1"' }, 304],
    [{ 'If-None-Match': '"v0", W/"v1"' }, 304],
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': '"v0"' }, 200],
    [{ 'If-Modified-Since': LAST_MODIFIED }, 304],
    [{ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:08 GMT' }, 200],
    [{ 'If-Modified-Since': 'yesterday' }, 200],
    [{ 'If-None-Match': '"v0"', 'If-Modified-Since': LAST_MODIFIED }, 200],
    [{ 'If-None-Match': '"v1"', Range: 'bytes=0-1' }, 304],
  ]
  for (const [headers, status] of cases) {
    it(`gets ${status} for ${JSON.stringify(headers)}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const response = await get('small', headers, method)
        assert.equal(response.status, status)
        assert.equal(response.headers.get('etag'), '"v1"')
        if (status === 304) assert.equal(await response.text(), '')
        else await response.text()
      }
    })
  }
})

describe('a client that does not go on', () => {
  /** Asks for the large file and stops reading after its first bytes. */
  async function begin(query = ''): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    const request = `GET ${pathOf(`large${query}`)} HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(request)
    let start = Buffer.alloc(0)
    while (!start.includes('\r\n\r\n')) {
      start = Buffer.concat([start, ...(await once(socket, 'data'))])
    }
    socket.pause()
    checkExchange(server.url, request, start, { headOnly: true })
    return socket
  }

  it('and hangs up leaves no handle open', async () => {
    const sockets = await Promise.all([begin(), begin(), begin()])
    assert.equal(openFiles(), 3)
    for (const socket of sockets) socket.destroy()
    await eventually(() => openFiles() === 0)
  })

  it('and takes nothing is cut off', async () => {
    const socket = await begin('?window=200')
    await eventually(() => openFiles() === 0)
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    socket.resume()
    // `once` would take a reset for a failure; it is one way of being cut off.
    await new Promise((resolve) => socket.on('close', resolve))
    assert.ok(received < LARGE.length)
  })
})
