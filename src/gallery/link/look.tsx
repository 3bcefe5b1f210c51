import { signal, useSignal } from '@preact/signals'
import { ChevronLeft, Download, Pause, Play, ZoomIn } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import { averageColour } from '../grid/thumbnails/blur.ts'
import { Icon } from '../parts/icon.tsx'
import { Arrow, Tool } from '../parts/tool.tsx'
import { useAwake, useCalm, useVisibility } from '../slideshow/attention.ts'
import { link } from '../text/link.ts'
import { useZoom } from '../viewer/use-zoom.ts'
import { PREVIEW, type Size } from '../viewer/zoom.ts'
import { about, files, look, looked, mediaOf, more, type Shared } from './shared.ts'
import { ratioOf, thumbnailOf } from './wall.tsx'

/** How long a slideshow shows a photo, in milliseconds. */
const PACE = 5000
/** The names that say nothing. */
const UNNAMED = /^(photo|film)-\d+\.\w+$/

/** Whether one file after the other is shown by itself. */
const isPlaying = signal(false)

/** Shows all files one after the other, beginning with the first. */
export function begin(): void {
  play()
  look(files.peek()[0]!.id)
}

function play(): void {
  isPlaying.value = true
  // On iPhones there is none.
  document.documentElement.requestFullscreen?.().catch(() => {})
}

function pause(): void {
  isPlaying.value = false
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}

function close(): void {
  pause()
  look(null)
}

/** Looks at the next file, or the one before; after the last one, a slideshow goes on with the first. */
async function step(way: 1 | -1): Promise<void> {
  const from = looked.peek()
  const place = files.peek().findIndex(({ id }) => id === from) + way
  if (place === files.peek().length) await more()
  // Somebody has gone elsewhere meanwhile.
  if (looked.peek() !== from) return
  const all = files.peek()
  const next = all[place] ?? (isPlaying.peek() && place > 0 ? all[0] : undefined)
  if (next) look(next.id)
}

/** Shows the file that the address names above all others, if it names one. */
export function Looked() {
  const id = looked.value
  const file = files.value.find((one) => one.id === id)
  const isMissing = id !== null && !file
  useEffect(() => {
    if (!isMissing) return
    if (about.value?.next_cursor) void more()
    else look(null)
  }, [isMissing, files.value.length])
  return file ? <Viewer file={file} /> : null
}

function Viewer({ file }: { file: Shared }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isBare = useSignal(false)
  const isCalm = useCalm() && isPlaying.value
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    const changed = () => {
      if (!document.fullscreenElement) isPlaying.value = false
    }
    document.addEventListener('fullscreenchange', changed)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      element.close()
    }
  }, [])
  // The tile of the file that was looked at last.
  useLayoutEffect(
    () => () => document.querySelector<HTMLElement>(`[data-id="${file.id}"]`)?.focus(),
    [file.id],
  )
  return (
    <dialog
      ref={dialog}
      class={`viewer alone${isBare.value || isCalm ? ' bare' : ''}`}
      aria-label={link().label}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <Inside
        file={file}
        onTap={() => {
          isBare.value = !isBare.value
        }}
      />
    </dialog>
  )
}

/** What keys and buttons do with what is shown. */
interface Controls {
  toggle?(): void
  zoom?(factor: number): void
  play?(): void
}

function Inside({ file, onTap }: { file: Shared; onTap(): void }) {
  const words = link()
  const { id, kind, name } = file
  const place = files.value.findIndex((one) => one.id === id)
  const { total, downloads } = about.value!
  const controls = useRef<Controls>({})
  const save = useRef<HTMLAnchorElement>(null)
  const isFilm = kind === 'film'
  // A film is shown to its end, unless the browser can't play it.
  const still = useSignal<string | null>(null)
  const isRunning = useVisibility() && isPlaying.value
  const isTimed = isRunning && (!isFilm || still.value === id)
  useEffect(() => {
    if (!isTimed) return
    const timer = setTimeout(() => void step(1), PACE)
    return () => clearTimeout(timer)
  }, [id, isTimed])
  useAwake(isRunning)
  useEffect(() => {
    for (const near of [files.peek()[place + 1], files.peek()[place - 1]]) {
      if (near) new Image().src = mediaOf(near.id, 'preview')
    }
  }, [id])
  useKeys(
    'link',
    {
      ArrowLeft: () => void step(-1),
      ArrowRight: () => void step(1),
      z: () => controls.current.toggle?.(),
      '+': () => controls.current.zoom?.(1.5),
      '-': () => controls.current.zoom?.(1 / 1.5),
      Space: () => controls.current.play?.(),
      'Shift+Space': () => (isPlaying.peek() ? pause() : play()),
      d: () => save.current?.click(),
    },
    { isModal: true },
  )
  return (
    <div class="stage" tabIndex={-1} autofocus>
      <div class="top">
        <Tool label={words.back} icon={ChevronLeft} act={close} />
        <h1 class="title num">
          {words.of(place + 1, total)}
          {!UNNAMED.test(name) && <span class="place">{name}</span>}
        </h1>
        {isPlaying.value ? (
          <Tool label={words.pause} icon={Pause} act={pause} />
        ) : (
          <Tool label={words.slideshow} icon={Play} act={play} />
        )}
        {!isFilm && (
          <Tool label={words.zoom} icon={ZoomIn} isSpare act={() => controls.current.toggle?.()} />
        )}
        {downloads !== 'none' && (
          <a
            class="tool"
            ref={save}
            href={mediaOf(id, 'content')}
            download={name}
            aria-label={words.save}
            title={words.save}
          >
            <Icon of={Download} />
          </a>
        )}
      </div>
      <div class="show">
        {isFilm ? (
          <Film
            key={id}
            file={file}
            controls={controls}
            isRunning={isRunning}
            onRefused={() => {
              still.value = id
            }}
          />
        ) : (
          <Photo key={id} file={file} controls={controls} onTap={onTap} />
        )}
        {place > 0 && <Arrow side="previous" label={words.previous} act={() => void step(-1)} />}
        {place + 1 < total && <Arrow side="next" label={words.next} act={() => void step(1)} />}
      </div>
    </div>
  )
}

