import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream'

/** What a proxy does to a request. */
export type Harm =
  /** Answers with a status, such as 500 or 503, and the server behind doesn't hear of it. */
  | { answer: number; headers?: Record<string, string> }
  /** Cuts the connection before the server behind hears of it, as where there is no network. */
  | { cut: 'connection' }
  /** Cuts the connection to both after so many bytes of a body. After 0 of an answer, the work was done all the same. */
  | { cut: 'request' | 'answer'; after: number }
  /** Holds the answer back until `heal`. */
  | { hold: true }
  /** Passes at most so many bytes of the answer on in a second. */
  | { slow: number }

/** Which requests: those of a method, or whose path and query match, or so many of them. */
export interface Hurt {
  method?: string
  path?: RegExp
  /** By default all. */
  times?: number
}

/** A proxy before a server that speaks plain HTTP, which does no harm until it is told. */
export interface HurtingProxy {
  /** As `http://127.0.0.1:9001`. */
  endpoint: string
  hurt(harm: Harm, which?: Hurt): void
  /** Lets all requests pass, and the answers that are held back. */
  heal(): void
  /** Returns how many requests were hurt so far. */
  hurtSoFar(): number
  close(): Promise<void>
}

/**
 * Starts a proxy before a server, on a port of its own. The host of a request stays, as it may be signed. Before each
 * request, calls `onAsked`.
 */
export async function openHurtingProxy(behind: string, onAsked = () => {}): Promise<HurtingProxy> {
  const { hostname, port } = new URL(behind)
  let orders: (Hurt & { harm: Harm; left: number })[] = []
  let hurt = 0
  let held: (() => void)[] = []
  const harmFor = (asked: IncomingMessage): Harm | null => {
    const order = orders.find(
      ({ method, path, left }) =>
        left > 0 &&
        (method === undefined || method === asked.method) &&
        (path === undefined || path.test(asked.url!)),
    )
    if (!order) return null
    order.left -= 1
    hurt += 1
    return order.harm
  }
  const server = createServer((asked, answer) => {
    onAsked()
    const harm = harmFor(asked)
    if (harm && 'answer' in harm) return void refuse(asked, answer, harm)
    if (harm && 'cut' in harm && harm.cut === 'connection') return void asked.socket.destroy()
    const { method, url: path } = asked
    const onward = request({
      hostname,
      port,
      method,
      path,
      headers: headersOf(asked),
      agent: false,
    })
    const cut = () => {
      onward.destroy()
      asked.socket.destroy()
    }
    onward.on('error', cut)
    answer.on('close', () => {
      if (!answer.writableFinished) onward.destroy()
    })
    onward.on('response', async (given) => {
      given.on('error', cut)
      if (harm && 'hold' in harm) await new Promise<void>((resolve) => held.push(resolve))
      if (harm && 'cut' in harm && harm.cut === 'answer' && harm.after === 0) return cut()
      answer.writeHead(given.statusCode!, given.statusMessage, given.rawHeaders)
      answer.flushHeaders()
      if (harm && 'cut' in harm && harm.cut === 'answer')
        passSome(given, answer, { bytes: harm.after, cut })
      else if (harm && 'slow' in harm) given.pipe(atPace(harm.slow)).pipe(answer)
      else given.pipe(answer)
    })
    if (harm && 'cut' in harm && harm.cut === 'request')
      passSome(asked, onward, { bytes: harm.after, cut })
    else asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const heal = () => {
    orders = []
    for (const letPass of held) letPass()
    held = []
  }
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hurt: (harm, which = {}) => {
      orders.push({ ...which, harm, left: which.times ?? Number.POSITIVE_INFINITY })
    },
    heal,
    hurtSoFar: () => hurt,
    async close() {
      heal()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(
  asked: IncomingMessage,
  answer: ServerResponse,
  { answer: status, headers = {} }: { answer: number; headers?: Record<string, string> },
): void {
  asked.resume()
  asked.on('end', () => {
    answer.writeHead(status, { 'content-type': 'application/xml', ...headers })
    answer.end(`<?xml version="1.0"?><Error><Code>InternalError</Code></Error>`)
  })
}

/** Returns the headers that concern the server behind. */
function headersOf({ headers }: IncomingMessage) {
  const { connection, expect, 'transfer-encoding': chunked, ...rest } = headers
  return chunked === undefined ? rest : { ...rest, 'transfer-encoding': chunked }
}

/** Passes so many bytes on, and calls `cut` once they are on their way; a shorter body passes whole. */
function passSome(
  from: Readable,
  to: Writable,
  { bytes, cut }: { bytes: number; cut: () => void },
) {
  let left = bytes
  from.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (left > 0) return void to.write(part)
    from.pause()
    to.write(part, cut)
  })
  from.on('end', () => to.end())
}

/** Returns a stream that passes at most so many bytes on in a second. */
function atPace(bytes: number): Transform {
  const share = Math.max(1, Math.floor(bytes / 20))
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const pass = (from: number, callback: TransformCallback) => {
        this.push(chunk.subarray(from, from + share))
        setTimeout(() => {
          if (from + share >= chunk.length) callback()
          else pass(from + share, callback)
        }, 50)
      }
      pass(0, done)
    },
  })
}
