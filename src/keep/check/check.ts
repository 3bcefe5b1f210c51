import { setImmediate } from 'node:timers/promises'
import { sizeOfLog } from '../../audit/queries.ts'
import { acquireLock } from '../../db/lock.ts'
import { storeFault } from '../../files/content/store-marker.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { checkContents, type Listed, listStore } from './contents.ts'
import { counters } from './counters.ts'
import { foreignKeys, integrity, schema } from './database.ts'
import { checkDerivatives } from './derivatives.ts'
import { type CheckEvent, type Finding, type Found, finding, unchecked } from './finding.ts'
import { fullText } from './full-text.ts'
import { type Inspection, inspect } from './inspection.ts'
import { orderKeys, pairs } from './keys.ts'
import { leftovers } from './leftovers.ts'
import { openToOthers } from './modes.ts'
import type { CheckDeps, CheckOptions } from './request.ts'
import { accounts, rows } from './rows.ts'
import { checkUnknown } from './unknown.ts'

// The first ones check what the others rely on: an index can be rebuilt only when no two keys are the same, and
// counters may be counted by an index.
const LOOKS: Inspection[] = [
  orderKeys,
  schema,
  integrity,
  fullText,
  ...counters,
  ...rows,
  pairs,
  foreignKeys,
  accounts,
]

// While one of these is unresolved, the database may not return all its rows.
const NOT_WHOLE: ReadonlySet<Found['kind']> = new Set([
  'database_damaged',
  'index_damaged',
  'schema_missing',
  'details_missing',
  'unchecked',
] as const)

/**
 * Checks everything in a library while it may be in use, and yields what is wrong, with `repair` after mending it.
 * Throws the signal's reason when it is aborted.
 */
export async function* checkLibrary(
  deps: CheckDeps,
  options: CheckOptions,
): AsyncGenerator<CheckEvent> {
  const { repair, signal } = options
  let isWhole = true
  for (const look of LOOKS) {
    signal.throwIfAborted()
    const found = inspect(look, deps, repair)
    isWhole &&= found.every(({ kind, repaired }) => repaired || !NOT_WHOLE.has(kind))
    yield* found
    // Checking never waits for I/O, and a signal must get through.
    await setImmediate()
  }
  signal.throwIfAborted()
  const { dataDir } = deps.config
  const files = [...openToOthers(dataDir), ...leftovers(deps.db, dataDir, deps.clock())]
  yield* files.map((found): Finding => finding(found))
  const store = await storeFault(deps.db, deps.config)
  if (store) {
    // Contents that aren't there may not be lost yet, and those that are may belong to another library.
    yield finding({ ...store, subject: 'files' })
    return
  }
  let listed: Listed | null = null
  let isListed = true
  try {
    listed = await listStore(deps, signal)
  } catch (error) {
    signal.throwIfAborted()
    isListed = false
    yield finding(unchecked('files', 'What is in the store', error))
  }
  yield* await checkUnknown(deps, options, isWhole, listed)
  if (options.read !== 'none') yield* checkDerivatives(deps, options, isWhole)
  if (isListed) yield* checkContents(deps, options, listed)
  if (isWhole) yield { type: 'log', ...sizeOfLog(deps.db) }
}

/** Takes the lock of repairs. Throws conflict when another repair holds it. */
export function lockRepairs({ dataDir }: { dataDir: string }): { release(): void } {
  return acquireLock(dataFolder(dataDir).checkLock, 'The library is being repaired already')
}
