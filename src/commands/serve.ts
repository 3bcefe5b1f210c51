import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createApp } from '../app.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import { runBackground } from '../background/run.ts'
import { scheduleTurned } from '../background/turned.ts'
import { type Config, readConfig } from '../base/config.ts'
import { keepMemoryPrivate } from '../base/private-memory.ts'
import { isoTime, MINUTE } from '../base/time.ts'
import { VERSION } from '../base/version.ts'
import { idTime } from '../db/ids.ts'
import { scheduleRescans } from '../duplicates/rescan/schedule.ts'
import { scheduleRemovals } from '../files/content/removals.ts'
import { newestFileId } from '../files/created-queries.ts'
import { judgeLateDates } from '../files/dates/late-dates.ts'
import { loadTowns } from '../files/places/towns.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import { scheduleBackups } from '../keep/backup/schedule.ts'
import { scheduleScrub } from '../keep/scrub/schedule.ts'
import { type Deps, openForServer } from '../library.ts'
import { scheduleCopies } from '../library-database.ts'
import { scheduleRetention } from '../retention/retention.ts'
import { type Serving, serve } from '../server.ts'
import { bannerOf } from './banner.ts'
import type { Command } from './command.ts'
import { interruption } from './command.ts'
import { holdRequests } from './held-requests.ts'

const usage = `Usage: tagstead serve [--watch]

Runs the server with the library in DATA_DIR, which is created if it is missing, until Ctrl-C,
SIGTERM or SIGHUP stops it. With --watch, pages in browsers reload when the gallery's source changes.
`

/** `tagstead serve`. */
export const serveCommand: Command = {
  usage,
  async run(args) {
    const { watch } = parseArgs({ args, options: { watch: { type: 'boolean' } } }).values
    const config = readConfig()
    await keepMemoryPrivate()
    return runServer(config, { isWatching: watch })
  },
}

async function runServer(config: Config, { isWatching = false }): Promise<number> {
  loadTowns()
  const { deps, hasFfmpeg, close } = await openForServer(config)
  const watched = isWatching ? await (await import('../web/watch.ts')).watchGallery() : undefined
  // Before the address is shown, because a program that reads it may send a signal at once.
  const ending = interruption()
  const serving = await beginServing(deps, createApp(deps, watched)).catch(async (error) => {
    await watched?.stop()
    await close()
    throw error
  })
  introduce(deps, { ...serving, hasFfmpeg })
  deps.decoder.begin(addressOf(serving.address))
  deps.longChanges.resume()
  const rescans = scheduleRescans(deps)
  const removals = scheduleRemovals(deps)
  const retention = scheduleRetention(deps)
  const backups = scheduleBackups(deps)
  const copies = scheduleCopies(deps)
  const scrub = scheduleScrub(deps)
  const lateDates = judgeLateDates(deps)
  const background = runBackground(deps)
  const turned = scheduleTurned(deps)

  if (!ending.aborted) await once(ending, 'abort')
  deps.log.info('the server stops', { why: (ending.reason as Error).message })
  deps.stopping.abort('the server stops')
  await watched?.stop()
  // Requests that wait for a long change are answered, and don't delay the stop.
  const all = [
    deps.longChanges,
    rescans,
    removals,
    retention,
    backups,
    copies,
    scrub,
    lateDates,
    background,
    turned,
  ]
  const inside = all.map((one) => one.stop())
  await Promise.all([...inside, serving.stop()])
  await close()
  return 0
}

// Returns the server, which answers once there is a user. It listens before the first admin is created, because
// otherwise the password might be shown for a server that can't start. Throws, and stops listening, when the password
// can't be shown.
async function beginServing(
  deps: Deps,
  app: ReturnType<typeof createApp>,
): Promise<Serving & { isNew: boolean }> {
  const { config, log } = deps
  const { host, port } = config
  const held = holdRequests(app)
  const serving = await serve(held, { host, port, log })
  try {
    const isNew = await ensureFirstAdmin(deps, showPassword)
    held.open()
    return { ...serving, isNew }
  } catch (error) {
    held.refuse()
    await serving.stop()
    throw error
  }
}

function introduce(
  { config, db, log, clock }: Deps,
  { address, port, isNew, hasFfmpeg }: Serving & { isNew: boolean; hasFfmpeg: boolean },
): void {
  if (!isNew) tellUnused({ config, log })
  tellFuture({ db, log, clock })
  if (process.stdout.isTTY) {
    const files = isNew ? null : totalUsage(db).files
    process.stdout.write(bannerOf({ config, port, files, hasFfmpeg }))
    return
  }
  if (process.getuid?.() === 0) {
    log.warn('the server runs as root (uid 0): give it an account of its own')
  }
  process.stdout.write(`Tagstead ${VERSION} is at ${address}\n`)
}

/** Warns when the newest file is from the future. */
export function tellFuture({ db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>): void {
  const id = newestFileId(db)
  if (id === undefined || idTime(id) <= clock() + MINUTE) return
  log.warn('the newest file is dated in the future: the clock is wrong, or was wrong then', {
    created_at: isoTime(idTime(id)),
    now: isoTime(clock()),
  })
}

// Setting a password after the first start has no effect, which would be puzzling.
function tellUnused({ config, log }: Pick<Deps, 'config' | 'log'>): void {
  const { adminPassword, adminPasswordFile } = config
  if (adminPassword === null && adminPasswordFile === null) return
  const name = adminPassword === null ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
  log.warn(`${name} is not used: it is for the first start, and there are users`, {
    instead: 'tagstead user password NAME',
  })
}

// The address at which this machine reaches its own server, from the one that is shown.
function addressOf(shown: string): { host: string; port: number } {
  const { hostname, port } = new URL(shown)
  // A URL leaves out the port of its scheme.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 }
}

function showPassword(name: string, password: string): void {
  const text = `The first admin is "${name}" with the password ${password}
The password is shown only once: sign in and change it.
`
  // Written synchronously, so that this throws when the output is closed.
  try {
    if (writeSync(1, text) < Buffer.byteLength(text)) throw new Error('it was cut off')
  } catch (error) {
    throw new Error(`the first password can't be shown: ${(error as Error).message}`)
  }
}
