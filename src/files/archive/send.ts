import type { Context } from 'hono'
import { audit } from '../../audit/record.ts'
import { createPause } from '../../base/pause.ts'
import { MINUTE } from '../../base/time.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { contentDisposition } from '../../http/disposition.ts'
import type { AppEnv } from '../../http/env.ts'
import { stream } from '../../http/stream.ts'
import type { Hold } from '../../media/holds.ts'
import type { Storage } from '../../media/storage.ts'
import { sidecarText } from '../sidecars/sidecar.ts'
import { sidecarFacts } from '../sidecars/sidecar-queries.ts'
import { viewableFiles } from './archive-queries.ts'
import type { Archives } from './archives.ts'
import { createNames } from './names.ts'
import { createTexts, type Texts } from './texts.ts'
import { createZip, MISSING, type Zip } from './zip.ts'

export interface ArchiveDeps extends WriteDeps {
  storage: Storage
  archives: Archives
}

/** How many files are read and held in one turn. */
const STRETCH = 500

/**
 * Returns a response that streams the archive whose token admitted the request, with sidecars of what the user sees if
 * they are asked for. Throws not_found for an archive that isn't remembered, rate_limited while too many others are
 * being sent, and a validation error for sidecars that are too large.
 */
export async function sendArchive(
  deps: ArchiveDeps,
  c: Context<AppEnv>,
  { hasSidecars }: { hasSidecars: boolean },
): Promise<Response> {
  const { user, archive_id, log, request_id } = c.var
  const { rids, end } = deps.archives.begin(user.id, archive_id)
  const hold = deps.storage.hold()
  const release = () => {
    end()
    return hold.release()
  }
  try {
    const texts = hasSidecars ? createTexts() : null
    const zip = createZip({
      stream: async (blob, range) => texts?.read(blob) ?? deps.storage.stream(blob, range),
      onUnread: (blob, error) =>
        log.warn('a content could not be read', { request_id, blob, error: String(error) }),
    })
    const added = await addFiles(deps, c, rids, { zip, hold, texts })
    const { size, bytes } = zip.end()
    write(deps.db, { now: deps.clock() }, (tx) => audit(tx, user, 'archive_download', null, added))
    // Bun sends the length of no stream (oven-sh/bun#10507).
    return c.body(stream(c, releasing(bytes, release)), 200, {
      'Content-Type': 'application/zip',
      'Content-Length': String(size),
      'Content-Disposition': contentDisposition('attachment', 'Tagstead.zip'),
      'Cache-Control': 'no-store',
    })
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Adds the files that may be viewed now and holds them at once, in the same turn, so that none is removed. Returns
 * their number and total size.
 */
async function addFiles(
  { db }: ArchiveDeps,
  c: Context<AppEnv>,
  rids: Uint32Array,
  { zip, hold, texts }: { zip: Zip; hold: Hold; texts: Texts | null },
): Promise<{ files: number; bytes: number }> {
  const nameOf = createNames([MISSING])
  const pause = createPause()
  const added = { files: 0, bytes: 0 }
  for (let at = 0; at < rids.length; at += STRETCH) {
    const found = viewableFiles(db, c.var.user, [...rids.subarray(at, at + STRETCH)])
    hold.add(found.map((file) => file.blob))
    const viewable = found.map(({ rid }) => rid)
    const facts = texts && sidecarFacts(db, c.var.user, viewable)
    for (const file of found) {
      const clock = file.content_datetime + (file.content_offset ?? 0) * MINUTE
      const { blob, size } = file
      const name = nameOf({ ...file, clock })
      zip.add({ name, blob, size, clock })
      const told = facts?.get(file.rid)
      if (told) zip.add({ name: `${name}.xmp`, ...texts!.add(sidecarText(told)), clock })
      added.files++
      added.bytes += size
      await pause()
    }
  }
  return added
}

/** Releases even if the bytes are not read to the end. */
async function* releasing(
  bytes: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  release: () => Promise<void>,
) {
  try {
    yield* bytes
  } finally {
    await release()
  }
}
