import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that the system takes for connections, any of which may take a port that has just been let go, and above
// those that `fetch` refuses.
const [LEAST, MOST] = [11_000, 32_000]

/** Returns a port that was free a moment ago, for a server that has to be told its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST, MOST)
    const holder = createServer().listen(port, '127.0.0.1')
    const isFree = await once(holder, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    holder.close()
    await once(holder, 'close')
    return port
  }
}
