import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { picture } from '../support/harness.ts'
import { commandLine, type Runtime, type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { signIn } from '../torture/upload.ts'
import { printTable } from './measure.ts'

const run = promisify(execFile)
const RUNTIMES = (process.env.BENCH_RUNTIMES ?? 'bun,node').split(',') as Runtime[]
const ROUNDS = 3
const SECONDS = 2
const CONNECTIONS = 8
/** Files of the list page. */
const FILES = 50
const BARE = fileURLToPath(new URL('serving/bare.ts', import.meta.url))
const RANGE = 'bytes=1048576-1114111'

/** What is asked of the server and of a peer, and which part of the peer's rate it is to have. */
interface Case {
  what: string
  ours: string
  peer: string
  range?: string
  goal: Record<Runtime, number>
}

/**
 * Prints how many requests per second the server answers, asked by wrk over eight connections, compared
 * with a bare application of Hono or with nginx on one core, in turns in the same run, best of three.
 * Throws when a goal is missed.
 */
export async function bench(): Promise<void> {
  if (!(await isThere('wrk', '-v')) || !(await isThere('nginx', '-v'))) {
    process.stdout.write('\nserving: needs wrk and nginx, left out\n')
    return
  }
  let missed = 0
  for (const runtime of RUNTIMES) missed += await benchOn(runtime)
  if (missed > 0) throw new Error(`${missed} rates are lower than they may be`)
}

/** `wrk -v` ends with 1, and says what it is. */
function isThere(program: string, flag: string): Promise<boolean> {
  return run(program, [flag]).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

/** Returns how many goals are missed. */
async function benchOn(runtime: Runtime): Promise<number> {
  const server = await spawnServer({ runtime, env: { ACCESS_TOKEN_TTL: '1d' } })
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-serving-'))
  const peers: ChildProcess[] = []
  try {
    const token = await signIn(server)
    const id = await fill(server, token, folder)
    const bare = await spawnBare(runtime, join(folder, 'page.json'), peers)
    const nginx = await spawnNginx(folder, peers)
    const cases = casesOf({ url: server.url, bare, nginx, id })
    for (const one of cases) await assertAlike(one, token)
    const rows = []
    for (const one of cases) rows.push(await rowOf(one, { token, goal: one.goal[runtime] }))
    printTable(`${runtime}, requests per second over ${CONNECTIONS} connections`, rows)
    return rows.filter(({ held }) => held === 'NO').length
  } finally {
    for (const peer of peers) peer.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function casesOf({
  url,
  bare,
  nginx,
  id,
}: Record<'url' | 'bare' | 'nginx' | 'id', string>): Case[] {
  const files = `${url}/api/v1/files`
  const [content, stored] = [`${files}/${id}/content`, `${nginx}/content`]
  return [
    {
      what: '/health, to a bare route',
      ours: `${url}/health`,
      peer: `${bare}/health`,
      goal: { bun: 0.55, node: 0.55 },
    },
    {
      what: `page of ${FILES} files, to its value as JSON`,
      ours: files,
      peer: `${bare}/page`,
      goal: { bun: 0.4, node: 0.6 },
    },
    {
      what: 'thumbnail, to nginx',
      ours: `${files}/${id}/thumbnail`,
      peer: `${nginx}/thumbnail`,
      goal: { bun: 0.15, node: 0.08 },
    },
    {
      what: '64 KiB of a content, to nginx',
      ours: content,
      peer: stored,
      range: RANGE,
      goal: { bun: 0.35, node: 0.2 },
    },
    {
      what: 'content of 5 MB, to nginx',
      ours: content,
      peer: stored,
      goal: { bun: 0.8, node: 0.7 },
    },
  ]
}

/** Uploads pictures, writes what the peers send to a folder, and returns the id of the largest. */
async function fill({ url }: SpawnedServer, token: string, folder: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers })
    return Buffer.from(await response.arrayBuffer())
  }
  const add = async (bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData()
    body.set('file', new Blob([bytes]), 'picture')
    const response = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body })
    return ((await response.json()) as { id: string }).id
  }
  for (let n = 1; n < FILES; n++) await add(new Uint8Array(await picture(n)))
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width: 1500, height: 1500, channels: 3, background: '#888', noise } as const
  const content = await sharp({ create }).png().toBuffer()
  const id = await add(new Uint8Array(content))
  writeFileSync(join(folder, 'content'), content)
  writeFileSync(join(folder, 'thumbnail'), await get(`/files/${id}/thumbnail`))
  writeFileSync(join(folder, 'page.json'), await get('/files'))
  return id
}

async function spawnBare(runtime: Runtime, page: string, peers: ChildProcess[]): Promise<string> {
  const [program, ...args] = commandLine(runtime, BARE)
  const child = spawn(program, [...args, page], { stdio: ['ignore', 'pipe', 'inherit'] })
  peers.push(child)
  const [said] = await Promise.race([once(child.stdout, 'data'), endOf(child)])
  return /http:\S+/.exec(String(said))![0]
}

async function spawnNginx(folder: string, peers: ChildProcess[]): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
     user root; events { worker_connections 64; }
     http { access_log off; sendfile on; open_file_cache max=100; keepalive_requests 1000000;
       server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  peers.push(child)
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => {
    while (!(await fetch(`${url}/thumbnail`).catch(() => null))?.ok) await setTimeout(20)
  }
  await Promise.race([isUp(), endOf(child)])
  return url
}

/** Rejects when a peer ends. */
async function endOf(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'close')
  throw new Error(`${child.spawnfile} ended with ${code}`)
}

/** Throws unless the server and the peer send the same; of JSON, as many bytes. */
async function assertAlike({ what, ours, peer, range }: Case, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, ...(range && { Range: range }) }
  const [own, other] = await Promise.all(
    [ours, peer].map(async (url) => {
      const response = await fetch(url, { headers })
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
    }),
  )
  assert.equal(own!.status, other!.status, what)
  // The value has lost digits of integers of 64 bits, and a bare answer says nothing of versions.
  const isJson = peer.endsWith('/page') || peer.endsWith('/health')
  if (!isJson) assert.ok(own!.bytes.equals(other!.bytes), what)
  else if (peer.endsWith('/page')) assert.equal(own!.bytes.length, other!.bytes.length, what)
}

async function rowOf(one: Case, { token, goal }: { token: string; goal: number }) {
  const headers = [`Authorization: Bearer ${token}`, ...(one.range ? [`Range: ${one.range}`] : [])]
  let [ours, peer, ratio] = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const rates = [await rateOf(one.ours, headers), await rateOf(one.peer, headers)] as const
    if (rates[0] / rates[1] < ratio) continue
    ;[ours, peer] = rates
    ratio = ours / peer
  }
  return { what: one.what, ours, peer, ratio, goal, held: ratio >= goal ? 'yes' : 'NO' }
}

/** Returns requests per second; throws when one isn't answered as it should be. */
async function rateOf(url: string, headers: string[]): Promise<number> {
  const asked = headers.flatMap((header) => ['-H', header])
  const way = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${SECONDS}s`]
  const { stdout } = await run('wrk', [...way, ...asked, url], { timeout: 30_000 })
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1])
}
