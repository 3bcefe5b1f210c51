import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDecoder } from '../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../src/media/ffmpeg.ts'
import { sniff } from '../../src/media/sniff.ts'
import { BOMBS } from './bombs/list.ts'

/** Has each bomb decoded, one after the other, and prints how long that took and what came of it. */
export async function torture(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-bombs-'))
  const silent = () => {}
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const decoder = startDecoder({ log, ffmpeg: await findFfmpeg('ffmpeg') })
  try {
    for (const [name, write] of Object.entries(BOMBS)) {
      const path = join(folder, name)
      await write(path)
      const { mime_type } = (await sniff(path))!
      const started = performance.now()
      const { state } = await decoder.derive({ path, mime_type, thumbnailPath: `${path}.jpg` })
      const seconds = ((performance.now() - started) / 1000).toFixed(2)
      process.stdout.write(`${name}: ${state} in ${seconds} s\n`)
      await rm(path)
    }
  } finally {
    await decoder.close()
    await rm(folder, { recursive: true })
  }
}
