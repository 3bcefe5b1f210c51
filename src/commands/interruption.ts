/** Returns a signal that is aborted when the process is to end, or when nobody reads its output. */
export function interruption(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a second signal must not kill a process that is already ending.
    process.on(signal, () => stop.abort())
  }
  process.once('disconnect', () => stop.abort())
  process.stdout.on('error', () => stop.abort())
  return stop.signal
}
