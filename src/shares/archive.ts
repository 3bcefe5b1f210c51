import type { Context } from 'hono'
import { MINUTE } from '../base/time.ts'
import type { Archives } from '../files/archive/archives.ts'
import { createNames } from '../files/archive/names.ts'
import { MISSING, streamedZip } from '../files/archive/zip.ts'
import type { FileRecord } from '../files/queries.ts'
import { contentDisposition } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import { stream } from '../http/stream.ts'
import type { Bytes, ReadRange } from '../media/file-bytes.ts'
import { loadShown, openOutgoing, openSavedPreview, type SharedDeps } from './content.ts'
import { findLink, type Link } from './link.ts'
import { listShown, shownName } from './shown.ts'

/**
 * Returns a response that streams a ZIP of what the link shows, each file as the link lets it be saved. Whether it shows
 * a file, and still works, is looked up when it is that file's turn. Throws rate_limited while too many others are being
 * sent.
 */
export async function sendSharedArchive(
  deps: SharedDeps & { archives: Archives },
  c: Context<AppEnv>,
  { link, token }: { link: Link; token: string },
): Promise<Response> {
  const { archives, storage, log } = deps
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': contentDisposition('attachment', `${link.share.title ?? 'Photos'}.zip`),
    'Cache-Control': 'no-store',
  }
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const { request_id } = c.var
  const rids = Uint32Array.from(await listShown(deps.db, link))
  const { end } = archives.begin(link.share.rid, archives.add(link.share.rid, rids))
  const hold = storage.hold()
  let open: Awaited<ReturnType<typeof openEntry>>['stream']
  async function* entries() {
    const nameOf = createNames([MISSING])
    for (const [index, rid] of rids.entries()) {
      const found = await findEntry(deps, token, rid)
      if (!found) continue
      const { file } = found
      hold.add([file.blob])
      const entry = await openEntry(deps, found).catch((error) => unread(file, error))
      open = entry.stream
      const { size, mime_extension } = entry
      const original_name = shownName(found.link, { ...file, mime_extension }, index + 1)
      const clock = file.content_datetime + (file.content_offset ?? 0) * MINUTE
      const name = nameOf({ id: '', original_name, mime_extension, clock })
      yield { name, size, clock, blob: name }
    }
  }
  async function* bytes() {
    try {
      yield* streamedZip(entries(), {
        stream: (_, range) => open(range ?? {}),
        onUnread: (name, error) =>
          log.warn('a content could not be read', { request_id, name, error: String(error) }),
      })
    } finally {
      end()
      await hold.release()
    }
  }
  return c.body(stream(c, bytes()), 200, headers)
}

interface Found {
  link: Link
  file: FileRecord
}

async function findEntry(deps: SharedDeps, token: string, rid: number): Promise<Found | null> {
  try {
    const link = findLink(deps.db, token, deps.clock())
    return { link, file: loadShown(deps, link, rid) }
  } catch {
    // The link has ended, or no longer shows the file.
    return null
  }
}

// One file must not cut off all that follow: this one is empty, and named among those that could not be read.
function unread({ mime_extension }: FileRecord, error: unknown) {
  const stream = (): Promise<Bytes> => Promise.reject(error)
  return { stream, size: 0, mime_extension }
}

async function openEntry(deps: SharedDeps, { link, file }: Found) {
  const outgoing = await openOutgoing(deps, link, file)
  if (outgoing) return outgoing
  const { stream, size } = await openSavedPreview(deps, link, file)
  return { stream: stream as (range: ReadRange) => Promise<Bytes>, size, mime_extension: 'jpg' }
}
