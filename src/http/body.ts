import type { Context } from 'hono'
import { AppError, invalid } from '../base/errors.ts'
import { createPace, type Pace, type PaceLimit, SLOWEST } from './clients/pace.ts'
import type { AppEnv } from './env.ts'

/**
 * Yields a request's body as it comes. The answer closes the connection unless the body has been read to its end: until
 * then, the connection can't carry another request. Throws what `nextChunk` throws.
 */
export async function* bodyChunks(
  c: Context<AppEnv>,
  limit: PaceLimit = SLOWEST,
): AsyncGenerator<Uint8Array> {
  c.header('Connection', 'close')
  const length = c.req.header('content-length')
  const reader = c.req.raw.body?.getReader()
  const pace = createPace(limit)
  let received = 0
  for (;;) {
    const chunk = reader && (await nextChunk(reader, pace))
    received += chunk?.length ?? 0
    if (!chunk || String(received) === length) c.header('Connection', undefined)
    if (!chunk) return
    yield chunk
  }
}

/**
 * Frees the memory of a chunk at once, where the runtime can and nothing else uses it: Bun collects buffers so late that
 * they pile up during a large upload.
 */
export function freeMemory({ buffer, length }: Uint8Array): void {
  const { transfer } = buffer as ArrayBuffer & { transfer?: (length: number) => ArrayBuffer }
  if (buffer.byteLength === length) transfer?.call(buffer, 0)
}

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
