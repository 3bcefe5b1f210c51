import {
  constants,
  copyFile,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { isOutOfSpace } from '../base/disk.ts'
import { readDigest } from '../media/digest.ts'
import { syncNames } from '../media/sync-names.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import { partIn } from './folder.ts'
import type { Exported } from './snapshot-queries.ts'

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
  /** Of a content: how many bytes it must have, and the time that it gets. */
  content?: { size: number; time: number }
}

/** A file with where its content is, and the text of its sidecar. */
export interface ToWrite extends Exported {
  from: string
  sidecar: string
}

export interface Writer {
  /** Writes what is new or has changed. Throws where the disk is full, or the folder gone. */
  write(files: ToWrite[]): Promise<void>
  /** Resolves once everything is safe on the disk. */
  end(): Promise<void>
  counts: { contents: number; bytes: number; sidecars: number }
}

/**
 * Returns what writes files into a folder, under their names only once their bytes are safe on the disk. What can't be
 * written is reported to `onFault`, and the rest goes on.
 */
export function createWriter(
  dir: string,
  { sharing, onFault }: { sharing: Sharing; onFault: (path: string, why: string) => void },
): Writer {
  const limit = pLimit(AT_ONCE)
  const counts = { contents: 0, bytes: 0, sidecars: 0 }
  const folders = new Set<string>()
  let parts = 1
  let settling: Promise<void> = Promise.resolve()

  const bringContent = async (file: ToWrite): Promise<Prepared | null> => {
    const path = join(dir, file.path)
    const time = Math.min(Math.max(file.content_datetime, FIRST_TIME), LAST_TIME)
    const found = await unlessAbsent(stat(path))
    if (found) {
      if (!file.is_earlier) throw new Error('something else has that name')
      const isAsWritten =
        found.size === file.size &&
        Math.abs(found.mtimeMs - time) <= ROUNDED &&
        file.earlier === file.sha256
      if (isAsWritten) return null
    }
    const part = partIn(dir, parts++)
    try {
      await copyFile(file.from, part, MODES[sharing])
    } catch (error) {
      await rm(part, { force: true })
      throw await whoseFault(file, error)
    }
    return { part, path, content: { size: file.size, time } }
  }
  const bringSidecar = async (file: ToWrite): Promise<Prepared | null> => {
    const path = join(dir, `${file.path}.xmp`)
    const text = Buffer.from(file.sidecar)
    const found = await unlessAbsent(readFile(path))
    if (found?.equals(text)) return null
    if (found && !file.is_earlier) throw new Error('something else has the name of its sidecar')
    const part = partIn(dir, parts++)
    await writeFile(part, text)
    return { part, path }
  }
  /** Does some work for a file; what fails is a fault of this file, unless it would fail for all. */
  const tryFor = async <Value>(path: string, work: () => Promise<Value>): Promise<Value | null> => {
    try {
      return await work()
    } catch (error) {
      if (isOutOfSpace(error)) throw new Error(`The disk of ${dir} is full`)
      if (error instanceof CannotShare || !(await unlessAbsent(stat(dir)))) throw error
      onFault(path, (error as Error).message)
      return null
    }
  }
  const settle = async ({ part, path, content }: Prepared) => {
    const handle = await open(part, 'r+')
    try {
      if (content) {
        const { size } = await handle.stat()
        if (size !== content.size)
          throw new Error(`its content has ${size} bytes, not ${content.size}`)
        await handle.utimes(content.time / 1000, content.time / 1000)
      }
      await handle.sync()
    } catch (error) {
      await rm(part, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    await rename(part, path)
    if (content) {
      counts.contents++
      counts.bytes += content.size
    } else counts.sidecars++
  }

  return {
    counts,
    async write(files) {
      const changed = new Set<string>()
      for (const file of files) {
        const folder = dirname(join(dir, file.path))
        if (!folders.has(folder)) await mkdir(folder, { recursive: true })
        folders.add(folder)
      }
      const work = files.map((file) =>
        limit(async () => {
          const content = await tryFor(file.path, () => bringContent(file))
          const sidecar = await tryFor(file.path, () => bringSidecar(file))
          return { file, prepared: [content, sidecar].filter((one) => one !== null) }
        }),
      )
      const all = await settled(work)
      await settling
      // While this waits for the disk, the next files are copied.
      settling = settled(
        all.flatMap(({ file, prepared }) =>
          prepared.map((one) =>
            limit(() => {
              changed.add(dirname(one.path))
              return tryFor(file.path, () => settle(one))
            }),
          ),
        ),
      ).then(async () => {
        for (const folder of changed) await syncNames(folder)
      })
      // Whoever waits for it hears of it.
      settling.catch(() => {})
    },
    end: () => settling,
  }
}

class CannotShare extends Error {}

/** Resolves to all values, or throws the first error once no work is under way any more. */
async function settled<Value>(work: Promise<Value>[]): Promise<Value[]> {
  const ended = await Promise.allSettled(work)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

const NO_SHARING = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS'])

/** Returns the error that tells why a content could not be copied: because it can't be read, or as it is. */
async function whoseFault({ from }: ToWrite, error: unknown): Promise<unknown> {
  try {
    await readDigest(from)
  } catch (unread) {
    const isAbsent = (unread as NodeJS.ErrnoException).code === 'ENOENT'
    return new Error(isAbsent ? 'its content is missing' : `its content can't be read: ${unread}`)
  }
  if (!NO_SHARING.has((error as NodeJS.ErrnoException).code ?? '')) return error
  return new CannotShare('The library and that folder can not share blocks: leave out --reflink')
}
