import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { createApp } from '../../src/app.ts'
import { shownDetails } from '../../src/audit/packed.ts'
import { createPasswords } from '../../src/auth/password.ts'
import { createTokens } from '../../src/auth/tokens.ts'
import { parseConfig } from '../../src/base/config.ts'
import type { LogLevel } from '../../src/base/log.ts'
import { createRuns } from '../../src/base/runs.ts'
import { openDatabase } from '../../src/db/client.ts'
import { adoptStore } from '../../src/files/content/store-marker.ts'
import { assemble, LONG_CHANGES } from '../../src/library.ts'
import { createLongChanges, type LongChangeOptions } from '../../src/long-changes/runner.ts'
import type { startDecoder } from '../../src/media/decoder/decoder.ts'
import { createUploads } from '../../src/uploads/uploads.ts'
import { checked } from './contract/checked.ts'
import { ownContract } from './contract/own-document.ts'
import { addNewDatabase } from './database.ts'
import { openSmallS3 } from './s3/small-s3.ts'

export const SECRET = Buffer.from('a secret that has at least 32 bytes')
const PREFIX = '/api/v1'
const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

export interface Logged {
  level: LogLevel
  message: string
  fields: Record<string, unknown> | undefined
}

export interface Call {
  token?: string
  /** Sent as JSON, or as it is when it is a form or a string. */
  body?: unknown
  headers?: Record<string, string>
  peer?: string
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect to find in it
  body: any
}

export type Library = Awaited<ReturnType<typeof openLibrary>>

/**
 * Opens the whole application on a data folder of its own, with a clock that tests move, and with a copy
 * of a database, if one is named. Answers that the OpenAPI document does not allow fail the test.
 *
 * The contents are in a small store in this process for the setting CONTENTS: 's3', and for all libraries with
 * TEST_CONTENTS=s3 in the environment; or in a real one, whose settings TEST_STORE holds as JSON.
 */
