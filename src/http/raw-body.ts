import type { Context } from 'hono'
import { invalid, overQuota } from '../base/errors.ts'
import { bodyChunks, freeMemory } from './body.ts'
import type { AppEnv } from './env.ts'
import { takeQuota, tooLarge, type Upload, type UploadOptions } from './multipart.ts'

/** Returns how many bytes a body has, as its head says; 0 where that says nothing. */
export function announcedBytes(c: Context<AppEnv>): number {
  return Number(c.req.header('Content-Length')) || 0
}

/**
 * Reads a body that is a file and nothing else, which may be empty, as `readUpload` reads a form. Throws the same
 * errors.
 */
export async function readRawUpload(
  c: Context<AppEnv>,
  { storage, maxUploadSize, quota, log, pace }: UploadOptions,
): Promise<Upload> {
  const length = announcedBytes(c)
  if (length > maxUploadSize) throw tooLarge(maxUploadSize)
  if (!takeQuota(quota, length, length)) throw overQuota()
  const temporary = await storage.createTemporary(length)
  try {
    let received = 0
    for await (const chunk of bodyChunks(c, pace)) {
      received += chunk.length
      if (received > maxUploadSize) throw tooLarge(maxUploadSize)
      if (!takeQuota(quota, received, length)) throw overQuota()
      await temporary.write(chunk)
      freeMemory(chunk)
    }
    if (received < length) throw invalid('body', 'stopped before its end')
    const { size, sha256 } = await temporary.finish()
    return { file: { temporary, size, sha256, filename: null }, fields: {} }
  } catch (error) {
    await temporary.discard().catch((cause) => {
      log.warn('a temporary file could not be discarded', { error: cause })
    })
    throw error
  }
}
