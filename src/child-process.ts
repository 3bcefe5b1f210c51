import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

// How the project's own processes are started, and what is heard of them.

/** Returns the arguments with which this program's runtime runs its files, whatever it was started with. */
export function runtimeArguments(): string[] {
  if ('Bun' in globalThis) return ['--no-env-file']
  if (!import.meta.url.endsWith('.ts')) return []
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href]
}

/** Returns what a child needs of the environment: none of the server's settings and secrets. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/**
 * Calls `listener` with each line of a stream. Node's own line reader also breaks at U+2028, which JSON
 * leaves as it is and which stands in the captions of real photographs.
 */
export function onLine(stream: Readable, listener: (line: string) => void): void {
  const lines = lineSplitter()
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of lines(chunk)) listener(line)
  })
}

/** Yields the lines of a stream as `onLine` hears them. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const lines = lineSplitter()
  for await (const chunk of stream.setEncoding('utf8')) yield* lines(chunk)
}

/** A function that returns the lines that a chunk completes, and keeps the rest for the next. */
function lineSplitter(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}

/** Returns a function that gives the last characters, at most `length`, of what a stream has said so far. */
export function lastWords(stream: Readable, length: number): () => string {
  let said = ''
  stream.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-length)
  })
  return () => said
}
