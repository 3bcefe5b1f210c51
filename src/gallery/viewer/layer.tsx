import { useSignal } from '@preact/signals'

interface LayerProps {
  src: string
  alt?: string
  onLoad?(image: HTMLImageElement): void
  onError?(): void
}

/** A picture over the others, which becomes visible when it is completely loaded. */
export function Layer({ src, alt = '', onLoad, onError }: LayerProps) {
  const isLoaded = useSignal(false)
  return (
    <img
      src={src}
      alt={alt}
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
      onError={onError}
    />
  )
}
