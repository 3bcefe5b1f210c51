import { watchStarter } from './starter.ts'

/**
 * Returns a signal that is aborted when the process is to end, or when its output is closed. Its reason is an error
 * whose message says why.
 */
export function interruption(): AbortSignal {
  const stop = new AbortController()
  const end = (why: string) => stop.abort(new Error(why))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a second signal must not kill a process that is already ending.
    process.on(signal, () => end(signal))
  }
  // bin/tagstead.mjs is gone, perhaps by kill -9, and nothing else would stop this process.
  process.once('disconnect', () => end('what started it has ended'))
  watchStarter(() => end('npm has ended'))
  process.stdout.on('error', () => end('nobody reads its output'))
  return stop.signal
}
