import { once } from 'node:events'
import { connect } from 'node:net'

/** Resolves when nobody listens on the port any more. */
export async function refused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      once(socket, 'close').then(() => 'refused'),
    ]).catch(() => 'refused')
    socket.destroy()
    if (outcome === 'refused') return
  }
}
