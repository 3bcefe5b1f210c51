import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Claim } from '../base/disk.ts'
import type { Log } from '../base/log.ts'
import { writeAll } from './durable.ts'

/** A file that has its content, or gets it. */
export interface TemporaryCopy {
  path: string
  /** Returns the size in bytes and the digest once the content is safe on the disk. */
  finish(): Promise<{ size: number; sha256: Uint8Array }>
  /**
   * Removes the file at whatever stage it is, unless it was stored. What can't be removed is removed at the next start.
   */
  discard(): Promise<void>
}

/** A file that is being written: its content is stored, hashed and counted chunk by chunk. */
export interface TemporaryFile extends TemporaryCopy {
  /**
   * Resolves when the chunk is written. Throws insufficient_storage when the disk's reserve would be
   * used for it, and the file system's error, such as ENOSPC.
   */
  write(chunk: Uint8Array): Promise<void>
}

/** Makes a file, which must not exist. What is written needs room by the claim, which is released with the file. */
export async function createTemporary(
  path: string,
  { claim, log }: { claim: Claim; log: Pick<Log, 'warn'> },
): Promise<TemporaryFile> {
  const handle = await open(path, 'wx')
  const hash = createHash('sha256')
  let size = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    path,
    async write(chunk) {
      claim.need(chunk.length)
      await writeAll(handle, chunk)
      claim.wrote(chunk.length)
      hash.update(chunk)
      size += chunk.length
    },
    async finish() {
      await handle.sync()
      await close()
      return { size, sha256: hash.digest() }
    },
    async discard() {
      claim.release()
      await discardTemporary(path, log, close)
    },
  }
}

/** Removes a file; what can't be removed is logged, and is removed at the next start. */
export async function discardTemporary(
  path: string,
  log: Pick<Log, 'warn'>,
  close?: () => Promise<void>,
): Promise<void> {
  try {
    await close?.()
    await rm(path, { force: true })
  } catch (error) {
    // Its result may be committed by now, so the client must not send it again.
    log.warn('a temporary file stays until the next start', { error: String(error) })
  }
}
