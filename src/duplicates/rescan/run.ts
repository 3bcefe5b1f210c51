import type { Config } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import { startCommand } from '../../base/own-command.ts'
import type { Runs, Starter } from '../../base/runs.ts'
import { settingsOfStore } from '../../base/store-settings.ts'
import { RescanEvent } from './schema.ts'

/** What a rescan needs that this server starts. */
export interface RunDeps {
  config: Config
  log: Log
  rescans: Runs<RescanEvent>
}

/**
 * Yields the events of a rescan in a process of its own, as its stream reports them; it is recorded unless it is
 * refused because another one is running. Ends when `signal` is aborted or when the consumer stops.
 */
export async function* runRescan(
  { config, log, rescans }: RunDeps,
  { by, signal }: { by: Starter; signal: AbortSignal },
): AsyncGenerator<RescanEvent> {
  const events = failuresTold(rescanInProcess(config, { by: by.id, signal }), log)
  const first = await events.next()
  if (first.done) return
  const all = resumed(first.value, events)
  const isRefused = first.value.type === 'error' && first.value.code === 'conflict'
  yield* isRefused ? all : rescans.watch(by, all)
}

/** Yields what a generator has already yielded and the rest, and ends that generator when it ends itself. */
export async function* resumed<Event>(
  first: Event,
  rest: AsyncGenerator<Event>,
): AsyncGenerator<Event> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

// A reader of the stream learns only that there was a failure; the log has the details.
async function* failuresTold(
  events: AsyncIterable<RescanEvent>,
  log: Log,
): AsyncGenerator<RescanEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'error' && event.code !== 'conflict') throw new Error(event.message)
      yield event
    }
  } catch (error) {
    log.error('the rescan failed', { error })
    yield { type: 'error', code: 'internal_error', message: 'Something went wrong on the server' }
  }
}

/**
 * Runs the command `rescan` with the server's library and yields its events, the last of which is `done` or `error`.
 * The process ends when `signal` is aborted, when the consumer stops, and with this process, however that ends.
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
    key: settingsOfStore(config.store, config.oldPlace?.store).key,
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
    CONTENTS_CACHE: inMebibytes(config.contentsCache),
    ...settingsOfStore(config.store, config.oldPlace?.store).settings,
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
