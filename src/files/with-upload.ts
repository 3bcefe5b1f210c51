import type { Context } from 'hono'
import type { AppEnv, Deps } from '../context.ts'
import { readUpload, type Upload } from '../http/multipart.ts'

/**
 * Reads the form of an upload and answers what `use` makes of it; leaves nothing in `tmp/` whatever
 * becomes of it. Throws as `readUpload` does.
 */
export async function withUpload(
  deps: Deps,
  c: Context<AppEnv>,
  use: (upload: Upload) => Promise<Response>,
): Promise<Response> {
  const { storage, log } = deps
  const upload = await readUpload(c, { storage, maxUploadSize: deps.config.maxUploadSize, log })
  try {
    return await use(upload)
  } finally {
    await upload.file.temporary.discard()
  }
}
