import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What stands before a server, and may let nothing through or end connections. */
export interface GalleryProxy {
  url: string
  /**
   * Ends each connection on which the text is sent, once so many bytes have come after it, until the
   * returned function is called, which returns how many were ended.
   */
  cut(text: string, bytes: number): () => number
  /**
   * Lets nothing more through to the server once the text has been sent. Resolves then, with the
   * function that ends it.
   */
  hold(text: string): Promise<() => void>
  /**
   * Lets nothing through to the client any more once the text has been sent. Resolves then, with the
   * function that ends all connections, so that what the server said is lost, and lets new ones be.
   */
  mute(text: string): Promise<() => void>
  close(): void
}

/** What happens when a text is sent. */
interface Trap {
  text: Buffer
  /** Called with what has come, from the text on. */
  spring(connection: { end(): void }, bytes: number): void
}

/** Starts a proxy that passes all bytes on as they come. */
export async function startProxy(target: string): Promise<GalleryProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let trap: Trap | null = null
  /** What bytes wait for, to the server and from it. */
  const gates = { there: Promise.resolve(), back: Promise.resolve() }
  const close = (way: keyof typeof gates, text: string) =>
    new Promise<() => void>((resolve) => {
      trap = {
        text: Buffer.from(text),
        spring() {
          trap = null
          gates[way] = new Promise((open) => resolve(open))
        },
      }
    })

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    const pass = (from: Socket, to: Socket, way: keyof typeof gates) =>
      from.on('data', (chunk: Buffer) => {
        from.pause()
        void gates[way].then(() => {
          if (to.write(chunk)) from.resume()
          else to.once('drain', () => from.resume())
        })
      })
    let seen = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      // The text may come in two pieces.
      if (trap) {
        seen = Buffer.concat([seen, chunk])
        const at = seen.indexOf(trap.text)
        if (at >= 0) trap.spring({ end }, seen.length - at)
        else seen = seen.subarray(-trap.text.length)
      }
    })
    pass(client, upstream, 'there')
    pass(upstream, client, 'back')
  })
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(text, bytes) {
      let ended = 0
      trap = {
        text: Buffer.from(text),
        spring(connection, come) {
          if (come < bytes) return
          ended++
          connection.end()
        },
      }
      return () => {
        trap = null
        return ended
      }
    },
    hold: (text) => close('there', text),
    async mute(text) {
      const open = await close('back', text)
      return () => {
        endAll()
        open()
      }
    },
    close() {
      server.close()
      endAll()
    },
  }
}