interface PhotoProps {
  file: Shared
  controls: { current: Controls }
  onTap(): void
}

function Photo({ file, controls, onTap }: PhotoProps) {
  const words = link()
  const { id, film, thumbhash } = file
  const hasFailed = useSignal(false)
  const isLive = useSignal(false)
  const { stage, isMeasured, isZoomed, place, toggle, zoom } = useZoom(id, sizeOf(file), {
    tap: onTap,
    swipe: (way) => {
      if (way === 'down') close()
      else void step(way === 'left' ? 1 : -1)
    },
  })
  controls.current = { toggle, zoom }
  return (
    <div class={isZoomed ? 'photo zoomed' : 'photo'} ref={stage}>
      {isMeasured && (
        <div
          class="layers"
          style={{ ...place, ...(thumbhash !== null && { '--c': averageColour(thumbhash) }) }}
        >
          <Layer src={thumbnailOf(file)} />
          <Layer
            src={mediaOf(id, 'preview')}
            alt={file.name}
            onError={() => {
              hasFailed.value = true
            }}
          />
          {isLive.value && (
            // biome-ignore lint/a11y/useMediaCaption: a family's films have none
            <video
              class="film loaded"
              src={mediaOf(film!, 'film')}
              autoplay
              playsInline
              onEnded={() => {
                isLive.value = false
              }}
              onError={() => {
                isLive.value = false
              }}
            />
          )}
        </div>
      )}
      {hasFailed.value && <p class="refused">{words.failed}</p>}
      {film !== null && (
        <button
          type="button"
          class="live"
          aria-label={words.playLive}
          title={words.playLive}
          aria-pressed={isLive}
          onClick={() => {
            isLive.value = !isLive.value
          }}
        >
          {words.live}
        </button>
      )}
    </div>
  )
}

/** Returns the pixels of the preview. */
function sizeOf(file: Shared): Size {
  const ratio = ratioOf(file)
  const longer = Math.min(PREVIEW, Math.max(file.width ?? PREVIEW, file.height ?? PREVIEW))
  return ratio > 1
    ? { width: longer, height: longer / ratio }
    : { width: longer * ratio, height: longer }
}

function Layer({ src, alt = '', onError }: { src: string; alt?: string; onError?(): void }) {
  const isLoaded = useSignal(false)
  return (
    <img
      src={src}
      alt={alt}
      draggable={false}
      class={isLoaded.value ? 'loaded' : undefined}
      onLoad={() => {
        isLoaded.value = true
      }}
      onError={onError}
    />
  )
}

interface FilmProps {
  file: Shared
  controls: { current: Controls }
  /** Whether it is played as a part of a slideshow. */
  isRunning: boolean
  onRefused(): void
}

function Film({ file: { id, name }, controls, isRunning, onRefused }: FilmProps) {
  const words = link()
  const video = useRef<HTMLVideoElement>(null)
  const isRefused = useSignal(false)
  const refuse = () => {
    isRefused.value = true
    onRefused()
  }
  controls.current = {
    play() {
      if (video.current?.paused) void start(video.current)
      else video.current?.pause()
    },
  }
  useEffect(() => {
    if (isRunning && video.current) void start(video.current)
  }, [isRunning])
  const poster = mediaOf(id, 'preview')
  return (
    <div class="photo">
      {isRefused.value ? (
        <>
          <Layer src={poster} alt={name} />
          <p class="refused">{words.refused}</p>
        </>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a family's films have none
        <video
          ref={video}
          class="film"
          src={mediaOf(id, 'film')}
          poster={poster}
          aria-label={name}
          controls
          playsInline
          preload="metadata"
          onEnded={() => isPlaying.peek() && void step(1)}
          onError={refuse}
          // A film whose pictures can't be decoded plays its sound alone.
          onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && refuse()}
        />
      )}
    </div>
  )
}

async function start(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play()
  } catch (error) {
    // Browsers play no sound before the first click.
    if ((error as Error).name !== 'NotAllowedError') return
    video.muted = true
    await video.play().catch(() => {})
  }
}
