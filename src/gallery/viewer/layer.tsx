import { useSignal } from '@preact/signals'
import { untilBack } from '../base/connection.ts'
import { mediaUrl } from '../base/media.ts'
import { namesFrames } from './facts.ts'

/** Pictures that were requested in advance; the oldest are evicted. */
const cached = new Map<string, HTMLImageElement>()
const MOST = 16

/** Loads a picture of a file, by default its preview, so that it appears at once when it is shown. */
export function preload(
  file: { id: string; version: string } | null,
  kind: 'preview' | 'thumbnail' = 'preview',
): void {
  if (!file) return
  const src = mediaUrl(file.id, kind, { v: file.version })
  if (cached.has(src)) return
  const image = new Image()
  image.src = src
  cached.set(src, image)
  const [oldest] = cached.keys()
  if (cached.size > MOST) cached.delete(oldest!)
}

/** In bytes: what a picture usually has before its pixels, with a colour profile. */
const HEAD = 16_384

/** Returns whether a PNG or AVIF has several frames; false when its head can't be read or doesn't say. */
export async function hasFrames({
  id,
  version,
}: {
  id: string
  version: string
}): Promise<boolean> {
  try {
    const headers = { Range: `bytes=0-${HEAD - 1}` }
    const response = await fetch(mediaUrl(id, 'full', { v: version }), { headers })
    return response.ok && namesFrames(await response.arrayBuffer())
  } catch {
    // The preview stands still, but it is there.
    return false
  }
}

interface LayerProps {
  src: string
  /** By how many degrees it is turned clockwise to fill its box. */
  turn?: number
  alt?: string
  onLoad?(image: HTMLImageElement): void
  /** Called when it can't be loaded although the server is there. */
  onError?(): void
}

/**
 * A picture which becomes visible when it is completely loaded. One that was lost is requested again
 * once the server is back.
 */
export function Layer({ src, turn = 0, alt = '', onLoad, onError }: LayerProps) {
  const isLoaded = useSignal(false)
  const attempts = useSignal(0)
  const retry = async () => {
    if ((await untilBack()) || attempts.peek() === 0) attempts.value++
    else onError?.()
  }
  return (
    <img
      key={attempts.value}
      src={src}
      alt={alt}
      data-turn={turn || undefined}
      draggable={false}
      ref={(image) => {
        // A cached picture is complete at once.
        if (image?.complete && image.naturalWidth > 0) isLoaded.value = true
      }}
      class={isLoaded.value ? 'loaded' : undefined}
      onLoad={(event) => {
        isLoaded.value = true
        onLoad?.(event.currentTarget)
      }}
      onError={() => void retry()}
    />
  )
}
