import type { ServerResponse } from 'node:http'
import type { Passwords } from './auth/password.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import type { Db } from './db/client.ts'
import type { Decoder } from './media/decoder.ts'
import type { Storage } from './media/storage.ts'

/** Who makes a request, with the rights of this moment. */
export interface User {
  id: number
  name: string
  is_admin: boolean
  can_create: boolean
}

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What the application is made of; tests hand in their own clock and cheaper passwords. */
export interface Deps {
  config: Config
  db: Db
  storage: Storage
  decoder: Decoder
  passwords: Passwords
  tokens: Tokens
  log: Log
  /** Milliseconds since 1970-01-01 UTC. */
  clock: () => number
}

export interface AppEnv {
  /** What the server knows of a request beyond the request itself; empty in `app.request`. */
  Bindings: {
    /** Address of the peer of the connection. */
    peer?: string
    /** Node's own response, there only when served by Node. */
    outgoing?: ServerResponse
    /** Limits how long the connection may be silent, as it is not while events are sent; Bun only. */
    watchIdle?: () => void
  }
  Variables: {
    request_id: string
    user: User
    session_id: number
  }
}
