import type { Config } from '../../config.ts'
import { type WriteDeps, write } from '../../db/client.ts'
import type { DerivativeState } from '../../enums.ts'
import { recordDerivatives, recordFailure } from '../../files/derivative-queries.ts'
import type { Decoder } from '../../media/decoder.ts'
import type { Storage } from '../../media/storage.ts'
import type { RescanEvent } from './schema.ts'

/** What a rescan works with. */
export interface RescanDeps extends WriteDeps {
  storage: Storage
  decoder: Decoder
  config: Pick<Config, 'duplicateHashThreshold'>
}

interface Untried {
  rid: number
  blob: string
  mime_type: string
}

/** Enough to keep the decoder busy. */
const BATCH = 8

/** Of the files that the system let no decoder try, or that another one than the present could not decode. */
const UNTRIED = `file_details d JOIN files f ON f.rid = d.file_rid
  WHERE (d.derivative_state = 'pending'
    OR (d.derivative_state = 'failed' AND d.decoder_version IS NOT ?))`

/**
 * Makes hash and thumbnail of the files that have none yet, and returns how many have a hash now and
 * how many have none still. What takes too long or too much memory beside others is tried once more,
 * alone, and then for the last time. What the system refuses stays for the next rescan; when it refuses
 * all of a batch, so does the rest. Throws what stands in the way of any file, such as a full disk.
 */
export async function* hashUntried(
  deps: RescanDeps,
): AsyncGenerator<RescanEvent, { hashed: number; failed: number }> {
  const { db, decoder } = deps
  const { total } = db.get<{ total: number }>(
    `SELECT count(*) AS total FROM ${UNTRIED}`,
    decoder.version,
  )!
  const tally = { hashed: 0, failed: 0 }
  let last = 0
  for (let done = 0; ; ) {
    const batch = db.all<Untried>(
      `SELECT f.rid, d.blob, f.mime_type FROM ${UNTRIED} AND f.rid > ? ORDER BY f.rid LIMIT ?`,
      decoder.version,
      last,
      BATCH,
    )
    if (batch.length === 0) return tally
    const states = await hashBatch(deps, batch)
    for (const state of states) tally[state === 'made' ? 'hashed' : 'failed']++
    last = batch.at(-1)!.rid
    done += batch.length
    if (states.every(isPending)) return tally
    yield { type: 'progress', stage: 'hash', done, total: Math.max(done, total) }
  }
}

async function hashBatch(deps: RescanDeps, batch: Untried[]): Promise<DerivativeState[]> {
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
  { db, decoder, storage }: RescanDeps,
  file: Untried,
  isSecondTry: boolean,
): Promise<DerivativeState> {
  try {
    const derivatives = await decoder.derive({
      path: storage.pathForDecoder(file.blob),
      mime_type: file.mime_type,
      thumbnailPath: storage.thumbnailPath(file.blob),
      isSecondTry,
    })
    write(db, () => recordDerivatives(db, file, derivatives))
    return derivatives.state
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Deleted or replaced meanwhile; or lost, and then no later try will find it.
    write(db, () => recordFailure(db, file, decoder.version))
    return 'failed'
  }
}