export async function openLibrary(
  settings: Record<string, string> = {},
  decoder: Partial<Parameters<typeof startDecoder>[0]> = {},
  longChanges: Pick<LongChangeOptions, 'rows' | 'onPortion'> = {},
  database?: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-'))
  const path = join(folder, 'tagstead.sqlite')
  if (database === undefined) await addNewDatabase(path)
  else copyFileSync(database, path)
  const time = { now: START }
  const clock = () => time.now
  const logged: Logged[] = []
  const keep = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    logged.push({ level, message, fields })
  }
  const log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
  const waits: number[] = []
  const wait = async (ms: number) => {
    waits.push(ms)
  }
  const contents = settings.CONTENTS ?? process.env.TEST_CONTENTS
  const store = contents === 's3' ? await openSmallS3() : null
  const engine = process.env.TEST_STORE && JSON.parse(process.env.TEST_STORE)
  const config = parseConfig({
    AUTH_RATE_LIMIT: '0',
    FFMPEG_PATH: '',
    // What a test puts into the import folder was written just now.
    IMPORT_SETTLE: '0',
    DECODER_WALLS: 'environment',
    TIME_ZONE: 'UTC',
    ...settings,
    ...store?.env,
    ...(engine && { ...engine, CONTENTS: `${engine.CONTENTS}/${basename(folder)}` }),
    DATA_DIR: folder,
  })
  const { cacheSize } = config
  const options = { migrations: 'drizzle', memory: { cacheSize } }
  const open = () => openDatabase(path, options)
  const deps = await assemble(config, {
    db: open(),
    log,
    clock,
    wait,
    secret: SECRET,
    passwords: createPasswords({ memoryCost: 64, timeCost: 1 }),
    decoder,
    longChanges,
  })
  await adoptStore(deps.db, config)
  let app = createApp(deps)
  const contract = await ownContract()

  /** Sends a request; the path is below /api/v1. */
  async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
    const response = await fetchRaw(method, path, options)
    const { status, headers } = response
    const text = await response.text()
    const isJson = headers.get('Content-Type')?.startsWith('application/json')
    const body = isJson && text !== '' ? JSON.parse(text) : null
    return { status, headers, text, body }
  }

  /** Sends a request and returns the response as it is, for bytes. */
  async function fetchRaw(method: string, path: string, options: Call = {}): Promise<Response> {
    const headers = new Headers(options.headers)
    if (options.token !== undefined) headers.set('Authorization', `Bearer ${options.token}`)
    let body: string | FormData | null = null
    if (options.body instanceof FormData) body = options.body
    else if (options.body !== undefined) {
      if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
      body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body)
    }
    const env = options.peer === undefined ? {} : { peer: options.peer }
    return request(PREFIX + path, { method, headers, body }, env)
  }

  /** Sends a request to any path and checks the answer against the document. */
  async function request(path: string, init: RequestInit = {}, env = {}): Promise<Response> {
    const response = await app.request(path, init, env)
    return checked(contract, { method: init.method ?? 'GET', path }, response)
  }

  async function addUser(name: string, rights: { is_admin?: boolean; can_create?: boolean } = {}) {
    const row = deps.db.get<{ id: number }>(
      `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
       VALUES (?, ?, ?, ?, 0) RETURNING id`,
      name,
      await deps.passwords.hash(`password of ${name}`),
      rights.is_admin ? 1 : 0,
      rights.can_create ? 1 : 0,
    )
    return row!.id
  }

  const login = (name: string, password = `password of ${name}`, options: Call = {}) =>
    call('POST', '/auth/login', { ...options, body: { name, password } })

  async function signIn(name: string) {
    const answer = await login(name)
    return answer.body as { access_token: string; refresh_token: string }
  }

  return {
    deps,
    folder,
    /** The store of the contents, for the setting CONTENTS: 's3'. */
    store,
    time,
    /** What somebody had to wait for, in milliseconds; it is over at once. */
    waits,
    logged,
    call,
    fetchRaw,
    request,
    contract,
    addUser,
    login,
    signIn,
    /** Adds a user and returns its id and an access token. */
    join: async (name: string, rights: { is_admin?: boolean; can_create?: boolean } = {}) => {
      const id = await addUser(name, rights)
      return { id, token: (await signIn(name)).access_token }
    },
    refresh: (refresh_token: string, options: Call = {}) =>
      call('POST', '/auth/refresh', { ...options, body: { refresh_token } }),
    /** Uploads bytes under a name, with the form's other fields. */
    upload: (
      token: string,
      bytes: Uint8Array,
      name = 'picture.jpg',
      fields: Record<string, string> = {},
    ) => call('POST', '/files', { token, body: form(bytes, name, fields) }),
    audit: () =>
      deps.db
        .all<{ user_id: number; user_name: string; action: string; details: string | null }>(
          'SELECT user_id, user_name, action, details FROM audit_log ORDER BY id',
        )
        .map((row) => ({
          ...row,
          // biome-ignore lint/suspicious/noExplicitAny: each test knows what its entries hold
          details: (row.details && shownDetails(JSON.parse(row.details))) as any,
        })),
    /** Loses everything that is in memory only. */
    restart: async () => {
      await deps.longChanges.stop()
      deps.db.close()
      deps.db = open()
      deps.longChanges = createLongChanges({
        db: deps.db,
        log,
        clock,
        kinds: LONG_CHANGES,
        disk: deps.disk,
        ...longChanges,
      })
      deps.tokens = createTokens({ secret: SECRET, config, clock })
      deps.rescans = createRuns(clock)
      deps.uploads = createUploads(deps)
      app = createApp(deps)
    },
    close: async () => {
      await deps.longChanges.stop()
      await deps.decoder.close()
      deps.db.close()
      await store?.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Returns a form with a file and text fields. */
export function form(bytes: Uint8Array, name: string, fields: Record<string, string> = {}) {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  body.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return body
}

/** Returns a small JPEG, in another colour for each number. */
export async function picture(seed = 0): Promise<Uint8Array> {
  const colour = { r: (seed * 53) % 256, g: (seed * 101) % 256, b: (seed * 197) % 256 }
  return sharp({ create: { width: 48, height: 32, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()
}
