import type { Config } from '../../config.ts'
import { startCommand } from '../../own-command.ts'
import { RescanEvent } from './schema.ts'

/**
 * Runs the command `rescan` with the server's library and yields its events, the last of which is
 * `done` or `error`. The process ends when `signal` is aborted, when nobody listens any more, and with this
 * one, however that ends.
 */
export async function* rescanInProcess(
  config: Config,
  { by, signal }: { by?: number; signal: AbortSignal },
): AsyncGenerator<RescanEvent> {
  const user = by === undefined ? [] : ['--by', String(by)]
  const { dataDir, logFormat } = config
  const settings = rescanSettings(config)
  const command = await startCommand(['rescan', '--json', ...user], {
    settings,
    dataDir,
    signal,
    logFormat,
  })
  let hasEnded = false
  try {
    for await (const line of command.lines) {
      const event = RescanEvent.parse(JSON.parse(line))
      hasEnded = event.type === 'done' || event.type === 'error'
      yield event
    }
    const how = await command.ended
    if (!hasEnded && !signal.aborted) {
      throw new Error(`The rescan ended with ${how}: ${command.errors()}`)
    }
  } finally {
    await command.end()
  }
}

/** Returns the settings that the command needs: all but those of requests. */
export function rescanSettings(config: Config): NodeJS.ProcessEnv {
  const { decoderTime, diskReserve } = config
  return {
    CACHE_SIZE: inMebibytes(config.cacheSize),
    DATA_DIR: config.dataDir,
    ...(decoderTime !== null && { DECODER_TIME: `${decoderTime / 1000}s` }),
    ...(diskReserve !== null && { DISK_RESERVE: inMebibytes(diskReserve) }),
    DECODER_WALLS: config.decoderWalls,
    DUPLICATE_HASH_THRESHOLD: String(config.duplicateHashThreshold),
    FFMPEG_PATH: config.ffmpegPath ?? '',
    LOG_LEVEL: config.logLevel,
    THUMBNAIL_CACHE: inMebibytes(config.thumbnailCache),
    TIME_ZONE: config.timeZone,
  }
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}MiB`
}
