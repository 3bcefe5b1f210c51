import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, connectionsOf, descendantsOf, descriptorsOf } from '../../support/processes.ts'
import { until } from '../points/scene.ts'
import { count } from './count.ts'

/** What a server has open. */
export interface Opened {
  /** How many descriptors lead to what, and how many processes it has of each kind. */
  counts: Map<string, number>
  /** Its connections, by their sockets: in which states they are. */
  connections: Map<string, string>
}

/** Returns what a server has open now. */
export function openedBy(pid: number): Opened {
  const connections = connectionsOf(pid)
  const targets = [...descriptorsOf(pid).values()].filter((target) => !connections.has(target))
  // Numbers are given anew each time.
  const commands = descendantsOf(pid).map((child) => commandOf(child).replace(/\d+/g, 'N'))
  const counts = new Map<string, number>()
  for (const what of [...targets.map((target) => target.replace(/:\[\d+\]$/, '')), ...commands]) {
    count(counts, what)
  }
  return { counts, connections }
}

/** A file, in the data folder `data`, that a server has open no longer than it uses it. */
const PASSING = /\/data\/(files|thumbnails|thumbnails640|previews|full|tmp|import)\//

/**
 * Returns what a server has open that does nothing, and had not before, in words; of contents, pictures and what is
 * imported it has none open, whatever was before.
 */
export function leftSince(pid: number, before: Opened): string[] {
  const now = openedBy(pid)
  const more = [...now.counts].flatMap(([what, n]) => {
    const added = PASSING.test(what) ? n : n - (before.counts.get(what) ?? 0)
    return added > 0 ? [`${added} x ${what}`] : []
  })
  const connections = [...now.connections].filter(([socket]) => !before.connections.has(socket))
  return [...more, ...connections.map(([socket, state]) => `${socket} ${state}`)]
}

/** Resolves when a server does nothing any more that takes a process or a temporary file of its own. */
export async function untilQuiet(pid: number, dataDir: string): Promise<void> {
  const works = (child: number) => /main\.[jt]s (rescan|backup)|reader-main/.test(commandOf(child))
  // Those of questions wait for half a minute for another one, and nobody misses them.
  for (const child of descendantsOf(pid)) {
    if (commandOf(child).includes('reader/reader-main')) process.kill(child, 'SIGKILL')
  }
  await until('no command under way', () => !descendantsOf(pid).some(works))
  await until('nothing in tmp', () => readdirSync(join(dataDir, 'tmp')).length === 0)
}
