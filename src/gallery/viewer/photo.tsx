import { useSignal } from '@preact/signals'
import { Download } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isLost, untilBack } from '../base/connection.ts'
import type { ApiError } from '../base/error.ts'
import { mediaUrl } from '../base/media.ts'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { viewer } from '../text/viewer.ts'
import type { Swipe } from './gestures.ts'
import { hasFrames, Layer } from './layer.tsx'
import { colourOf, type LiveControls, largest, type Subject, thumbnail } from './subject.ts'
import { useZoom } from './use-zoom.ts'
import { PREVIEW, type Size } from './zoom.ts'

/** What the viewer can do with the picture that it shows. */
export interface PhotoControls {
  /** Switches between the whole picture and one of its pixels per screen pixel. */
  toggle(): void
  /** Zooms around the middle. */
  zoom(factor: number): void
  /** Plays or pauses a film. */
  play?(): void
  /** Plays the film of a picture once, or ends it. */
  live?(): void
}

const loadLive = async () => (await import('./living.tsx')).Live

interface PhotoProps {
  subject: Subject
  controls: { current: PhotoControls | null }
  onTap(): void
  onSwipe(way: Swipe): void
  /** Called when more than the placeholder is visible. */
  onShown(): void
}

/**
 * A picture that can be zoomed and moved: the thumbnail at once, the preview over it, and all pixels
 * over that when the zoom needs them.
 */
export function Photo({ subject, controls, onTap, onSwipe, onShown }: PhotoProps) {
  const natural = useSignal<Size | null>(null)
  const moves = useMoves(subject)
  const live = useRef<LiveControls | null>(null)
  const size = subject.size ?? natural.value ?? { width: PREVIEW, height: PREVIEW / subject.ratio }
  const { stage, isMeasured, isZoomed, place, pixels, toggle, zoom } = useZoom(subject.id, size, {
    tap: onTap,
    ...(subject.living && { hold: (isDown: boolean) => live.current?.hold(isDown) }),
    swipe: onSwipe,
  })
  controls.current = {
    ...{ toggle, zoom },
    ...(subject.living && { live: () => live.current?.toggle() }),
  }
  useLayoutEffect(() => {
    natural.value = null
  }, [subject.id])

  const needsAll = pixels > PREVIEW && isZoomed
  return (
    <div class={isZoomed ? 'photo zoomed' : 'photo'} ref={stage}>
      {isMeasured && (
        <div
          class="layers"
          key={subject.id}
          style={{
            ...colourOf(subject),
            ...place,
          }}
        >
          <Layer src={thumbnail(subject)} turn={subject.turn} />
          <Layer
            turn={subject.isMoving ? subject.turnOfFull : subject.turn}
            src={
              subject.isMoving
                ? largest(subject)
                : mediaUrl(subject.id, 'preview', { v: subject.version })
            }
            alt={subject.name ?? viewer().picture}
            onLoad={(image) => {
              natural.value = { width: image.naturalWidth, height: image.naturalHeight }
              onShown()
            }}
            onError={onShown}
          />
          {(moves || (needsAll && !subject.isMoving)) && (
            <Layer src={largest(subject)} turn={subject.turnOfFull} />
          )}
        </div>
      )}
      {subject.living && (
        <OnDemand
          key={subject.id}
          load={loadLive}
          subject={subject}
          controls={live}
          place={place}
        />
      )}
    </div>
  )
}

/** Returns whether a picture turns out to have several frames. */
function useMoves({ id, version, mayMove }: Subject): boolean {
  const moving = useSignal('')
  const name = `${id} ${version}`
  useEffect(() => {
    if (!mayMove) return
    let isOver = false
    void hasFrames({ id, version }).then((found) => {
      if (found && !isOver) moving.value = name
    })
    return () => {
      isOver = true
    }
  }, [name, mayMove])
  return moving.value === name
}

interface FilmProps {
  subject: Subject
  controls: { current: PhotoControls | null }
}

