/** Returns null when the requested file does not exist; throws the file system's other errors. */
export async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked
  } catch (error) {
    return nullWhenAbsent(error)
  }
}

/** Does the same synchronously. */
export function unlessAbsentNow<Value>(ask: () => Value): Value | null {
  try {
    return ask()
  } catch (error) {
    return nullWhenAbsent(error)
  }
}

function nullWhenAbsent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
