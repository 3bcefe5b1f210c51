import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { createS3, type S3 } from '../../../src/media/s3/client.ts'
import { S3Error } from '../../../src/media/s3/request.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { signatureFault } from '../../support/s3/signature.ts'
import { type Asked, openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'
import { together } from '../../support/stored-files.ts'

const NAME = 'files/ab/abab'
const KEY = `photos/${NAME}`

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: SmallS3
let s3: S3
/** What the client waits for: pauses are over at once, and limits when a test says so. */
let pauses: number[]
let limits: Set<() => void>
let isOver = false

const deps = {
  wait: async (ms: number) => void pauses.push(ms),
  after(_: number, fn: () => void) {
    limits.add(fn)
    if (isOver) queueMicrotask(fn)
    isOver = false
    return () => limits.delete(fn)
  },
}

before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())
beforeEach(async () => {
  pauses = []
  limits = new Set()
  store = await openSmallS3({ page: 3 })
  s3 = createS3(store.settings, { ...deps, single: 1000, part: 400, piece: 300 })
})
afterEach(() => store.close())

async function file(size: number) {
  const bytes = randomBytes(size)
  const path = join(folder.path, 'file')
  await writeFile(path, bytes)
  return { bytes, path, size, sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function put(size: number, name = NAME) {
  const one = await file(size)
  await s3.put(name, one)
  return one
}

const read = async (...range: [start?: number, end?: number]) => {
  const [start, end] = range
  const given = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
  return together(await s3.stream(NAME, given))
}

const told = (trouble: S3Error['trouble'], message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof S3Error, String(error))
  assert.equal(error.trouble, trouble)
  assert.match(error.message, message)
  assert.doesNotMatch(String(error.stack) + JSON.stringify(error), /secret of the store|AKEXAMPLE/)
  return true
}

describe('the check of signatures', () => {
  it("finds the signature of the specification's example", () => {
    const request = {
      method: 'GET',
      url: '/test.txt',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-amz-date': '20130524T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
          'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
          'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      },
    } as unknown as IncomingMessage
    const signer = {
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
    }
    const then = Date.UTC(2013, 4, 24)
    assert.equal(signatureFault(request, signer, then), null)
    request.url = '/test2.txt'
    assert.equal(signatureFault(request, signer, then), 'SignatureDoesNotMatch')
    assert.equal(signatureFault(request, signer, then + 16 * 60_000), 'RequestTimeTooSkewed')
  })
})

describe('the client of an object store', () => {
  it('stores a file by one request, with its digest', async () => {
    const { bytes, sha256 } = await put(1000)
    const { bytes: stored, sha256: told } = store.objects.get(KEY)!
    assert.deepEqual([stored, told], [bytes, sha256])
    assert.deepEqual(
      store.asked.map(({ method, headers }) => [method, headers['x-amz-content-sha256']]),
      [['PUT', sha256]],
    )
    assert.deepEqual(await s3.head(NAME), { size: 1000, sha256 })
    assert.equal(await s3.head('files/ab/none'), null)
  })

  it('stores a larger file in parts, and completes it once all are there', async () => {
    const { bytes, sha256 } = await put(1701)
    assert.deepEqual(store.objects.get(KEY)!.bytes, bytes)
    assert.deepEqual(await s3.head(NAME), { size: 1701, sha256 })
    assert.equal(store.uploads.size, 0)
    const asked = store.asked.map(({ method, query }) => method + (query.get('partNumber') ?? ''))
    // Two parts are on their way at once, and any of the two comes first.
    const parts = asked.splice(1, 5).sort()
    assert.deepEqual(parts, ['PUT1', 'PUT2', 'PUT3', 'PUT4', 'PUT5'])
    // Parts are listed by three.
    assert.deepEqual(asked, ['POST', 'GET', 'GET', 'POST', 'HEAD'])
  })

  it('stores nothing of a file that changed since it was written', async () => {
    for (const size of [1000, 1701]) {
      const one = await file(size)
      await writeFile(one.path, randomBytes(size))
      await assert.rejects(s3.put(NAME, one))
    }
    assert.deepEqual([store.objects.size, store.uploads.size], [0, 0])
  })

  it('aborts an upload whose parts the store has lost', async () => {
    store.trouble = ({ query }) => {
      // Which is sent once the second is there.
      if (query.get('partNumber') === '4') [...store.uploads.values()][0]!.parts.delete(2)
      return undefined
    }
    await assert.rejects(put(1701), told('away', /not all parts/))
    assert.deepEqual([store.objects.size, store.uploads.size], [0, 0])
  })

  it('is told to try again when the store has lost an upload', async () => {
    store.trouble = ({ query }) => {
      if (query.get('partNumber') === '4') store.uploads.clear()
      return undefined
    }
    await assert.rejects(put(1701), told('away', /has removed an upload/))
    assert.equal(store.objects.size, 0)
  })

  it('knows that an upload is complete although the answer was lost', async () => {
    store.trouble = ({ method, query, headers }) =>
      method === 'POST' && query.has('uploadId') && headers['x-amz-date'] ? 'lost' : undefined
    const { bytes } = await put(1701)
    assert.deepEqual(store.objects.get(KEY)!.bytes, bytes)
  })

  it('reads back what it has stored when that is asked for, and says when it is not the same', async () => {
    const settings = { ...store.settings, isReadBack: true }
    s3 = createS3(settings, { ...deps, single: 1000, part: 400, piece: 300 })
    const ranges = () => store.asked.flatMap(({ headers }) => headers.range ?? [])
    const pieces = ['bytes=0-299', 'bytes=300-599', 'bytes=600-899']
    await put(1000)
    assert.deepEqual(ranges(), [...pieces, 'bytes=900-999'])
    store.asked.length = 0
    await put(1001)
    assert.deepEqual(ranges(), [...pieces, 'bytes=900-1000'])
    store.trouble = ({ method, key, headers }) => {
      // What it has on its disk is not what it has compared.
      if (method === 'GET' && headers.range) store.objects.get(key)!.bytes[7]! ^= 1
      return undefined
    }
    for (const size of [200, 1001]) {
      await assert.rejects(put(size), told('refused', /something else than what it was sent/))
    }
  })

  it('reads ranges, in pieces', async () => {
    const { bytes } = await put(1000)
    assert.deepEqual(await read(), bytes)
    assert.deepEqual(await read(0, 1), bytes.subarray(0, 1))
    assert.deepEqual(await read(299, 901), bytes.subarray(299, 901))
    assert.deepEqual(await read(999), bytes.subarray(999))
    await assert.rejects(read(0, 1001), /shorter than when it was stored/)
    const largest = store.asked.map(({ headers }) => /(\d+)-(\d+)/.exec(headers.range ?? ''))
    for (const range of largest) if (range) assert.ok(Number(range[2]) - Number(range[1]) < 300)
  })

  it('fills the buffer that it is given', async () => {
    const { bytes } = await put(1000)
    const buffer = Buffer.alloc(128)
    const pieces: Buffer[] = []
    for await (const piece of await s3.stream(NAME, { start: 10, buffer })) {
      pieces.push(Buffer.from(piece))
    }
    assert.deepEqual(Buffer.concat(pieces), bytes.subarray(10))
    assert.deepEqual(
      pieces.map(({ length }) => length),
      [...Array(7).fill(128), 94],
    )
  })

  it('says that an object is absent, and removes what is there', async () => {
    await assert.rejects(read(), told('absent', /404 NoSuchKey/))
    await put(10)
    await s3.remove(NAME)
    await s3.remove(NAME)
    assert.equal(store.objects.size, 0)
  })

  it('lists all objects below its prefix', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((one) => `files/${one}`)
    for (const [n, name] of names.entries()) await put(n, name)
    await createS3({ ...store.settings, prefix: 'others/' }).put('files/h', await file(1))
    const listed: unknown[] = []
    for await (const one of s3.list()) listed.push(one)
    assert.deepEqual(
      listed,
      names.map((name, size) => ({ name, size })),
    )
    const some: string[] = []
    for await (const { name } of s3.list('files/g')) some.push(name)
    assert.deepEqual(some, ['files/g'])
  })

  it('creates an object only once', async () => {
    assert.equal(await s3.create('.library', 'one'), true)
    assert.equal(await s3.create('.library', 'two'), false)
    assert.equal(store.objects.get('photos/.library')!.bytes.toString(), 'one')
  })

  it('lists and aborts what a stop has left', async () => {
    const isPart = ({ method, query }: Asked) =>
      method === 'PUT' && Number(query.get('partNumber')) > 1
    const isEnd = ({ method }: Asked) => method === 'DELETE' || method === 'HEAD'
    store.trouble = (asked) => (isPart(asked) || isEnd(asked) ? 403 : undefined)
    for (const name of ['1', '2', '3', '4']) await assert.rejects(put(1701, `files/${name}`))
    store.trouble = () => undefined
    const found: [string, number][] = []
    for await (const one of s3.listUploads()) found.push([one.name, await s3.abort(one)])
    assert.deepEqual(found, [
      ['files/1', 400],
      ['files/2', 400],
      ['files/3', 400],
      ['files/4', 400],
    ])
    assert.equal(store.uploads.size, 0)
  })

  it('tries a few times when the store is overloaded or cuts off', async () => {
    for (const trouble of [500, 503, 429, 'lost'] as const) {
      pauses = []
      // A runtime may try a lost request once more by itself.
      store.trouble = () => (pauses.length < 2 ? trouble : undefined)
      await put(10)
      assert.deepEqual(pauses, [200, 1000], String(trouble))
    }
    store.trouble = () => 500
    await assert.rejects(read(), told('away', /500 AsTheTestWants to a GET/))
    await store.close()
    await assert.rejects(read(), told('away', /can't be reached/))
  })

  it('goes on where an object was cut off', async () => {
    const { bytes } = await put(1000)
    const troubles = ['cut', undefined, 'cut', 'cut'] as const
    let n = 0
    store.trouble = () => troubles[n++]
    assert.deepEqual(await read(), bytes)
    // However often that happens on the way through a large one.
    n = 0
    store.trouble = () => (n++ % 2 === 1 ? 'cut' : undefined)
    const inSmallPieces = createS3(store.settings, { ...deps, piece: 60 })
    assert.deepEqual(await together(await inSmallPieces.stream(NAME)), bytes)
    assert.ok(n > 20)
    store.trouble = ({ headers }) => (headers.range?.startsWith('bytes=0-') ? undefined : 'cut')
    const pieces = await s3.stream(NAME)
    await assert.rejects(together(pieces), told('away', /reached|middle/))
  })

  it('gives up on a store that does not answer', async () => {
    await put(1000)
    store.trouble = () => {
      // The only limit under way is that of this request.
      for (const fn of limits) fn()
      return 'silent'
    }
    await assert.rejects(read(), told('away', /in time/))
    await assert.rejects(s3.head(NAME), told('away', /in time/))
    await assert.rejects(put(10), told('away', /in time/))
    assert.deepEqual([pauses, limits.size], [[], 0])
  })

  it('gives up on a store that stops in the middle, and asks it again', async () => {
    const { bytes } = await put(1000)
    store.trouble = ({ headers }) => (headers.range?.startsWith('bytes=0-') ? 'slow' : undefined)
    const pieces: Uint8Array[] = []
    for await (const piece of await s3.stream(NAME)) {
      pieces.push(piece)
      // What comes next never does, and the limit for it is over at once.
      if (pieces.length === 1) isOver = true
    }
    assert.deepEqual(Buffer.concat(pieces), bytes)
  })

  it('takes nothing for absent because something before the store knows of no store', async () => {
    const proxy = createServer((_, response) => void response.writeHead(404).end('no such page'))
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const s3 = createS3({ ...store.settings, endpoint: `http://127.0.0.1:${port}` }, deps)
    try {
      await assert.rejects(s3.stream(NAME), told('away', /answered 404 to a GET/))
      await assert.rejects(s3.remove(NAME), told('away', /answered 404 to a DELETE/))
    } finally {
      proxy.close()
    }
  })

  it('takes no other bytes than those it has asked for', async () => {
    const headers = { 'content-range': 'bytes 0-9/100' }
    const proxy = createServer((_, response) => void response.writeHead(206, headers).end('wrong'))
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const s3 = createS3({ ...store.settings, endpoint: `http://127.0.0.1:${port}` }, deps)
    try {
      const other = s3.stream(NAME, { start: 5, end: 15 })
      await assert.rejects(other, told('refused', /sends no ranges/))
    } finally {
      proxy.close()
    }
  })

  it('says what a store refuses, and why, without any secret', async () => {
    await put(10)
    for (const [changes, message] of [
      [{ secretKey: 'wrong' }, /403 SignatureDoesNotMatch/],
      [{ accessKey: 'nobody' }, /403 InvalidAccessKeyId/],
      [{ region: 'elsewhere' }, /403 AuthorizationHeaderMalformed/],
      [{ bucket: 'unknown' }, /404 NoSuchBucket/],
    ] as const) {
      const other = createS3({ ...store.settings, ...changes }, deps)
      await assert.rejects(other.stream(NAME), told('refused', message))
    }
    const late = createS3(store.settings, { ...deps, clock: () => Date.now() - 3_600_000 })
    await assert.rejects(late.stream(NAME), told('refused', /403 RequestTimeTooSkewed/))
    assert.deepEqual(pauses, [])
  })
})
