import { createTurns } from '../../http/clients/turns.ts'
import { RAW_TYPES } from '../../media/endings.ts'
import type { FileRecord } from '../queries.ts'
import type { ContentDeps } from '../upload.ts'
import {
  findDerivative,
  isToBeMade,
  openDerivative,
  openInPlace,
  type SentDerivative,
} from './derivatives.ts'

/** Types whose content is never sent to be shown: what browsers do with it differs, and is useless at best. */
const PREVIEWED = new Set(['image/jxl', ...RAW_TYPES.keys()])
/** Types that browsers don't show. */
const UNSHOWN = new Set(['image/heic', 'image/heif', 'image/tiff', ...PREVIEWED])

// Full pictures take long to make: at most one per user and two in all are made at once. Times are in milliseconds.
const ofUser = createTurns({ atOnce: 1, waiting: 16, longest: 60_000 })
const ofAll = createTurns({ atOnce: 2, waiting: 64, longest: 60_000 })
const ALL = 0

/** Returns whether browsers show the content of a file as it is, in an `<img>`. */
export function isShownAsItIs({ mime_type }: Pick<FileRecord, 'mime_type'>): boolean {
  return mime_type.startsWith('image/') && !UNSHOWN.has(mime_type)
}

/** Returns whether a file is shown by its preview alone, and its content is only for saving. */
export function isShownByPreview({ mime_type }: Pick<FileRecord, 'mime_type'>): boolean {
  return PREVIEWED.has(mime_type)
}

/**
 * Returns all pixels of a picture that browsers don't show, as a JPEG made in turn; the preview for a video, for a
 * picture that can't be made, and when too many requests are waiting. Throws as `openDerivative` does.
 */
export async function openFull(
  deps: ContentDeps,
  file: FileRecord,
  client: { user_id: number; signal: AbortSignal },
): Promise<SentDerivative> {
  if (!UNSHOWN.has(file.mime_type)) return openDerivative(deps, file, 'preview', client.user_id)
  const present = await findDerivative(deps, file, 'full')
  if (present) return present
  const isMade = await isToBeMade(deps, file, 'full')
  const end = isMade ? await takeTurn(client).catch(() => null) : null
  if (end === null) return openInPlace(deps, file, 'full', client.user_id)
  try {
    return await openDerivative(deps, file, 'full', client.user_id)
  } finally {
    end()
  }
}

/** Waits for the user's turn and then for one of all; throws when either doesn't come. */
async function takeTurn(client: { user_id: number; signal: AbortSignal }): Promise<() => void> {
  const endOwn = await ofUser.take(client.user_id, client.signal)
  try {
    const end = await ofAll.take(ALL, client.signal)
    return () => {
      end()
      endOwn()
    }
  } catch (error) {
    endOwn()
    throw error
  }
}
