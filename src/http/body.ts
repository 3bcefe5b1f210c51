import { AppError, invalid } from '../base/errors.ts'
import type { Pace } from './clients/pace.ts'

/**
 * Returns the next bytes of a request's body, or undefined at its end. Throws a validation error when the client hangs
 * up, and AppError timeout when it is slower than `pace` allows.
 */
export async function nextChunk(
  reader: { read(): Promise<{ value?: Uint8Array | undefined }> },
  pace: Pace,
): Promise<Uint8Array | undefined> {
  const asked = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new AppError('timeout', 'The body is arriving too slowly'))
    // Bytes that arrived while the server was busy are readable one turn after the timer.
    timer = setTimeout(() => setImmediate(end), pace.left())
  })
  try {
    const { value } = await Promise.race([reader.read(), late])
    pace.moved(performance.now() - asked, value?.length ?? 0)
    return value
  } catch (error) {
    throw error instanceof AppError ? error : invalid('body', 'stopped before its end')
  } finally {
    clearTimeout(timer)
  }
}
