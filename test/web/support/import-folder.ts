import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files that were written just now are waited for. */
const EARLIER = new Date(2020, 1, 1)

/** Writes a file below the import folder of a library, with the folders that lead to it. */
export async function putSource(
  dataDir: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  const whole = join(dataDir, 'import', path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, content)
  await utimes(whole, EARLIER, EARLIER)
}
