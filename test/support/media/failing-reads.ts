import { type FileHandle, open } from 'node:fs/promises'

const NUMBERS = { EIO: -5, ENOSPC: -28 }

/**
 * Runs `work` once for each of its reads of open files, which fails with a code of the system, and calls
 * `failed` after each; returns what it makes in the end, when all of its reads are good, and how many failed.
 */
export async function withEachReadFailing<Result>(
  code: keyof typeof NUMBERS,
  work: () => Promise<Result>,
  failed: (result: PromiseSettledResult<Result>) => unknown,
): Promise<{ result: Result; reads: number }> {
  const handle = await open(import.meta.filename, 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { read } = prototype
  for (let good = 0; ; good++) {
    let reads = 0
    prototype.read = async function (this: FileHandle, ...how: Parameters<typeof read>) {
      if (reads++ !== good) return read.apply(this, how)
      throw Object.assign(new Error(`${code}: it fails`), { code, errno: NUMBERS[code] })
    } as typeof read
    const [result] = await Promise.allSettled([work()])
    prototype.read = read
    if (reads > good) await failed(result)
    else if (result.status === 'rejected') throw result.reason
    else return { result: result.value, reads: good }
  }
}
