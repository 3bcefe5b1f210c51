import { execFile } from 'node:child_process'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { childEnvironment } from '../base/child-process.ts'
import { isOutOfSpace } from '../base/disk.ts'
import { isBusy } from '../base/errors.ts'
import { createPause } from '../base/pause.ts'
import type { Contents } from '../media/contents.ts'
import { syncFile, writeAll } from '../media/durable.ts'
import { syncNames } from '../media/sync-names.ts'
import { unlessAbsentNow } from '../media/unless-absent.ts'
import { partIn } from './folder.ts'
import type { Exported } from './snapshot-queries.ts'

const run = promisify(execFile)

/** How contents are copied: sharing blocks of the disk where that can be done, always, or never. */
export type Sharing = 'auto' | 'reflink' | 'copy'

const MODES: Record<Sharing, number> = {
  auto: constants.COPYFILE_FICLONE,
  reflink: constants.COPYFILE_FICLONE_FORCE,
  copy: 0,
}

// More than one, because each waits for the disk.
const AT_ONCE = 4
/** Milliseconds by which a time may differ: FAT rounds it to two seconds. */
const ROUNDED = 2000
// What every file system can hold: FAT begins with 1980, and ends with 2107.
const FIRST_TIME = Date.UTC(1980, 0, 2)
const LAST_TIME = Date.UTC(2107, 11, 30)

/** A file that is written beside its place. */
interface Prepared {
  part: string
  path: string
  /** Bytes of a content; null for a sidecar. */
  size: number | null
}

/** Where a file belongs in the export, and its content. */
type Places = Pick<Exported, 'path' | 'blob'>

interface ToWrite extends Exported {
  /** Returns the text of its sidecar, which is needed for a moment only. */
  sidecar(): string
}

interface Writer {
  /** Writes what is new or has changed. Throws where the disk is full, or the folder gone. */
  write(files: ToWrite[]): Promise<void>
  /** Resolves once everything is safe on the disk. */
  end(): Promise<void>
  counts: { contents: number; bytes: number; sidecars: number }
}

interface WriterOptions {
  contents: Pick<Contents, 'stream' | 'digest'>
  /** Returns the path of a content in a folder; null for contents in a store. */
  pathOf: ((blob: string) => string) | null
  sharing: Sharing
  onFault: (path: string, why: string) => void
  signal: AbortSignal
}

/**
 * Returns what writes files into a folder, under their names only once their bytes are safe on the disk. What can't be
 * written is reported to `onFault`, and the rest goes on.
 */
