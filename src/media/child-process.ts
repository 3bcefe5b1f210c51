import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

// How the project starts its own processes and reads their output.

/** Returns the runtime's arguments for running this program's files, however it was started. */
export function runtimeArguments(): string[] {
  if ('Bun' in globalThis) return ['--no-env-file']
  if (!import.meta.url.endsWith('.ts')) return []
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href]
}

/** Returns what a child process needs of the environment: no settings or secrets of the server. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/**
 * Calls `listener` with each line of a stream. Node's own line reader also breaks lines at U+2028,
 * which JSON leaves as it is and which occurs in the captions of real photographs.
 */
export function onLine(stream: Readable, listener: (line: string) => void): void {
  const lines = lineSplitter()
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of lines(chunk)) listener(line)
  })
}

/** Yields the lines of a stream, split as `onLine` does it. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const lines = lineSplitter()
  for await (const chunk of stream.setEncoding('utf8')) yield* lines(chunk)
}

/** Returns a function that returns the lines a chunk completes and keeps the rest for the next. */
function lineSplitter(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}

/** Returns a function that returns the last `length` characters, at most, of a stream so far. */
export function lastWords(stream: Readable, length: number): () => string {
  let said = ''
  stream.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-length)
  })
  return () => said
}
