import { ApiError } from '../base/error.ts'
import { FLAGS } from '../base/listing.ts'

interface Flagged {
  ids: string[]
  f: number[]
}

/**
 * Returns the files that the caller may not edit. `known` are the flags of the loaded files; those of
 * others are read by `read`, which returns a file with those that follow it. Throws what `read` throws,
 * except for a file that is gone.
 */
export async function lockedOf(
  ids: string[],
  known: ReadonlyMap<string, number>,
  read: (anchor: string) => Promise<Flagged>,
): Promise<string[]> {
  const flags = new Map<string, number | null>()
  for (const id of ids) flags.set(id, known.get(id) ?? null)
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
