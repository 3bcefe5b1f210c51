import { session } from './session.ts'

/** What there is of a file: small, as large as a screen, all pixels as a JPEG, the file itself. */
type MediaKind = 'thumbnail' | 'preview' | 'full' | 'content'

interface MediaOptions {
  /** The file's `version`; with it, the browser may keep the picture. */
  v?: string
  /** Pixels of a thumbnail's longer side. */
  size?: 320 | 640
}

/** Returns where a picture or film of a file is, for `src`. It changes with the session. */
export function mediaUrl(id: string, kind: MediaKind, options: MediaOptions = {}): string {
  const query = new URLSearchParams()
  if (options.v !== undefined) query.set('v', options.v)
  if (options.size !== undefined) query.set('size', String(options.size))
  const suffix = query.size > 0 ? `?${query}` : ''
  return `/web/media/${session.value?.k}/${id}/${kind}${suffix}`
}
