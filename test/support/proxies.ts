import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { without } from './media/media.ts'

/** The name that the blocks of docs/proxy.md are for. */
const HOST = 'photos.example.org'

/** A request through a proxy. */
interface Sent extends Pick<RequestOptions, 'method' | 'headers'> {
  /** The address that the client has, of this machine; by default 127.0.0.2, as the proxy's own is trusted. */
  from?: string
  body?: string | Buffer
}

/** A proxy of its own, in front of one server. */
export interface RunningProxy {
  /** Sends a request over TLS and returns the answer as soon as its head is there. */
  ask(path: string, sent?: Sent): Promise<IncomingMessage>
  stop(): Promise<void>
}

interface Place {
  folder: string
  /** Where the server is, as `127.0.0.1:3000`. */
  server: string
  port: number
}

interface Kind {
  /** What `without` takes: how it tells its version. */
  version: string
  /** Returns the whole configuration around the block of the documentation. */
  configure(block: string, place: Place): string
  line(config: string): string[]
}

const KINDS = {
  nginx: {
    version: '-v',
    configure(block, { folder, server, port }) {
      const own = replaced(block, {
        'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
        [`/etc/letsencrypt/live/${HOST}/fullchain.pem`]: `${folder}/certificate.pem`,
        [`/etc/letsencrypt/live/${HOST}/privkey.pem`]: `${folder}/key.pem`,
        '127.0.0.1:3000': server,
      })
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};\n`,
      )
      return `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {
access_log off;\n${temporary.join('')}${own}}\n`
    },
    line: (config) => ['-c', config],
  },
  caddy: {
    version: 'version',
    configure(block, { folder, server, port }) {
      const own = replaced(block, {
        // Without a network, there is nobody who would give it a certificate.
        [`${HOST} {`]: `${HOST} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
        '127.0.0.1:3000': server,
      })
      const options = ['admin off', 'auto_https disable_redirects', `https_port ${port}`]
      const around = [...options, 'default_bind 127.0.0.1', `storage file_system ${folder}`]
      return `{\n\t${around.join('\n\t')}\n}\n${own}`
    },
    line: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
} satisfies Record<string, Kind>

type Name = keyof typeof KINDS

/** The proxies that docs/proxy.md has a block for. */
export const PROXIES = Object.keys(KINDS) as Name[]

/** For a test's `skip`: false when the proxy is there, and what makes its certificate. */
export function withoutProxy(name: Name): string | false {
  return without(name, KINDS[name].version) || without('openssl', 'version')
}

/** Starts a proxy, on a port of its own, by the block of docs/proxy.md. Throws when it doesn't start. */
export async function startProxy(name: Name, server: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `tagstead-${name}-`))
  const kind = KINDS[name]
  const port = await freePort()
  const ca = makeCertificate(folder)
  const config = join(folder, 'config')
  const place = { folder, server: new URL(server).host, port }
  writeFileSync(config, kind.configure(blockFor(name), place))
  const child = spawn(name, kind.line(config), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder },
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ask = (path: string, { from = '127.0.0.2', body, ...sent }: Sent = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const to = { host: '127.0.0.1', port, servername: HOST, localAddress: from, ca, agent: false }
      const headers = { Host: HOST, ...sent.headers }
      request({ ...to, path, ...sent, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
  const isUp = () =>
    ask('/health').then(
      (answer) => answer.resume().statusCode === 200,
      () => false,
    )
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    process.off('exit', kill)
    rmSync(folder, { recursive: true })
  }
  try {
    await Promise.race([eventually(isUp), endOf(child)])
  } catch (error) {
    await stop()
    throw error
  }
  return { ask, stop }
}

function blockFor(name: string): string {
  const [, block] = new RegExp(`\`\`\`${name}\n(.*?)\`\`\``, 's').exec(
    readFileSync('docs/proxy.md', 'utf8'),
  )!
  return block!
}

/** Throws when something isn't there to be replaced, which would be tried as it is printed. */
function replaced(block: string, texts: Record<string, string>): string {
  let result = block
  for (const [printed, own] of Object.entries(texts)) {
    if (!block.includes(printed)) throw new Error(`docs/proxy.md has no ${printed}`)
    result = result.replace(printed, own)
  }
  return result
}

/** Makes a key and a certificate for a day, and returns the certificate. */
function makeCertificate(folder: string): string {
  const what = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const to = ['-nodes', '-days', '1', '-keyout', 'key.pem', '-out', 'certificate.pem']
  execFileSync('openssl', [...what, ...names, ...to], { cwd: folder, stdio: 'pipe' })
  return readFileSync(join(folder, 'certificate.pem'), 'utf8')
}

/** Rejects when a proxy ends, with what it has said. */
async function endOf(child: ChildProcess): Promise<never> {
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  throw new Error(`${child.spawnfile} ended with ${code}: ${said}`)
}
