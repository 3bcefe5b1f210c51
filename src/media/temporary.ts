import { createHash } from 'node:crypto'
import { chmod, constants, copyFile, type FileHandle, link, open, rm } from 'node:fs/promises'
import type { Claim } from '../base/disk.ts'
import type { Log } from '../base/log.ts'
import { readDigest } from './digest.ts'
import { NO_LINK, syncFile, writeAll } from './durable.ts'
import { pathOfOpened } from './opened.ts'

/** A file that has its content, or gets it. */
export interface TemporaryCopy {
  /** Returns what `fn` returns for the path of the file, which is good as long as `fn` runs. */
  withLocalFile<T>(fn: (path: string) => Promise<T>): Promise<T>
  /** Returns the size in bytes and the digest once the content is safe on the disk; at once when asked again. */
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

interface TemporaryDeps {
  claim: Claim
  log: Pick<Log, 'warn'>
}

/** Makes a file, which must not exist. What is written needs room by the claim, which is released with the file. */
export async function createTemporary(
  path: string,
  { claim, log }: TemporaryDeps,
): Promise<TemporaryFile> {
  const handle = await open(path, 'wx')
  const hash = createHash('sha256')
  let size = 0
  let isOpen = true
  let sha256: Uint8Array | null = null
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    withLocalFile: (fn) => fn(path),
    async write(chunk) {
      claim.need(chunk.length)
      await writeAll(handle, chunk)
      // What was discarded meanwhile has released its claim.
      if (isOpen) claim.wrote(chunk.length)
      hash.update(chunk)
      size += chunk.length
    },
    async finish() {
      if (isOpen) await handle.sync()
      await close()
      sha256 ??= hash.digest()
      return { size, sha256 }
    },
    async discard() {
      claim.release()
      await discardTemporary(path, log, close)
    },
  }
}

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = constants
const PRIVATE = 0o600

/**
 * Makes a file that shares blocks with an open one, whose present bytes it has. Where the file system can't do that,
 * makes none, releases the claim and returns null.
 */
export async function cloneTemporary(
  source: FileHandle,
  path: string,
  { claim, log }: TemporaryDeps,
): Promise<TemporaryCopy | null> {
  try {
    await copyFile(pathOfOpened(source), path, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
    // It has the mode of the source.
    await chmod(path, PRIVATE)
  } catch {
    claim.release()
    // A caller that then copies the bytes meets any other error.
    await rm(path, { force: true })
    return null
  }
  return copyAt(path, async () => {
    claim.release()
    await discardTemporary(path, log)
  })
}

/**
 * Gives an existing file another name, under which it may be stored; the first name stays. Where the file system can't
 * do that, the file is stored under its only name, and only that removes it.
 */
export async function linkTemporary(
  from: string,
  path: string,
  { claim, log }: TemporaryDeps,
): Promise<TemporaryCopy> {
  try {
    await link(from, path)
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    return copyAt(from, async () => claim.release())
  }
  return copyAt(path, async () => {
    claim.release()
    await discardTemporary(path, log)
  })
}

function copyAt(path: string, discard: () => Promise<void>): TemporaryCopy {
  const finish = async () => {
    await syncFile(path)
    const { size, sha256 } = await readDigest(path)
    return { size, sha256: Buffer.from(sha256, 'hex') }
  }
  let finished: ReturnType<typeof finish> | null = null
  return {
    withLocalFile: (fn) => fn(path),
    finish() {
      finished ??= finish()
      return finished
    },
    discard,
  }
}

async function discardTemporary(
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