export function createWriter(
  dir: string,
  { contents, pathOf, sharing, onFault, signal }: WriterOptions,
): Writer {
  const limit = pLimit(AT_ONCE)
  // A store answers several requests at once.
  const bringing = pLimit(pathOf ? 1 : AT_ONCE)
  const counts = { contents: 0, bytes: 0, sidecars: 0 }
  const folders = new Set<string>()
  let parts = 1
  let hasSync = true
  let settling: Promise<void> = Promise.resolve()

  const fetchTo = async (part: string, blob: string) => {
    const handle = await open(part, 'w')
    try {
      for await (const piece of await contents.stream(blob, { isFresh: true })) {
        signal.throwIfAborted()
        await writeAll(handle, piece)
      }
    } finally {
      await handle.close()
    }
  }
  // Nothing else happens in this process, and a call that doesn't wait for the disk is over before another thread has
  // begun with it.
  const bringContent = async (file: ToWrite): Promise<Prepared | null> => {
    const path = join(dir, file.path)
    const time = Math.min(Math.max(file.content_datetime, FIRST_TIME), LAST_TIME)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found) {
      const isAsWritten =
        found.size === file.size &&
        Math.abs(found.mtimeMs - time) <= ROUNDED &&
        file.earlier === file.sha256
      if (isAsWritten) return null
    }
    const part = partIn(dir, parts++)
    try {
      if (pathOf) copyFileSync(pathOf(file.blob), part, MODES[sharing])
      else await fetchTo(part, file.blob)
      const { size } = statSync(part)
      if (size !== file.size) throw new Error(`its content has ${size} bytes, not ${file.size}`)
      utimesSync(part, time / 1000, time / 1000)
    } catch (error) {
      rmSync(part, { force: true })
      // Otherwise the next run would take the former content for this one.
      if (found && file.earlier !== file.sha256) rmSync(path, { force: true })
      throw error
    }
    return { part, path, size: file.size }
  }
  const bringSidecar = async (file: ToWrite): Promise<Prepared | null> => {
    const path = join(dir, `${file.path}.xmp`)
    const text = Buffer.from(file.sidecar())
    const found = unlessAbsentNow(() => readFileSync(path))
    if (found?.equals(text)) return null
    const part = partIn(dir, parts++)
    writeFileSync(part, text)
    return { part, path, size: null }
  }
  /** Reports what fails for a file, unless it would fail for all of them. */
  const judge = async (file: Places, error: unknown) => {
    signal.throwIfAborted()
    if (isOutOfSpace(error)) throw new Error(`The disk of ${dir} is full`)
    const fault = await whoseFault(contents.digest(file.blob), error, sharing)
    if (isBusy(fault) || fault instanceof CannotShare || !existsSync(dirname(partIn(dir, 0))))
      throw fault
    onFault(file.path, (fault as Error).message)
  }
  const settle = ({ part, path, size }: Prepared) => {
    renameSync(part, path)
    if (size === null) counts.sidecars++
    else {
      counts.contents++
      counts.bytes += size
    }
  }
  /** Gives files their names once their bytes are safe on the disk. */
  const settleAll = async (prepared: { file: Places; one: Prepared }[]) => {
    if (prepared.length === 0) return
    await makeSafe(prepared.map(({ one }) => one.part))
    for (const { file, one } of prepared) {
      try {
        settle(one)
      } catch (error) {
        await judge(file, error)
      }
    }
    for (const folder of new Set(prepared.map(({ one }) => dirname(one.path)))) {
      await syncNames(folder)
    }
  }
  const makeSafe = async (parts: string[]) => {
    // One call for all is several times quicker than one for each, but not every system has it.
    if (hasSync)
      hasSync = await run('sync', ['-f', dir], { env: childEnvironment() }).then(
        () => true,
        () => false,
      )
    if (!hasSync) await Promise.all(parts.map((part) => limit(() => syncFile(part))))
  }

  return {
    counts,
    async write(files) {
      const prepared: { file: Places; one: Prepared }[] = []
      const pause = createPause()
      const bringBoth = async (file: ToWrite) => {
        const folder = dirname(join(dir, file.path))
        if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
        folders.add(folder)
        for (const bring of [bringContent, bringSidecar]) {
          try {
            const one = await bring(file)
            if (one) prepared.push({ file: { path: file.path, blob: file.blob }, one })
          } catch (error) {
            await judge(file, error)
          }
        }
        await pause()
      }
      await Promise.all(files.map((file) => bringing(() => bringBoth(file)))).finally(() =>
        bringing.clearQueue(),
      )
      await settling
      // While these wait for the disk, the next files are copied.
      settling = settleAll(prepared)
      // Whoever waits for it hears of it.
      settling.catch(() => {})
    },
    end: () => settling,
  }
}

class CannotShare extends Error {}

const NO_SHARING = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS'])

/** Returns the error that tells why a content could not be copied: because it can't be read, or as it is. */
async function whoseFault(
  reading: Promise<unknown>,
  error: unknown,
  sharing: Sharing,
): Promise<unknown> {
  try {
    await reading
  } catch (unread) {
    // A store that is away would fail for all others, too.
    if (isBusy(unread)) return unread
    const isAbsent = (unread as NodeJS.ErrnoException).code === 'ENOENT'
    return new Error(isAbsent ? 'its content is missing' : `its content can't be read: ${unread}`)
  }
  const { code = '' } = error as NodeJS.ErrnoException
  if (sharing !== 'reflink' || !NO_SHARING.has(code)) return error
  return new CannotShare('The library and that folder can not share blocks: leave out --reflink')
}
