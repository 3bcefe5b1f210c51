import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { checkExchange } from '../../support/contract/watch.ts'
import { withoutInsight } from '../../support/processes.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'

const SIZE = 300 * 2 ** 20
const LIMIT = 64 * 2 ** 20
/** Of an answer, to hold it against the document. */
const KEPT = 64 * 2 ** 10
const START_OF_JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
let server: SpawnedServer
let token: string

before(async () => {
  server = await spawnServer()
  const response = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
  })
  token = ((await response.json()) as { access_token: string }).access_token
})
after(() => server.stop())

/** Makes the peak start from here: that of hashing a password was higher than anything to come. */
function forgetPeak(): void {
  writeFileSync(`/proc/${server.process.pid}/clear_refs`, '5')
}

function residentBytes(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

/**
 * Sends a request whose body follows piece by piece; the answer is read as slowly as `taken` says. Throws
 * when the document has no such answer.
 */
async function exchange(
  head: string[],
  pieces: Iterable<Buffer>,
  taken: (bytes: Buffer) => Promise<void> | void,
): Promise<void> {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [...head, 'Host: x', `Authorization: Bearer ${token}`, 'Connection: close']
  const request = `${lines.join('\r\n')}\r\n\r\n`
  socket.write(request)
  for (const piece of pieces) if (!socket.write(piece)) await once(socket, 'drain')
  let start = Buffer.alloc(0)
  for await (const bytes of socket) {
    if (start.length < KEPT) start = Buffer.concat([start, bytes])
    await taken(bytes)
  }
  checkExchange(server.url, request, start, { headOnly: start.length >= KEPT })
}

const BLOCK = randomBytes(2 ** 20)
const BLOCKS = Array.from({ length: SIZE / BLOCK.length }, () => BLOCK)

/** Uploads a picture of these blocks and returns its id. */
async function upload(blocks: Buffer[]): Promise<string> {
  const start = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'),
    START_OF_JPEG,
  ])
  const end = Buffer.from('\r\n--b--\r\n')
  const length = start.length + blocks.length * BLOCK.length + end.length
  let answer = ''
  await exchange(
    [
      'POST /api/v1/files HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${length}`,
    ],
    [start, ...blocks, end],
    (bytes) => {
      answer += bytes
    },
  )
  assert.match(answer, /^HTTP\/1\.1 201 /)
  return /"id":"([0-9a-f-]{36})"/.exec(answer)![1]!
}

/** The bytes of the file of 300 MB. */
function storedContent(): Buffer {
  const contents = join(server.dataDir, 'files')
  const paths = readdirSync(contents, { recursive: true, encoding: 'utf8' })
  return readFileSync(
    paths.map((path) => join(contents, path)).find((path) => statSync(path).size > SIZE)!,
  )
}

describe('300 MB in little memory', { skip: withoutInsight }, () => {
  let id: string
  it('go up', { timeout: 120_000 }, async () => {
    // V8 lets the space of young objects grow once with the traffic, by 30 to 70 MB, whatever a body's size is.
    await upload(BLOCKS.slice(0, 64))
    forgetPeak()
    const idle = residentBytes('VmRSS')
    id = await upload(BLOCKS)
    assert.ok(residentBytes('VmHWM') - idle < LIMIT, `${residentBytes('VmHWM') - idle} bytes`)
    const digest = (pieces: Buffer[]) => {
      const hash = createHash('sha256')
      for (const piece of pieces) hash.update(piece)
      return hash.digest('hex')
    }
    assert.equal(digest([storedContent()]), digest([START_OF_JPEG, ...BLOCKS]))
  })

  it('come down to a client that is slow', { timeout: 120_000 }, async () => {
    forgetPeak()
    const idle = residentBytes('VmRSS')
    let received = 0
    let chunks = 0
    await exchange([`GET /api/v1/files/${id}/content HTTP/1.1`], [], async (bytes) => {
      received += bytes.length
      if (chunks++ % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    })
    assert.ok(received > SIZE)
    assert.ok(residentBytes('VmHWM') - idle < LIMIT, `${residentBytes('VmHWM') - idle} bytes`)
  })
})
