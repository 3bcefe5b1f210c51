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

/** The most files of an archive that are requested by their ids. */
const MOST_NAMED = 25_000

/** Lets the browser download a file, or several as one ZIP. Throws an ApiError. */
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

/** Returns a listing as the API names it; undefined if an archive can't be requested by it. */
function askedOf({ filter, search, from, to, pool, sort, trash }: Listing): Asked | undefined {
  const isTimed = from !== undefined || to !== undefined
  // Times refer to the time that the listing is sorted by, but for archives to when a file was taken.
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
