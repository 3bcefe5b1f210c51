import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { picture } from '../support/harness.ts'
import { type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { printTable, resident } from './measure.ts'

const SIZE = 300_000_000
const MIB = 2 ** 20
const CHUNK = Buffer.alloc(MIB, 'a photograph is worth a thousand words, ')
const EDGE = 'the-edge-of-the-form'

/** Prints how much memory the server takes beyond its idle state while 300 MB go in and out. */
export async function bench(): Promise<void> {
  if (!existsSync('/proc/self/clear_refs')) {
    process.stdout.write('\nmemory: needs the /proc of Linux\n')
    return
  }
  const rows = []
  for (const runtime of ['bun', 'node'] as const) rows.push(...(await rowsOf(runtime)))
  printTable('memory of a server that has just started, in MiB: at most 64 more than idle', rows)
}

async function rowsOf(runtime: Runtime) {
  const server = await spawnServer({ runtime })
  try {
    const token = await signIn(server)
    const small = await picture()
    let sent = { id: '', sha256: '' }
    let received = ''
    const rows = [
      await growth(server, `upload of 300 MB, ${runtime}`, async () => {
        sent = await upload(server, token, padded(small, SIZE))
      }),
      await growth(server, `download of 300 MB, ${runtime}`, async () => {
        received = await download(server, token, sent.id)
      }),
    ]
    if (received !== sent.sha256) throw new Error('What came back is not what was sent')
    return rows
  } finally {
    await server.stop()
  }
}

/** Yields a picture, and bytes after its end up to `size`. */
function* padded(start: Uint8Array, size: number): Iterable<Uint8Array> {
  yield start
  for (let left = size - start.length; left > 0; left -= CHUNK.length) {
    yield CHUNK.subarray(0, Math.min(left, CHUNK.length))
  }
}

async function growth(server: SpawnedServer, name: string, work: () => Promise<void>) {
  const { pid } = server.process
  const idle = resident(pid, 'VmRSS')
  // The peak is counted from here.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const peak = resident(pid, 'VmHWM')
  return { name, idle, peak, growth: peak - idle, 'MB/s': SIZE / 1e6 / seconds }
}

async function upload(
  { url }: SpawnedServer,
  token: string,
  chunks: Iterable<Uint8Array>,
): Promise<{ id: string; sha256: string }> {
  const outgoing = request(`${url}/api/v1/files`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': `multipart/form-data; boundary=${EDGE}`,
    },
  })
  const answered = once(outgoing, 'response')
  const head = `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n`
  outgoing.write(head)
  const hash = createHash('sha256')
  for (const chunk of chunks) {
    hash.update(chunk)
    if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  }
  outgoing.end(`\r\n--${EDGE}--\r\n`)
  const [incoming] = await answered
  let text = ''
  for await (const piece of incoming) text += piece
  if (incoming.statusCode !== 201) throw new Error(`The upload was answered ${text}`)
  return { id: JSON.parse(text).id, sha256: hash.digest('hex') }
}

/** Returns the digest of the content. */
async function download({ url }: SpawnedServer, token: string, id: string): Promise<string> {
  const outgoing = request(`${url}/api/v1/files/${id}/content`, {
    headers: { Authorization: `Bearer ${token}` },
  }).end()
  const [incoming] = await once(outgoing, 'response')
  const hash = createHash('sha256')
  for await (const chunk of incoming) hash.update(chunk)
  return hash.digest('hex')
}
