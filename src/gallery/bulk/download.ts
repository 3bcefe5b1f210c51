import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { number, bytes as sizeOf } from '../base/format.ts'
import type { Listing } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import { toast } from '../parts/toast.tsx'
import type { Target } from '../tagging/index.ts'
import { bulk } from '../text/bulk.ts'

type Asked = Schemas['ArchiveAsked']

/** Files that an archive is asked for by their ids. */
const MOST_NAMED = 25_000

/** Lets the browser fetch a file, or several of them as one ZIP. Throws an ApiError. */
export async function download(target: Target): Promise<void> {
  const { count } = target
  const asked = target.listing && askedOf(target.listing)
  if (asked) return archive(asked, count)
  const { ids } = await target.ids()
  if (ids.length === 1) save(mediaUrl(ids[0]!, 'content'))
  else if (ids.length > MOST_NAMED) toast({ text: bulk().tooManyNamed(MOST_NAMED), kind: 'bad' })
  else await archive({ file_ids: ids }, count)
}

async function archive(body: Asked, count: number): Promise<void> {
  const words = bulk()
  try {
    const { token, files, bytes } = await ask(api.POST('/api/v1/files/archive', { body }))
    if (files === 0) {
      toast({ text: words.noArchive, kind: 'bad' })
      return
    }
    save(`/api/v1/files/archive?${new URLSearchParams({ access_token: token })}`)
    const size = sizeOf(bytes)
    const text =
      files < count ? words.archivePart(files, number(count), size) : words.archive(files, size)
    toast({ text, kind: 'info' })
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.status === 400
    if (!isTooLarge) throw error
    toast({ text: words.archiveTooLarge, kind: 'bad' })
  }
}

/** Returns what the API calls a listing; undefined where an archive can't be asked for by it. */
function askedOf({ filter, search, from, to, pool, sort, trash }: Listing): Asked | undefined {
  const isTimed = from !== undefined || to !== undefined
  // Times mean what the listing is sorted by, and for archives when a file was taken.
  if (trash || (isTimed && sort === 'created')) return undefined
  const isFiltered = isTimed || filter || search
  if (pool !== undefined) return isFiltered ? undefined : { pool_id: pool }
  return {
    filter: filter ?? '',
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

function save(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
