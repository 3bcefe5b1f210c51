import type { Context } from 'hono'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import type { Storage } from '../media/storage.ts'
import { uncounted } from './clients/client-requests.ts'
import type { Turns } from './clients/turns.ts'
import type { AppEnv } from './env.ts'
import { readUpload, type Upload, type UploadOptions } from './multipart.ts'

export interface UploadDeps {
  storage: Storage
  log: Log
  config: Pick<Config, 'maxUploadSize'>
  /** Limits how many uploads of a user are read, decoded and stored at once. */
  uploadTurns: Turns
}

/**
 * Waits for the upload's turn, reads its form, or what `read` reads, and returns the response that `use` makes from it.
 * In any case, nothing is left in `tmp/`. `fields` names the text fields, and `quota` is the upload's share of the quota
 * until it has been read; after that, `use` enforces the quota. `turnOf` is whose turn it is, by default the user's, and
 * lasts until `use` is done. Throws what `readUpload` throws, and what `withTurn` throws.
 */
export async function withUpload(
  deps: UploadDeps,
  c: Context<AppEnv>,
  use: (upload: Upload) => Promise<Response>,
  {
    fields,
    quota,
    read = readUpload,
    turnOf,
  }: Pick<UploadOptions, 'fields' | 'quota'> & { read?: typeof readUpload; turnOf?: number } = {},
): Promise<Response> {
  const { storage, log, config } = deps
  const receive = async () => {
    const upload = await read(c, {
      storage,
      maxUploadSize: config.maxUploadSize,
      ...(fields && { fields }),
      quota,
      log,
    }).finally(() => quota?.end())
    try {
      return await use(upload)
    } finally {
      await upload.file.temporary.discard()
    }
  }
  return withTurn(deps, c, receive, turnOf)
}

/**
 * Waits for the turn of an upload, by default the user's, which lasts until `work` is done, and returns what that does.
 * Throws rate_limited when too many uploads are waiting for it or the turn doesn't come in time.
 */
export async function withTurn<T>(
  { uploadTurns }: Pick<UploadDeps, 'uploadTurns'>,
  c: Context<AppEnv>,
  work: () => Promise<T>,
  turnOf = c.var.user.id,
): Promise<T> {
  // A refused client must not go on sending.
  c.header('Connection', 'close')
  const endTurn = await uncounted(c, () => uploadTurns.take(turnOf, c.req.raw.signal))
  try {
    return await work()
  } finally {
    endTurn()
  }
}
