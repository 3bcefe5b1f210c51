import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { createLog } from '../../src/base/log.ts'
import type { AppEnv } from '../../src/http/env.ts'
import { onError } from '../../src/http/on-error.ts'
import { requestLog } from '../../src/http/request-log.ts'
import { serve } from '../../src/server.ts'
import { ownContract } from './contract/own-document.ts'
import { checkExchange, unwatchAnswers, watchAnswers } from './contract/watch.ts'

export const log = createLog('silent')

/** A real server with a few routes, and a folder of its own. */
export interface SmallServer {
  url: string
  port: number
  folder: string
  stop(): Promise<void>
}

/**
 * Serves the routes that `define` adds, on the runtime that runs the test and on a free port. They
 * have paths of the API, and their answers must be as its document says; with `errorsOnly`, only
 * their errors must.
 */
export async function startSmallServer(
  define: (app: Hono<AppEnv>, folder: string) => void | Promise<void>,
  { errorsOnly = false } = {},
): Promise<SmallServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-http-'))
  const app = new Hono<AppEnv>()
  app.onError(onError(log))
  app.use(requestLog(log), async (c, next) => {
    c.header('X-Before', 'set by a middleware')
    await next()
    c.header('X-After', `saw ${c.res.status}`)
  })
  await define(app, folder)
  const options = { host: '127.0.0.1', port: 0, log }
  const serving = await serve(app, options)
  await watchAnswers(serving.address, { contract: await ownContract(), errorsOnly })
  return {
    url: serving.address,
    port: serving.port,
    folder,
    async stop() {
      unwatchAnswers(serving.address)
      await serving.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * Sends bytes on a connection of its own and returns all that came back until the server closed it;
 * `more` may go on sending until the connection breaks. Throws when the document does not allow the
 * answer.
 */
export async function raw(
  server: SmallServer,
  bytes: string | Uint8Array,
  more?: (send: (bytes: Uint8Array) => void) => void,
): Promise<string> {
  const chunks: Buffer[] = []
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('data', (chunk) => chunks.push(chunk))
    // Bytes sent after the server has closed the connection break it; the answer came before.
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(bytes)
    more?.((next) => {
      if (socket.writable) socket.write(next)
    })
  })
  const answer = Buffer.concat(chunks)
  checkExchange(server.url, bytes, answer)
  return answer.toString('utf8')
}
