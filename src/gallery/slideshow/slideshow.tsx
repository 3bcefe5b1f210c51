import { batch, useSignal, useSignalEffect } from '@preact/signals'
import { ChevronLeft, ChevronRight, type IconNode, Pause, Play, Shuffle, X } from 'lucide'
import type { TargetedMouseEvent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import { Modal } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { open } from '../parts/modals.ts'
import { replace } from '../routes.ts'
import { slideshow } from '../text/slideshow.ts'
import { watchGestures } from '../viewer/gestures.ts'
import { useAwake, useCalm, useVisibility } from './attention.ts'
import { Film } from './film.tsx'
import { createRun, type Run, type Slide } from './run.ts'
import { leaveFullScreen, PACES, pace, random, type Show, show } from './show.ts'

/** Shows files one after the other, on the whole screen. */
export function Slideshow({ of }: { of: Show }) {
  const run = useMemo(() => createRun(of, end), [of])
  const isCalm = useCalm()
  // What an effect leaves behind is cleared after the next frame, in which the full screen may end.
  useLayoutEffect(() => {
    const changed = () => {
      if (!document.fullscreenElement && !closeAbove()) endAt(run)
    }
    document.addEventListener('fullscreenchange', changed)
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      run.stop()
      end()
    }
  }, [run])
  return (
    <Modal
      label={slideshow().label}
      class={isCalm ? 'slideshow calm' : 'slideshow'}
      onClose={() => endAt(run)}
    >
      <Inside run={run} />
    </Modal>
  )
}

function Inside({ run }: { run: Run }) {
  const isPaused = useSignal(false)
  const isVisible = useVisibility()
  // A film is shown to its end, unless the browser can't play it.
  const still = useSignal<Slide | null>(null)
  const slide = run.slide.value
  const isTimed = slide !== null && (!slide.isFilm || still.value === slide)
  const isRunning = !isPaused.value && isVisible
  useEffect(() => {
    if (!isTimed || !isRunning) return
    const timer = setTimeout(() => run.step(1), Number(pace.value) * 1000)
    return () => clearTimeout(timer)
  }, [slide, isTimed, isRunning, pace.value])
  useAwake(isRunning)
  const pause = () => {
    isPaused.value = !isPaused.value
  }
  useKeys(
    'slideshow',
    {
      Space: pause,
      ArrowLeft: () => run.step(-1),
      ArrowRight: () => run.step(1),
      r: () => turnRandom(run),
    },
    { isModal: true },
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys leave the focus where it is */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div class="room" tabIndex={-1} autofocus onClick={leaveTools}>
        <Slides
          run={run}
          isRunning={isRunning}
          pause={pause}
          onStill={(slide) => {
            still.value = slide
          }}
        />
        <Tools run={run} isPaused={isPaused.value} pause={pause} />
      </div>
    </>
  )
}

/** Ends the slideshow; the file with which it began is open then. */
function end(): void {
  show.value = null
  leaveFullScreen()
}

/** Ends the slideshow; the file that is shown is open then. */
function endAt(run: Run): void {
  const { id } = run.slide.peek()?.file ?? {}
  batch(() => {
    if (id !== undefined) replace({ path: `/f/${id}`, at: id })
    end()
  })
}

/**
 * Closes what is open above the slideshow, such as a menu, and returns whether something was: browsers take the
 * Escape that is meant for it to leave the full screen.
 */
function closeAbove(): boolean {
  const menu = document.querySelector<HTMLElement>('.slideshow :popover-open')
  const top = open.peek().at(-1)
  const isDialog = top !== undefined && !top.matches('.slideshow')
  if (menu) menu.hidePopover()
  else if (isDialog) top.dispatchEvent(new Event('cancel', { cancelable: true }))
  return menu !== null || isDialog
}

function turnRandom(run: Run): void {
  random.value = random.peek() === 'on' ? 'off' : 'on'
  run.reorder()
}

