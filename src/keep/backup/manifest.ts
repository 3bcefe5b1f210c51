import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { linesOf } from '../../base/child-process.ts'
import { isBlob } from '../../media/data-folder.ts'
import type { Digest } from '../../media/digest.ts'
import { writeAll } from '../../media/durable.ts'
import { syncNames } from '../../media/sync-names.ts'

/** A content that a generation needs; `missing` if the library had no intact copy of it. */
export interface ManifestLine extends Digest {
  blob: string
  missing?: true
}

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const Head = z.object({
  /** 2 for the database alone, which earlier versions would take for a backup without its contents. */
  format: z.literal([1, 2]),
  library: z.string().regex(/^[0-9a-f]{32}$/),
  version: z.string(),
  /** When the last migration of the database was written, in milliseconds: its place among the migrations. */
  migration: z.int(),
  made_at: z.iso.datetime(),
  /** Whether contents are hard links of the library's. */
  linked: z.boolean(),
  database: z.object({ size: z.int(), sha256: Sha256 }),
  /** Digest of the key that signs tokens, if it was included. */
  secret: Sha256.optional(),
})
/** What the first line of a manifest says. */
export type ManifestHead = z.infer<typeof Head>

const Foot = z.object({ lines: z.int(), sha256: Sha256 })

const PORTION = 2 ** 16

/**
 * Writes a manifest: NDJSON of a head, a line for each content in the order of their blobs, and a foot with the number
 * of those and the SHA-256 of everything before it. It is whole and safe on the disk once this resolves.
 */
export async function writeManifest(
  path: string,
  head: ManifestHead,
  lines: AsyncIterable<ManifestLine> | Iterable<ManifestLine>,
): Promise<void> {
  const hash = createHash('sha256')
  const handle = await open(`${path}.part`, 'w')
  try {
    let text = ''
    const flush = async () => {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      text = ''
      await writeAll(handle, bytes)
    }
    const add = async (line: object) => {
      text += `${JSON.stringify(line)}\n`
      if (text.length >= PORTION) await flush()
    }
    await add(head)
    let count = 0
    for await (const line of lines) {
      await add(line)
      count++
    }
    await flush()
    await writeAll(
      handle,
      Buffer.from(`${JSON.stringify({ lines: count, sha256: hash.digest('hex') })}\n`),
    )
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.part`, path)
  await syncNames(dirname(path))
}

/** Returns whether a generation has the database alone, and no contents. */
export function isDatabaseOnly({ format }: Pick<ManifestHead, 'format'>): boolean {
  return format === 2
}

/** Thrown for a manifest that isn't as it was written. */
export class ManifestError extends Error {}

/**
 * Returns the head of a manifest without checking the rest. Throws ManifestError when there is no head that this
 * version can read.
 */
export async function readHead(path: string): Promise<ManifestHead> {
  const lines = linesOf(createReadStream(path))
  try {
    return headOf((await lines.next()).value ?? '')
  } finally {
    await lines.return(undefined)
  }
}

function headOf(line: string): ManifestHead {
  const parsed = Head.safeParse(unlessBroken(line))
  if (parsed.success) return parsed.data
  const { format } = (unlessBroken(line) ?? {}) as { format?: unknown }
  throw new ManifestError(
    typeof format === 'number' && format > 2
      ? 'the manifest was written by a newer version of Tagstead; install that version'
      : 'the manifest has no head',
  )
}

/**
 * Yields the contents of a manifest. Throws ManifestError for an invalid line, for contents out of order, and for a
 * foot that is missing or doesn't match: whether a manifest is whole is certain only at its end.
 */
export async function* readManifest(path: string): AsyncGenerator<ManifestLine> {
  const hash = createHash('sha256')
  let count = -1
  let last = ''
  let foot: string | null = null
  for await (const text of linesOf(createReadStream(path))) {
    if (foot !== null) throw new ManifestError('the manifest goes on after its foot')
    if (count === -1) headOf(text)
    else if (!text.startsWith('{"blob"')) {
      foot = text
      continue
    } else {
      const line = lineOf(text)
      if (line.blob <= last)
        throw new ManifestError('the contents of the manifest are not in order')
      last = line.blob
      yield line
    }
    hash.update(`${text}\n`)
    count++
  }
  const footer = Foot.safeParse(unlessBroken(foot ?? ''))
  if (!footer.success) throw new ManifestError('the manifest has no foot')
  if (footer.data.lines !== count || footer.data.sha256 !== hash.digest('hex')) {
    throw new ManifestError('the manifest is damaged: its foot says something else')
  }
}

// Parsed by hand, because zod would take as long for a million lines as the disk.
function lineOf(text: string): ManifestLine {
  const line = unlessBroken(text) as Partial<ManifestLine> | null
  const isLine =
    isBlob(String(line?.blob)) &&
    Number.isSafeInteger(line?.size) &&
    /^[0-9a-f]{64}$/.test(String(line?.sha256))
  if (!isLine) throw new ManifestError('the manifest has a line that names no content')
  return line as ManifestLine
}

function unlessBroken(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