/** Where a film was when it failed, in seconds, and whether it was being played. */
interface Failed {
  time: number
  isPlaying: boolean
}

/**
 * Plays a film in place; one that the browser can't play is a poster with a sentence and a download.
 * One that is lost with the connection goes on where it was once the server is back.
 */
export function Film({ subject, controls }: FilmProps) {
  const { id, version, name, turnOfFull: turn } = subject
  const source = useSource(subject)
  const isRefused = useSignal(false)
  const isAway = useSignal(false)
  const failed = useRef<Failed>({ time: -1, isPlaying: false })
  const video = useRef<HTMLVideoElement>(null)
  const poster = mediaUrl(id, 'preview', { v: version })
  const label = name ?? viewer().film
  controls.current = { toggle() {}, zoom() {}, play: () => toggle(video.current) }

  const fail = async ({ currentTime: time, paused, error }: HTMLVideoElement) => {
    // A connection that breaks again at the same place has another reason.
    const isCutOff = error?.code === MediaError.MEDIA_ERR_NETWORK && time > failed.current.time
    failed.current = { time, isPlaying: !paused }
    isAway.value = true
    const wasLost = await untilBack()
    isRefused.value = !wasLost && !isCutOff
    isAway.value = false
  }
  if (isAway.value) {
    return (
      <div class="photo" style={colourOf(subject)}>
        <Layer src={thumbnail(subject)} alt={label} />
        <Waiting />
      </div>
    )
  }
  return (
    <div class="photo">
      {isRefused.value ? (
        <>
          <Layer src={poster} turn={subject.turn} alt={label} />
          <p class="refused">
            {viewer().refused}{' '}
            <a class="btn" href={mediaUrl(id, 'content')} download="">
              <Icon of={Download} /> {viewer().download}
            </a>
          </p>
        </>
      ) : (
        <>
          {turn !== 0 && <Layer src={poster} turn={subject.turn} />}
          {/* biome-ignore lint/a11y/useMediaCaption: a family's films have none */}
          <video
            ref={video}
            class="film"
            data-turn={turn || undefined}
            src={source}
            // It would be turned once more with the film.
            poster={turn === 0 ? poster : undefined}
            aria-label={label}
            controls
            playsInline
            preload="metadata"
            onLoadedMetadata={({ currentTarget }) => {
              // A film whose pictures can't be decoded plays its sound alone.
              if (currentTarget.videoWidth === 0) isRefused.value = true
              const { time, isPlaying } = failed.current
              if (time > 0) currentTarget.currentTime = time
              if (isPlaying) play(currentTarget)
            }}
            onError={({ currentTarget }) => void fail(currentTarget)}
          />
        </>
      )}
    </div>
  )
}

/** Returns the address of a film. It stays while the content does, so that a film that is turned plays on. */
function useSource({ id, version, bytes }: Subject): string {
  const known = useRef({ version, bytes })
  const isReplaced = known.current.bytes !== null && bytes !== null && bytes !== known.current.bytes
  if (isReplaced) known.current = { version, bytes }
  known.current.bytes ??= bytes
  return mediaUrl(id, 'content', { v: known.current.version })
}

function toggle(video: HTMLVideoElement | null): void {
  if (video?.paused) play(video)
  else video?.pause()
}

function play(video: HTMLVideoElement): void {
  // A browser may want a click first, and why a film can't be played is heard as its error.
  video.play().catch(() => {})
}

/** Says that the picture waits for the connection. */
export function Waiting() {
  return isLost.value ? <p class="refused">{viewer().noConnection}</p> : null
}

/** Says that a file could not be loaded, or is gone. */
export function Lost({ error, retry }: { error: ApiError; retry(): void }) {
  const words = viewer()
  const isGone = [403, 404].includes(error.status)
  return (
    <p class="refused" role="alert">
      {isGone ? words.gone : words.failed}{' '}
      {!isGone && (
        <button type="button" class="btn" onClick={retry}>
          {words.retry}
        </button>
      )}
    </p>
  )
}
