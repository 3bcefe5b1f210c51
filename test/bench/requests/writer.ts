import { setTimeout } from 'node:timers/promises'
import { picture } from '../../support/harness.ts'
import { createClient } from './client.ts'
import type { World } from './world.ts'

/** Milliseconds between two writes of each kind. */
const PAUSE = 100
const EDGE = 'the-edge-of-the-form'

/** Tags a file and uploads one each 100 ms, or as fast as that goes; returns how to end it. */
export async function beginWriting(url: string, world: World): Promise<() => Promise<void>> {
  const token = world.tokens.root
  const small = await picture()
  const tagger = createClient(url)
  const uploader = createClient(url)
  // One that nobody asks for, and the one of 5 % that lists and grids are filtered by.
  const tags = [world.tags[20]!.id, world.tags[11]!.id]
  let isOver = false
  const repeat = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !isOver; n++) {
      const started = performance.now()
      await work(n)
      await setTimeout(Math.max(0, PAUSE - (performance.now() - started)))
    }
  }
  const head =
    `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n` +
    'Content-Type: image/jpeg\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), small, Buffer.from(`\r\n--${EDGE}--\r\n`)])
  const type = `multipart/form-data; boundary=${EDGE}`
  const both = Promise.all([
    repeat((n) => {
      const file = world.someFiles[n % world.someFiles.length]
      const method = n % (2 * world.someFiles.length) < world.someFiles.length ? 'PUT' : 'DELETE'
      return tagger.time(`/api/v1/files/${file}/tags/${tags[n % 2]}`, { method, token })
    }),
    repeat(() => uploader.time('/api/v1/files', { method: 'POST', token, body, type })),
  ])
  return async () => {
    isOver = true
    await both
    for (const client of [tagger, uploader]) client.close()
  }
}
