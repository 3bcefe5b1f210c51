import { useSignal } from '@preact/signals'

interface LayerProps {
  src: string
  alt?: string
  onLoad?(image: HTMLImageElement): void
  onError?(): void
}

/** A picture over the others, seen once it is there as a whole. */
export function Layer({ src, alt = '', onLoad, onError }: LayerProps) {
  const isLoaded = useSignal(false)
  return (
    <img
      src={src}
      alt={alt}
      draggable={false}
      ref={(image) => {
        // One that was loaded before is there at once.
        if (image?.complete && image.naturalWidth > 0) isLoaded.value = true
      }}
      class={isLoaded.value ? 'loaded' : undefined}
      onLoad={(event) => {
        isLoaded.value = true
        onLoad?.(event.currentTarget)
      }}
      onError={onError}
    />
  )
}
