import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DetailedError, Upload } from 'tus-js-client'
import { freePort } from '../../support/free-port.ts'
import { picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const MB = 1e6
const SIZE = process.env.MATRIX === 'all' ? 2 ** 31 : 150 * MB
/** What the proxy lets through in one request, as many do. */
const MOST = 100 * MB
/** How many requests are cut, and the most bytes that come of one. */
const CUTS = 8
const LONGEST = Math.min(80 * MB, SIZE / 10)

let folder: string
let port: number
let server: SpawnedServer
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-tus-'))
  port = await freePort()
  await startServer()
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function startServer(): Promise<void> {
  const env = { PORT: String(port), MAX_UPLOAD_SIZE: '2GiB' }
  server = await spawnServer({ env, dataDir: join(folder, 'data') })
}

/** Makes a picture with a long end, whose place is written into each of its pieces, and returns its path. */
async function makeFile(): Promise<string> {
  const path = join(folder, 'long.jpg')
  const file = await open(path, 'wx')
  await file.write(await picture(7))
  for (let at = MB; at < SIZE; at += MB) await file.write(`piece ${at}`, at)
  await file.truncate(SIZE)
  await file.close()
  return path
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Starts a proxy that refuses large bodies, cuts the first ones in their middle and loses the answer that tells of the
 * file. `onCut` is called after each cut.
 */
async function startProxy(onCut: (count: number) => void) {
  // A linear congruential generator: the same cuts in each run.
  let state = 20_261_130
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const seen = { cuts: 0, lost: 0, refused: 0 }
  const proxy = createServer((asked, answer) => {
    if (Number(asked.headers['content-length'] ?? 0) > MOST) {
      seen.refused++
      answer.writeHead(413, { Connection: 'close' }).end()
      return
    }
    const { method, url: path, headers } = asked
    const onward = request({ port, host: '127.0.0.1', method, path, headers })
    const end = () => {
      onward.destroy()
      asked.socket.destroy()
    }
    onward.on('error', end)
    asked.on('error', end)
    onward.on('response', (answered) => {
      if (answered.headers['upload-file-id'] && seen.lost++ === 0) return end()
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    const isCut = method === 'PATCH' && seen.cuts < CUTS
    let left = isCut ? random() * LONGEST : Number.POSITIVE_INFINITY
    asked.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left > 0) return
      left = Number.POSITIVE_INFINITY
      end()
      onCut(++seen.cuts)
    })
    asked.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { port: (proxy.address() as AddressInfo).port, seen, close: () => proxy.close() }
}

describe('tus-js-client', () => {
  it('brings a large file through a proxy that cuts, and over a restart', {
    timeout: 600_000,
  }, async () => {
    const path = await makeFile()
    let restarted: Promise<void> | undefined
    const proxy = await startProxy((count) => {
      if (count === CUTS / 2) restarted = server.stop('SIGKILL').then(startServer)
    })
    const headers = { Authorization: `Bearer ${await signIn(server)}` }
    const send = (chunkSize: number) =>
      new Promise<string>((resolve, reject) => {
        const upload = new Upload(createReadStream(path), {
          endpoint: `http://127.0.0.1:${proxy.port}/api/v1/uploads`,
          headers,
          chunkSize,
          uploadSize: SIZE,
          metadata: { filename: 'long.jpg', notes: 'in parts' },
          retryDelays: [0, 500, 1000, 2000, 4000, 8000, 16_000, 16_000],
          onError: reject,
          onSuccess: () => resolve(new URL(upload.url!).pathname),
        })
        upload.start()
      })
    await assert.rejects(send(MOST + 1), (error: DetailedError) => {
      return error.originalResponse?.getStatus() === 413
    })
    const uploaded = await send(90 * MB)
    await restarted
    assert.deepEqual([proxy.seen.cuts, proxy.seen.lost > 0], [CUTS, true])
    const ask = (path: string) => fetch(`${server.url}${path}`, { headers })
    const { file_id } = (await (await ask(uploaded)).json()) as { file_id: string }
    const { items } = (await (await ask('/api/v1/files')).json()) as {
      items: { id: string; original_name: string; notes: string; size: number }[]
    }
    assert.deepEqual(
      items.map(({ id, original_name, notes, size }) => ({ id, original_name, notes, size })),
      [{ id: file_id, original_name: 'long.jpg', notes: 'in parts', size: SIZE }],
    )
    const content = await ask(`/api/v1/files/${file_id}/content`)
    const expected = await digestOf(createReadStream(path))
    assert.equal(await digestOf(content.body as AsyncIterable<Uint8Array>), expected)
    proxy.close()
  })
})
