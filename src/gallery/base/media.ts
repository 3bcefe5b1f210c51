import type { Schemas } from '../../client/index.ts'
import { session } from './session.ts'

/** A small picture, one as large as a screen, one with all pixels as a JPEG, or the file itself. */
type MediaKind = 'thumbnail' | 'preview' | 'full' | 'content'

interface MediaOptions {
  /** The file's `version`; with it, the browser may cache the picture. */
  v?: string
  /** Pixels of the longer side. */
  size?: 320 | 640
}

/** Returns the URL of a picture or film, for `src`. It changes with the session. */
export function mediaUrl(id: string, kind: MediaKind, options: MediaOptions = {}): string {
  const query = new URLSearchParams()
  if (options.v !== undefined) query.set('v', options.v)
  if (options.size !== undefined) query.set('size', String(options.size))
  const suffix = query.size > 0 ? `?${query}` : ''
  return `/web/media/${session.value?.k}/${id}/${kind}${suffix}`
}

/** Types of which `full` is a JPEG made by the server, since browsers don't show them: RAWs are `x-`. */
const MADE = /^image\/(hei[cf]|tiff|jxl|x-)/

/**
 * Returns by how many degrees `full` is still to be turned clockwise: contents are sent as they are, while what the
 * server makes is turned already.
 */
export function turnOfFull({ mime_type, rotation }: Schemas['File']): number {
  return MADE.test(mime_type) ? 0 : rotation
}
