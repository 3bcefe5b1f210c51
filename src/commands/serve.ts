import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createApp } from '../app.ts'
import { readTallyAhead } from '../audit/tally.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import { readAhead } from '../background/ahead.ts'
import { runBackground } from '../background/run.ts'
import { scheduleBackups } from '../backup/schedule.ts'
import { type Config, readConfig } from '../config.ts'
import { equalContents } from '../duplicates/proposals/contents.ts'
import { scheduleRescans } from '../duplicates/rescan/schedule.ts'
import { scheduleRemovals } from '../files/content/removals.ts'
import { openForServer } from '../library.ts'
import { scheduleCopies } from '../library-database.ts'
import { beginFolding } from '../pools/fold-views.ts'
import { scheduleScrub } from '../scrub/schedule.ts'
import { serve } from '../server.ts'
import { VERSION } from '../version.ts'
import { watchGallery } from '../web/watch.ts'
import type { Command } from './command.ts'
import { interruption } from './interruption.ts'

const usage = `Usage: tagstead serve [--watch]

Runs the server with the library in DATA_DIR, which is created if it is missing, until Ctrl-C,
SIGTERM or SIGHUP asks it to end. With --watch, pages in browsers follow when the gallery's source
changes.
`

const WATCH = '--watch'

/** `tagstead serve`. */
export const serveCommand: Command = {
  usage,
  async run(args) {
    if (args.length > 1 || (args[0] ?? WATCH) !== WATCH) return null
    return runServer(readConfig(), { isWatching: args.length === 1 })
  },
}

async function runServer(config: Config, { isWatching = false }): Promise<number> {
  const { deps, close } = await openForServer(config)
  await ensureFirstAdmin(deps, showPassword)
  // Before the address is shown: whoever sees it may send a signal at once.
  const ending = interruption()
  const { host, port, maxUploadSize } = config
  const watched = isWatching ? await watchGallery() : undefined
  const app = createApp(deps, watched)
  const serving = await serve(app, { host, port, maxUploadSize, log: deps.log })
  if (process.getuid?.() === 0) {
    deps.log.warn('the server runs as root (uid 0): give it an account of its own')
  }
  process.stdout.write(`Tagstead ${VERSION} is at ${serving.address}\n`)
  deps.decoder.begin(addressOf(serving.address))
  beginFolding(deps)
  deps.longChanges.resume()
  const rescans = scheduleRescans(deps)
  const removals = scheduleRemovals(deps)
  const backups = scheduleBackups(deps)
  const copies = scheduleCopies(deps)
  const scrub = scheduleScrub(deps)
  const ahead = readAhead(deps, [readTallyAhead, equalContents])
  const background = runBackground(deps)

  if (!ending.aborted) await once(ending, 'abort')
  deps.log.info('the server stops', { why: (ending.reason as Error).message })
  deps.stopping.abort('the server stops')
  await watched?.stop()
  // Requests that wait for a long change are answered, and don't hold up the stop.
  const all = [deps.longChanges, rescans, removals, backups, copies, scrub, ahead, background]
  const inside = all.map((one) => one.stop())
  await Promise.all([...inside, serving.stop()])
  await close()
  return 0
}

/** Returns where this machine reaches its own server, of the address that people are shown. */
function addressOf(shown: string): { host: string; port: number } {
  const { hostname, port } = new URL(shown)
  // A URL leaves out the port of its scheme.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 }
}

function showPassword(name: string, password: string): void {
  const text = `The first admin is "${name}" with the password ${password}
The password is shown only once: sign in and change it.
`
  // Written synchronously, so that this throws when nobody can read it.
  if (writeSync(1, text) < Buffer.byteLength(text)) throw new Error('the password was not shown')
}
