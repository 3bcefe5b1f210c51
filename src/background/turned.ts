import { createPause, repeatedly } from '../base/pause.ts'
import { beforeAbort, isWithin, MINUTE } from '../base/time.ts'
import { type WriteDeps, write } from '../db/write.ts'
import { whyUnreadable } from '../files/content/readable.ts'
import { recordDerivatives } from '../files/derivative-queries.ts'
import { recordShown } from '../files/looks/queries.ts'
import { nextTurned, payHashes, type TurnedFile } from '../files/looks/turn-queries.ts'
import type { Derivatives } from '../media/decoder/decoder.ts'
import { decodeContent } from './decode.ts'
import { isStillSo, lookAtThumbnail } from './finer.ts'
import { type Finding, type LookDeps, lookAtContent } from './kind.ts'

interface TurnedDeps extends WriteDeps, Omit<LookDeps, 'config'> {}

// How often turned files are looked for, in milliseconds.
const INTERVAL = 5000
// How long those wait that could not be hashed, and all after an error such as a full disk, in milliseconds.
const PAUSE = 10 * MINUTE

/** Makes the hashes of files that people turn, soon after they do. `stop` waits for no file. */
export function scheduleTurned(deps: TurnedDeps): { stop(): Promise<void> } {
  const left = new Map<number, number>()
  let failed: number | null = null
  return repeatedly(INTERVAL, async (signal) => {
    const now = deps.clock()
    if (isWithin(PAUSE, failed, now)) return
    for (const [rid, at] of left) if (!isWithin(PAUSE, at, now)) left.delete(rid)
    try {
      const waits = (rid: number) => left.has(rid)
      for (const rid of await hashTurned(deps, signal, waits)) left.set(rid, deps.clock())
    } catch (error) {
      if (signal.aborted) return
      failed = deps.clock()
      deps.log.warn('turned files are hashed later', { error: String(error) })
    }
  })
}

/**
 * Makes the hashes that turned files are owed, except for those that wait, and returns the files that could not be
 * hashed now. Throws the errors of a full disk, and the signal's reason.
 */
export async function hashTurned(
  deps: TurnedDeps,
  signal: AbortSignal,
  waits: (rid: number) => boolean = () => false,
): Promise<number[]> {
  const left: number[] = []
  const pause = createPause()
  for (let after = 0; ; ) {
    await pause()
    signal.throwIfAborted()
    const file = nextTurned(deps.db, after)
    if (!file) return left
    after = file.rid
    if (waits(file.rid)) continue
    const finding = await beforeAbort(hash(deps, file, signal), signal)
    if (typeof finding !== 'function') left.push(file.rid)
    else {
      write(deps.db, { now: deps.clock() }, (tx) => {
        // A file that was turned or replaced in the meantime is owed other hashes.
        if (!isStillSo(tx, file)) return
        finding(tx)
        payHashes(tx, file.rid)
      })
    }
  }
}

function hash(deps: TurnedDeps, file: TurnedFile, signal: AbortSignal) {
  const find = async () => {
    deps.disk.requireRoomToWrite()
    return await look(deps, file)
  }
  const nothing: Finding = () => {}
  return lookAtContent(deps, file, signal, { find, nothing, meanwhile: nothing })
}

async function look(deps: TurnedDeps, file: TurnedFile): Promise<Finding | null> {
  const isUpright = file.rotation === 0
  if (!isUpright) {
    const looked = await lookAtThumbnail(deps, file)
    if (!looked) return null
    const { shown } = looked
    if (shown) return (tx) => recordShown(tx, file.rid, shown)
  }
  const derivatives = await decodeUnlessLost(deps, file)
  if (derivatives?.state === 'pending') return null
  // The hashes of an upright file are those of its content, as long as that can be decoded.
  const isHashed = isUpright && derivatives !== null && derivatives.phash !== null
  const looked = isHashed ? { shown: null } : await lookAtThumbnail(deps, file)
  if (!looked) return null
  const { shown } = looked
  // A content that is lost may come back.
  if (!derivatives && !shown) return null
  return (tx) => {
    if (derivatives) recordDerivatives(tx, file, derivatives)
    if (shown) recordShown(tx, file.rid, shown)
  }
}

async function decodeUnlessLost(deps: TurnedDeps, file: TurnedFile): Promise<Derivatives | null> {
  try {
    return await decodeContent(deps, file)
  } catch (error) {
    if ((await whyUnreadable(deps.storage, file.blob, error)) === 'lost') return null
    throw error
  }
}
