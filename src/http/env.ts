import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { User } from '../user.ts'

/** What a request carries on its way through the application. */
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
    log: Log
    user: User
    session_id: number
  }
}
