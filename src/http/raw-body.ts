import type { Context } from 'hono'
import { invalid, overQuota } from '../base/errors.ts'
import type { TemporaryFile } from '../media/temporary.ts'
import { nextChunk } from './body.ts'
import { createPace, SLOWEST } from './clients/pace.ts'
import type { AppEnv } from './env.ts'
import { freeMemory, takeQuota, tooLarge, type Upload, type UploadOptions } from './multipart.ts'

/**
 * Reads a body that is a file and nothing else, which may be empty, as `readUpload` reads a form. Throws the same
 * errors.
 */
export async function readRawUpload(c: Context<AppEnv>, options: UploadOptions): Promise<Upload> {
  // Until the body has been read to its end, the connection can't carry another request.
  c.header('Connection', 'close')
  const length = Number(c.req.header('content-length')) || 0
  if (length > options.maxUploadSize) throw tooLarge(options.maxUploadSize)
  if (!takeQuota(options.quota, length, length)) throw overQuota()
  const temporary = await options.storage.createTemporary(length)
  try {
    await receive(c, temporary, length, options)
    c.header('Connection', undefined)
    const { size, sha256 } = await temporary.finish()
    return { file: { temporary, size, sha256, filename: null }, fields: {} }
  } catch (error) {
    await temporary.discard().catch((cause) => {
      options.log.warn('a temporary file could not be discarded', { error: cause })
    })
    throw error
  }
}

async function receive(
  c: Context<AppEnv>,
  temporary: TemporaryFile,
  length: number,
  { maxUploadSize, quota, pace: limit = SLOWEST }: UploadOptions,
): Promise<void> {
  const reader = c.req.raw.body?.getReader()
  const pace = createPace(limit)
  let received = 0
  for (;;) {
    const chunk = reader && (await nextChunk(reader, pace))
    if (!chunk) break
    received += chunk.length
    if (received > maxUploadSize) throw tooLarge(maxUploadSize)
    if (!takeQuota(quota, received, length)) throw overQuota()
    await temporary.write(chunk)
    freeMemory(chunk)
  }
  if (received < length) throw invalid('body', 'stopped before its end')
}
