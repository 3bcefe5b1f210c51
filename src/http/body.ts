import { AppError, invalid } from '../errors.ts'
import { STALL_LIMIT } from './stream.ts'

/**
 * Returns the next bytes of a request's body, or undefined at its end. Throws a validation error when
 * the client hangs up, or sends nothing for `stallLimit` milliseconds.
 */
export async function nextChunk(
  reader: { read(): Promise<{ value?: Uint8Array | undefined }> },
  stallLimit = STALL_LIMIT,
): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(invalid('body', 'stopped arriving')), stallLimit)
  })
  try {
    return (await Promise.race([reader.read(), stalled])).value
  } catch (error) {
    throw error instanceof AppError ? error : invalid('body', 'stopped before its end')
  } finally {
    clearTimeout(timer)
  }
}
