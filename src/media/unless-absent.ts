/** Returns null when the file that was asked for is not there; throws the file system's other errors. */
export async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
