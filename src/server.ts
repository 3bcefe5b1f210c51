import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Log } from './base/log.ts'
import type { AppEnv } from './http/env.ts'

// How long the head of a request may take.
const HEAD_SECONDS = 15
// How long a connection may rest between two requests. Longer than reverse proxies use: Caddy's limit is 120 seconds.
const IDLE_SECONDS = 130
// How many connections may wait to be accepted; with Node's default of 511, a rush keeps other clients out.
const BACKLOG = 4096
const STOP_LIMIT = 10_000
// How long a client has to read an answer that comes while it is still sending, in milliseconds.
const LINGER = 500
// On Node, the client already has its answer, but one that sends much on a busy machine reads it late.
const LINGER_HALF_CLOSED = 2000
// How long a client may take nothing of an answer that is sent in one piece, in milliseconds.
const UNTAKEN = 60_000

interface App {
  fetch(request: Request, bindings: AppEnv['Bindings']): Response | Promise<Response>
}

interface ServeOptions {
  host: string
  /** 0 means any free port. */
  port: number
  log: Log
}

/** A listening server. */
export interface Serving {
  port: number
  /** Such as `http://127.0.0.1:3000`. */
  address: string
  /** Accepts no new requests; resolves when the running ones are done, or cut after 10 seconds. */
  stop(): Promise<void>
}

/** Serves the application on Bun or on Node; throws a readable error for an unusable address. */
export async function serve(app: App, options: ServeOptions): Promise<Serving> {
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  try {
    const serving = 'Bun' in globalThis ? serveOnBun(app, options) : await serveOnNode(app, options)
    return { ...serving, address: `http://${host}:${serving.port}` }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const reason = REASONS[code] ?? message
    throw new Error(`http://${host}:${options.port} can't be served: ${reason}`)
  }
}

const NO_HOST = 'HOST is no address or name that is known here'
// Explanations of the system's codes. Bun reports EINVAL for unknown host names.
const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program is at this PORT',
  EACCES: 'this account may not take this PORT, those below 1024 being for root',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  EINVAL: NO_HOST,
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
}

type Listening = Omit<Serving, 'address'>

function serveOnBun(app: App, options: ServeOptions): Listening {
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    // Beyond a limit of its own, Bun would answer with an empty body; each route has one.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: HEAD_SECONDS,
    // Bun must not send error pages or stacks of its own.
    development: false,
    // Outside development, Bun would share the port with any other process that requests it.
    reusePort: false,
    async fetch(request, server) {
      // A running request has limits of its own: an upload may have to wait long for the decoder.
      server.timeout(request, 0)
      // Bun also applies this to the time between requests on the connection. It already counts while the answer is
      // under way, when a stream of events may be silent for long.
      const watchIdle = () => server.timeout(request, IDLE_SECONDS)
      const peer = server.requestIP(request)?.address
      const response = await app.fetch(request, { ...(peer && { peer }), watchIdle })
      const isEvents = response.headers.get('content-type')?.startsWith('application/x-ndjson')
      if (!isEvents) watchIdle()
      const isLast = response.headers.get('connection') === 'close'
      return isLast || isRefusal(response, request) ? heldOpen(response) : response
    },
    error(error) {
      options.log.error('the server failed', { error })
      return Response.json(
        { code: 'internal_error', message: 'Something went wrong on the server' },
        { status: 500 },
      )
    },
  })
  return {
    port: server.port ?? options.port,
    async stop() {
      const limit = setTimeout(() => void server.stop(true), STOP_LIMIT)
      await server.stop()
      clearTimeout(limit)
    },
  }
}

async function serveOnNode(app: App, options: ServeOptions): Promise<Listening> {
  const { createAdaptorServer } = await import('@hono/node-server')
  const server = createAdaptorServer({
    hostname: options.host,
    fetch: (request, bindings) => {
      const { incoming, outgoing } = bindings as HttpBindings
      return app.fetch(request, { peer: incoming.socket.remoteAddress, outgoing })
    },
    serverOptions: {
      headersTimeout: HEAD_SECONDS * 1000,
      // A long upload isn't a slow request; a stalled one has a limit of its own.
      requestTimeout: 0,
      keepAliveTimeout: IDLE_SECONDS * 1000,
      connectionsCheckingInterval: 5000,
    },
  }) as NodeServer
  server.on('request', letAnswersArrive)
  server.on('request', endWithAnswer)
  closeQueuedAnswers(server)
  const resting = restingConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, BACKLOG, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const limit = setTimeout(() => server.closeAllConnections(), STOP_LIMIT)
      // A connection whose request has just ended would wait for another one.
      const closeIdle = () => {
        server.closeIdleConnections()
        for (const socket of resting) socket.destroy()
      }
      const idle = setInterval(closeIdle, 50)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      clearInterval(idle)
      clearTimeout(limit)
    },
  }
}

// Returns the connections without a request, in a set that changes as they come and go. Node doesn't count a connection
// as idle before its first request, as when browsers open one in advance, or when a head has begun to arrive.
function restingConnections(server: NodeServer): Set<Socket> {
  const resting = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    resting.add(socket)
    socket.once('close', () => resting.delete(socket))
  })
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming
    resting.delete(socket)
    outgoing.once('close', () => {
      if (incoming.complete && !socket.destroyed) resting.add(socket)
    })
  })
  return resting
}

// Closes the pipelined answers that wait behind another one when their connection ends: Node itself closes only the one
// that is being sent, and the others would be taken for under way.
function closeQueuedAnswers(server: NodeServer): void {
  const underWay = new WeakMap<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    const answers = new Set<ServerResponse>()
    underWay.set(socket, answers)
    socket.once('close', () => {
      // The answer that is being sent has the socket.
      for (const answer of answers) if (!answer.socket) answer.destroy().emit('close')
    })
  })
  server.on('request', ({ socket }, outgoing) => {
    const answers = underWay.get(socket)
    answers?.add(outgoing)
    outgoing.once('close', () => answers?.delete(outgoing))
  })
}

// A connection that is closed while the client is still sending is reset, and the answer is lost with it. So, when a
// body was not read to its end, the client gets time to read the answer.

// Bytes of a body that come with the head, or right after it.
const SHORT = 2 ** 14

// Returns whether an answer reports an error to a client that is still sending, as when a token has expired.
function isRefusal({ status }: Response, { bodyUsed, headers }: Request): boolean {
  if (status < 400 || bodyUsed) return false
  return Number(headers.get('content-length')) > SHORT || headers.has('transfer-encoding')
}

// On Bun, the connection stays open until the answer has ended.
async function heldOpen(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  let timer: ReturnType<typeof setTimeout> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      timer = setTimeout(() => controller.close(), LINGER)
    },
    cancel: () => clearTimeout(timer),
  })
  const headers = new Headers(response.headers)
  headers.set('Connection', 'close')
  return new Response(body, { status: response.status, headers })
}

// On Node, the socket is closed in two steps.
function letAnswersArrive(incoming: IncomingMessage): void {
  const { socket } = incoming
  socket.destroySoon = () => {
    if (incoming.complete) return Socket.prototype.destroySoon.call(socket)
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_HALF_CLOSED)
  }
}

// Ends a connection whose client doesn't take the answer, or goes on sending after it: Node itself would wait for ever.
function endWithAnswer(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  outgoing.once('prefinish', () => socket.setTimeout(UNTAKEN))
  outgoing.once('finish', () => {
    if (!incoming.complete)
      setTimeout(() => incoming.complete || socket.destroy(), LINGER_HALF_CLOSED)
  })
}