/** After a click on a tool, Space is for the slideshow. */
function leaveTools({ detail, currentTarget }: TargetedMouseEvent<HTMLElement>): void {
  if (detail > 0) currentTarget.focus()
}

interface SlidesProps {
  run: Run
  isRunning: boolean
  pause(): void
  /** Called with a film that the browser can't play. */
  onStill(slide: Slide): void
}

/** Shows a file, above the one before it until it has faded in. */
function Slides({ run, isRunning, pause, onStill }: SlidesProps) {
  const room = useRef<HTMLDivElement>(null)
  const slides = useSignal<Slide[]>([])
  useSignalEffect(() => {
    const slide = run.slide.value
    if (!slide) return
    const isHard = matchMedia('(prefers-reduced-motion: reduce)').matches
    slides.value = isHard ? [slide] : [...slides.peek().slice(-1), slide]
  })
  const latest = useRef(pause)
  latest.current = pause
  useLayoutEffect(() => {
    const gestures = {
      isZoomed: () => false,
      zoom() {},
      move() {},
      pinch() {},
      toggle() {},
      drag() {},
      tap: () => latest.current(),
      swiped: (way: 'left' | 'right' | 'down' | null) => {
        if (way === 'down') endAt(run)
        else if (way) run.step(way === 'left' ? 1 : -1)
      },
    }
    return watchGestures(room.current!, () => gestures)
  }, [run])
  const top = slides.value.at(-1)
  return (
    <div class="slides" ref={room}>
      {slides.value.map((slide) => (
        <div
          class="slide"
          key={keyOf(slide)}
          data-id={slide.file.id}
          onAnimationEnd={() => {
            slides.value = slides.peek().slice(slides.peek().indexOf(slide))
          }}
        >
          {slide.image && <Picture image={slide.image} />}
          {slide.isFilm && (
            <Film
              slide={slide}
              isRunning={isRunning && slide === top}
              onEnded={() => run.step(1)}
              onStill={() => onStill(slide)}
            />
          )}
        </div>
      ))}
    </div>
  )
}

const keys = new WeakMap<Slide, number>()
let shown = 0

/** Returns a key of its own for each slide: a file may follow itself. */
function keyOf(slide: Slide): number {
  const key = keys.get(slide) ?? shown++
  keys.set(slide, key)
  return key
}

/** Shows the picture that is decoded, because another element would have to decode it again. */
function Picture({ image }: { image: HTMLImageElement }) {
  const room = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => room.current!.replaceChildren(image), [image])
  return <div class="picture" ref={room} />
}

/** The buttons below the picture. */
function Tools({ run, isPaused, pause }: { run: Run; isPaused: boolean; pause(): void }) {
  const words = slideshow()
  const isRandom = random.value === 'on'
  return (
    <div class="tools" role="toolbar" aria-label={words.label}>
      <Tool label={words.previous} icon={ChevronLeft} act={() => run.step(-1)} />
      <Tool
        label={isPaused ? words.resume : words.pause}
        icon={isPaused ? Play : Pause}
        act={pause}
      />
      <Tool label={words.next} icon={ChevronRight} act={() => run.step(1)} />
      <Menu
        label={words.pace(pace.value)}
        class="tool"
        items={PACES.map((seconds) => ({
          text: words.seconds(seconds),
          isChosen: pace.value === seconds,
          act: () => {
            pace.value = seconds
          },
        }))}
      >
        {words.seconds(pace.value)}
      </Menu>
      <Tool label={words.random} icon={Shuffle} isOn={isRandom} act={() => turnRandom(run)} />
      <Tool label={words.end} icon={X} act={() => endAt(run)} />
    </div>
  )
}

interface ToolProps {
  label: string
  icon: IconNode
  isOn?: boolean
  act(): void
}

function Tool({ label, icon, isOn, act }: ToolProps) {
  return (
    <button
      type="button"
      class="tool"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={act}
    >
      <Icon of={icon} />
    </button>
  )
}
