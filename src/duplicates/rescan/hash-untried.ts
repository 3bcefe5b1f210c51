import type { Config } from '../../base/config.ts'
import type { DerivativeState } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { deriveStored, removeIfGone } from '../../files/content/derivatives.ts'
import { whyUnreadable } from '../../files/content/readable.ts'
import { tellUndecoded } from '../../files/content/undecoded.ts'
import { recordDerivatives, recordFailure } from '../../files/derivative-queries.ts'
import type { Decoder } from '../../media/decoder/decoder.ts'
import type { Storage } from '../../media/storage.ts'
import { countUntried, type Decodable, listUntried } from './queries.ts'
import type { RescanEvent } from './schema.ts'

/** What a rescan works with. */
export interface RescanDeps extends WriteDeps {
  storage: Storage
  decoder: Decoder
  log: Log
  config: Pick<Config, 'duplicateHashThreshold'>
}

// Enough files to keep the decoder busy.
const BATCH = 8

/**
 * Makes the hash and the thumbnail of the files that have none yet, and returns how many of them have a hash now and
 * how many still don't. A file that exceeds a limit of time or memory next to others is tried once more, alone, and
 * then for the last time. A file that the system refuses is left for the next rescan; when it refuses a whole batch, or
 * the disk has no room, all further files are left as well. A file that the disk can't read is passed over. Throws
 * errors that would affect any file, such as a full disk.
 */
export async function* hashUntried(
  deps: RescanDeps,
): AsyncGenerator<RescanEvent, { hashed: number; failed: number }> {
  const { db, decoder } = deps
  const total = countUntried(db, decoder.version)
  const tally = { hashed: 0, failed: 0 }
  let last = 0
  for (let done = 0; ; ) {
    const batch = listUntried(db, decoder.version, { after: last, limit: BATCH })
    if (batch.length === 0 || !deps.disk.hasRoom()) return tally
    const states = await hashBatch(deps, batch)
    for (const state of states) tally[state === 'made' ? 'hashed' : 'failed']++
    last = batch.at(-1)!.rid
    done += batch.length
    if (states.every(isPending)) return tally
    yield { type: 'progress', stage: 'hash', done, total: Math.max(done, total) }
  }
}

async function hashBatch(deps: RescanDeps, batch: Decodable[]): Promise<DerivativeState[]> {
  const states = await Promise.all(batch.map((file) => hashFile(deps, file, false)))
  for (const [index, file] of batch.entries()) {
    if (states[index] !== 'pending') continue
    states[index] = await hashFile(deps, file, true)
    if (states.every(isPending)) break
  }
  return states
}

function isPending(state: DerivativeState): boolean {
  return state === 'pending'
}

async function hashFile(
  deps: RescanDeps,
  file: Decodable,
  isSecondTry: boolean,
): Promise<DerivativeState> {
  const { db, clock, storage, log } = deps
  try {
    const derivatives = await deriveStored(deps, file, { isSecondTry })
    await removeIfGone({ db, storage }, file)
    write(db, { now: clock() }, (tx) => recordDerivatives(tx, file, derivatives))
    tellUndecoded({ db, log }, file.blob, derivatives.state)
    return derivatives.state
  } catch (error) {
    const why = await whyUnreadable(storage, file.blob, error)
    if (why === null) throw error
    if (why === 'lost') giveUp(deps, file)
    // The next rescan tries it again.
    else log.warn('could not read a content', { blob: file.blob, error: String(error) })
    return 'failed'
  }
}

// A content that is lost, or was purged or replaced in the meantime, is found by no later try.
function giveUp({ db, clock, decoder }: RescanDeps, file: Decodable): void {
  const lost = { decoder_version: decoder.version, looks: null, is_damaged: false }
  write(db, { now: clock() }, (tx) => recordFailure(tx, file, lost))
}
