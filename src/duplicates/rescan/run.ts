import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Runs, Starter } from '../../runs.ts'
import { rescanInProcess } from './process.ts'
import type { RescanEvent } from './schema.ts'

/** What a rescan needs that this server starts. */
export interface RunDeps {
  config: Config
  log: Log
  rescans: Runs<RescanEvent>
}

/**
 * Yields the events of a rescan in a process of its own, as its stream tells them; it is remembered
 * unless it is refused because another one is running. It ends when `signal` is aborted or when
 * nobody listens any more.
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

/** Yields what a generator has already given and the rest, and ends it with its own end. */
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

/** Who reads the stream is told nothing of a failure but that there was one; the log has the details. */
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
    yield { type: 'error', code: 'internal_error', message: 'Something went wrong in the server' }
  }
}
