import { Agent, type ClientRequest, request } from 'node:http'

/** A connection that is kept, for one request at a time. */
export interface Client {
  /** Returns the milliseconds until the answer was there in full, and its length; throws unless it is 2xx. */
  time(path: string, options?: Asked): Promise<{ ms: number; bytes: number }>
  close(): void
}

interface Asked {
  method?: string
  token?: string
  body?: Uint8Array | string
  type?: string
}

/** Returns a client of a server. */
export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async time(path, { method = 'GET', token, body, type } = {}) {
      const headers = {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(type && { 'Content-Type': type }),
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      }
      const started = performance.now()
      const bytes = await answer(request(url + path, { agent, method, headers }), body)
      return { ms: performance.now() - started, bytes }
    },
    close: () => agent.destroy(),
  }
}

function answer(outgoing: ClientRequest, body?: Uint8Array | string): Promise<number> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const status = incoming.statusCode ?? 0
      let bytes = 0
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      incoming.on('end', () => {
        if (status >= 200 && status < 300) resolve(bytes)
        else reject(new Error(`${outgoing.method} ${outgoing.path} was answered with ${status}`))
      })
    })
    outgoing.end(body)
  })
}
