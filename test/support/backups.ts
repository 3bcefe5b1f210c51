import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Finding } from '../../src/keep/check/finding.ts'
import { runToEnd, type SpawnedServer } from './spawn.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A server as somebody uses it who has signed in. */
export async function signIn(server: Pick<SpawnedServer, 'url' | 'adminPassword'>) {
  const login = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
  })
  assert.equal(login.status, 200)
  const tokens = (await login.json()) as { access_token: string; refresh_token: string }
  const headers = { Authorization: `Bearer ${tokens.access_token}` }
  const call = async (method: string, path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && !isForm && { 'Content-Type': 'application/json' }) },
      body: isForm ? body : body ? JSON.stringify(body) : null,
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer
  }
  return {
    ...tokens,
    get: async (path: string) => (await call('GET', path)).json(),
    bytes: async (path: string) => new Uint8Array(await (await call('GET', path)).arrayBuffer()),
    call,
    /** Uploads a picture with a color of its own, and returns its id and its bytes. */
    async upload(name: string, color: string, tag_ids: string[] = []) {
      const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
      const bytes = new Uint8Array(await picture.jpeg().toBuffer())
      const form = new FormData()
      form.set('file', new File([bytes], name))
      if (tag_ids.length > 0) form.set('tag_ids', tag_ids.join(','))
      const { id } = (await (await call('POST', '/files', form)).json()) as { id: string }
      return { id, bytes }
    },
  }
}

/** Runs a command in a data folder and returns its exit code, output and, of `--json`, the object. */
export async function command(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runToEnd(args, { env: { DATA_DIR: dataDir, ...env } })
  const isOne = args.includes('--json') && stdout.indexOf('\n') === stdout.length - 1
  const result = isOne && stdout !== '' ? JSON.parse(stdout) : null
  return { code, stdout, stderr, result }
}

/** Runs `check` in a data folder and returns its exit code and what it found. */
export async function runCheck(dataDir: string, ...args: string[]) {
  const { code, stdout, stderr } = await command(dataDir, ['check', '--json', ...args])
  assert.equal(stderr, '')
  const lines = stdout.trimEnd().split('\n')
  const findings = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'finding')
  return { code, findings: findings as Pick<Finding, 'kind' | 'subject' | 'repaired'>[] }
}

/** Returns the lines of a manifest, read as what they are: NDJSON. */
export function manifestOf(dir: string, generation: string) {
  const text = readFileSync(join(dir, 'generations', generation, 'manifest'), 'utf8')
  const lines = text.trimEnd().split('\n')
  const above = `${lines.slice(0, -1).join('\n')}\n`
  const [head, ...rest] = lines.map((line) => JSON.parse(line))
  return { head, lines: rest.slice(0, -1), foot: rest.at(-1), above }
}

/** Has a manifest say that its generation was made at another moment. */
export function redated(manifest: string, made_at: string): string {
  const [head, ...rest] = manifest.trimEnd().split('\n')
  const lines = [JSON.stringify({ ...JSON.parse(head!), made_at }), ...rest.slice(0, -1)]
  const above = `${lines.join('\n')}\n`
  return `${above}${JSON.stringify({ lines: rest.length - 1, sha256: sha256(Buffer.from(above)) })}\n`
}

/** Returns the files in a folder and those below it, by their paths in it. */
export function filesIn(folder: string): string[] {
  return pathsIn(folder, (entry) => entry.isFile())
}

/** Returns the folders in a folder and those below it, by their paths in it. */
export function foldersIn(folder: string): string[] {
  return pathsIn(folder, (entry) => entry.isDirectory())
}

function pathsIn(folder: string, isWanted: (entry: Dirent) => boolean): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(isWanted)
  return entries
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
}

/** Flips a bit in the middle of a file. */
export function damaged(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[copy.length >> 1]! ^= 1
  return copy
}
