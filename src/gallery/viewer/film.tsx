import { useSignal } from '@preact/signals'
import { Download } from 'lucide'
import { mediaUrl } from '../base/media.ts'
import { Icon } from '../parts/icon.tsx'
import { viewer } from '../text/viewer.ts'
import type { Subject } from './subject.ts'

interface FilmProps {
  subject: Subject
  isPlayed: boolean
  onEnded(): void
}

/**
 * Plays a film in place; one that the browser can't play is a poster with a sentence and a download.
 */
export function Film({ subject, isPlayed, onEnded }: FilmProps) {
  const { id, version, name } = subject
  const isRefused = useSignal(false)
  const poster = mediaUrl(id, 'preview', { v: version })
  return (
    <div class="photo">
      {isRefused.value ? (
        <>
          <img class="poster" src={poster} alt={name ?? viewer().film} />
          <p class="refused">
            {viewer().refused}{' '}
            <a class="btn" href={mediaUrl(id, 'content')} download="">
              <Icon of={Download} /> {viewer().download}
            </a>
          </p>
        </>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a family's films have none
        <video
          class="film"
          src={mediaUrl(id, 'content', { v: version })}
          poster={poster}
          aria-label={name ?? viewer().film}
          controls
          playsInline
          preload="metadata"
          autoPlay={isPlayed}
          onEnded={onEnded}
          onLoadedMetadata={(event) => {
            // A film whose pictures can't be decoded plays its sound alone.
            if (event.currentTarget.videoWidth === 0) isRefused.value = true
          }}
          onError={() => {
            isRefused.value = true
          }}
        />
      )}
    </div>
  )
}
