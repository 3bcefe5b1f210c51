import { ApiError } from '../base/error.ts'
import { FLAGS } from '../base/listing.ts'

/** Files, with their flags. */
interface Flagged {
  ids: string[]
  f: number[]
}

/**
 * Returns those of the files that the caller may not edit. `flagsOf` returns the flags of a file that
 * is loaded; those of others are read by `read`, which returns a file with those that follow it.
 * Throws what `read` throws, but for a file that is gone.
 */
export async function lockedOf(
  ids: string[],
  flagsOf: (id: string) => number | null,
  read: (anchor: string) => Promise<Flagged>,
): Promise<string[]> {
  const flags = new Map<string, number | null>()
  for (const id of ids) flags.set(id, flagsOf(id))
  for (const id of ids) {
    if (flags.get(id) !== null) continue
    const page = await read(id).catch(nothingWhereGone)
    page.ids.forEach((each, index) => {
      if (flags.has(each)) flags.set(each, page.f[index]!)
    })
  }
  return ids.filter((id) => {
    const own = flags.get(id) ?? FLAGS.editable
    return (own & FLAGS.editable) === 0
  })
}

function nothingWhereGone(error: unknown): Flagged {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return { ids: [], f: [] }
  throw error
}
