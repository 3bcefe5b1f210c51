import type { ServerResponse } from 'node:http'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import type { ApiKey, User } from '../base/user.ts'

/** What a request carries on its way through the application. */
export interface AppEnv {
  /** What the server knows about a request beyond the request itself; empty in `app.request`. */
  Bindings: {
    /** Address of the connection's peer. */
    peer?: string
    /** Node's own response, present only when Node serves the request. */
    outgoing?: ServerResponse
    /** Limits how long the connection may be silent, which is unlimited while events are sent; Bun only. */
    watchIdle?: () => void
  }
  Variables: {
    request_id: string
    log: Log
    limits: Pick<Config, 'userChanges' | 'userQuota'>
    user: User
    /** Absent when a key was sent, which is refused by every operation that needs a session. */
    session_id: number
    /** Absent unless a key was sent. */
    key?: ApiKey
    /** The archive that the token of the request is for. */
    archive_id: string
    /** Resolves when an answer that is sent piece by piece has ended. */
    sent?: Promise<void>
    /** Adds this request to the client's, or takes it out; absent when requests aren't counted. */
    ofClient?: { enter(): void; leave(): void }
  }
}
