import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually } from './eventually.ts'

/** Resolves when nobody listens on the port any more. */
export async function refused(port: number): Promise<void> {
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'connected'),
      once(socket, 'close').then(() => 'refused'),
    ]).catch(() => 'refused')
    socket.destroy()
    return outcome === 'refused'
  })
}
