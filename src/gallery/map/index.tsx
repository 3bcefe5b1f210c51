import { useSignal, useSignalEffect } from '@preact/signals'
import { type IconNode, Maximize, Minus, Plus } from 'lucide'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys.ts'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { FilterBar, filterWithin, isFiltered } from '../filter/index.ts'
import { Icon } from '../parts/icon.tsx'
import { Unread } from '../parts/instead.tsx'
import { go, hrefOf, screen } from '../routes.ts'
import { map as text } from '../text/map.ts'
import { pinched } from '../viewer/zoom.ts'
import { type Atlas, loadAtlas } from './atlas.ts'
import { draw } from './draw.ts'
import { watchGestures } from './gestures.ts'
import { type Place, placesOf } from './places.ts'
import {
  asked,
  calm,
  change,
  filterInSight,
  type Loaded,
  loadMap,
  moveBy,
  openAt,
  showCells,
  stage,
  view,
  zoomBy,
} from './state.ts'
import { bounded, LARGEST } from './view.ts'
import { nameOf, wordsOf } from './words.ts'

/** Milliseconds without a movement after which the server is asked. */
const PAUSE = 150
/** The scale from which coasts and borders have to be fine. */
const FINE = 24
const [ZOOM, STEP] = [1.6, 120]
/** The most places that have their names below them. */
const MOST_NAMED = 16
/** A place with at most as many files opens when it is chosen; one with more comes nearer first. */
const FEW = 12

/** The screen of where photos were taken: coasts, borders, and what lies where. */
export function PlacesMap() {
  const words = text()
  const room = useRef<HTMLDivElement>(null)
  const isOpen = useRef(false)
  const { data, error, reload } = useResource(loadMap)
  const loaded = data.value
  useStage(room)
  useCalm()
  useSignalEffect(() => {
    if (screen.value !== 'map' || !stage.value || !data.value) return
    // A filter may also come to name cells while the map is open.
    if (isOpen.current && asked.value.cells.every((cell) => cell === '')) return
    isOpen.current = true
    openAt(data.value)
  })
  useKeys('map', {
    '+': () => zoomBy(ZOOM),
    '-': () => zoomBy(1 / ZOOM),
    '0': () => showCells([], undefined, true),
    ArrowLeft: () => moveBy({ x: STEP, y: 0 }),
    ArrowRight: () => moveBy({ x: -STEP, y: 0 }),
    ArrowUp: () => moveBy({ x: 0, y: STEP }),
    ArrowDown: () => moveBy({ x: 0, y: -STEP }),
  })
  const isEmpty = loaded?.within.length === 0 && loaded.map.total === 0
  return (
    <>
      <h1 class="hidden">{words.title}</h1>
      <FilterBar />
      <div class="world" ref={room}>
        <Coasts />
        {loaded && <Places {...loaded} />}
        {loaded && !isEmpty && <ShowThese {...loaded} />}
        {isEmpty && <p>{isFiltered.value ? words.ofFilter : words.nowhere}</p>}
        <Unread error={error.value} retry={() => void reload()} />
        <div class="btns">
          <Tool icon={Plus} label={words.keys['+']} act={() => zoomBy(ZOOM)} />
          <Tool icon={Minus} label={words.keys['-']} act={() => zoomBy(1 / ZOOM)} />
          <Tool
            icon={Maximize}
            label={words.keys['0']}
            act={() => showCells([], undefined, true)}
          />
        </div>
      </div>
    </>
  )
}

interface ToolProps {
  icon: IconNode
  label: string
  act(): void
}

function Tool({ icon, label, act }: ToolProps) {
  return (
    <button type="button" class="btn icononly" aria-label={label} title={label} onClick={act}>
      <Icon of={icon} />
    </button>
  )
}

/** A link to the files in sight. */
function ShowThese(loaded: Loaded) {
  const words = text()
  const { filter, count } = filterInSight(loaded)
  if (count === 0) {
    return (
      <span class="btn these" role="status">
        {words.none}
      </span>
    )
  }
  return (
    <a class="btn primary these" href={hrefOf({ path: '/', listing: { filter }, at: null })}>
      {words.show(count)}
    </a>
  )
}

/** Coasts and borders, drawn again in each view and theme. */
function Coasts() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const atlas = useSignal<Atlas | null>(null)
  const isFine = useSignal<boolean | null>(null)
  const theme = useSignal(0)
  useLayoutEffect(() => {
    const look = () => theme.value++
    const isDark = matchMedia('(prefers-color-scheme: dark)')
    isDark.addEventListener('change', look)
    return () => isDark.removeEventListener('change', look)
  }, [])
  useSignalEffect(() => {
    const wanted = (view.value?.scale ?? 0) >= FINE
    if (wanted === isFine.peek() || isFine.peek()) return
    isFine.value = wanted
    loadAtlas(wanted).then(
      (next) => {
        if (wanted === isFine.peek()) atlas.value = next
      },
      // The places stand without it, and the next zoom tries again.
      () => {
        if (wanted === isFine.peek()) isFine.value = null
      },
    )
  })
  useSignalEffect(() => {
    void theme.value
    if (!atlas.value || !view.value || !stage.value || !canvas.current) return
    draw(canvas.current, atlas.value, view.value, stage.value)
  })
  return <canvas ref={canvas} />
}

/** The places in sight, as a list for those who don't see the map. */
function Places({ map }: Loaded) {
  const words = text()
  if (!view.value || !stage.value) return null
  const places = placesOf(map, view.value, stage.value)
  const isNamed = places.length <= MOST_NAMED
  return (
    <ul aria-label={words.places}>
      {places.map((place) => (
        <li key={place.file.id} style={{ transform: `translate(${place.x}px, ${place.y}px)` }}>
          <button type="button" title={wordsOf(place)} onClick={() => choose(place, map.length)}>
            <img
              src={mediaUrl(place.file.id, 'thumbnail', { v: place.file.version })}
              alt=""
              draggable={false}
            />
            <span class="hidden">{wordsOf(place)}</span>
            {place.count > 1 && (
              <span class="num" aria-hidden="true">
                {number(place.count)}
              </span>
            )}
            {isNamed && place.town && (
              <span class="name" aria-hidden="true">
                {nameOf(place.town)}
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Opens the files of a place, or comes nearer to one with many as long as that is possible. */
function choose({ cells, count }: Place, length: number): void {
  const isDivisible = (cells.length > 1 || length < 8) && view.peek()!.scale < LARGEST
  if (count > FEW && isDivisible) showCells(cells, undefined, true)
  else go({ path: '/', listing: { filter: filterWithin(asked.peek().rest, cells) }, at: null })
}

/** Measures the stage, and lets it be dragged, pinched and zoomed. */
function useStage(room: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = room.current!
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      stage.value = { width, height }
      if (view.peek()) view.value = bounded(view.peek()!, stage.peek()!)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const stop = watchGestures(element, {
      move: moveBy,
      pinch: (from, to) => change((now) => pinched(now, from, to)),
      zoom: zoomBy,
    })
    return () => {
      observer.disconnect()
      stop()
    }
  }, [])
}

/** Notes each view that stays for a moment. */
function useCalm(): void {
  useSignalEffect(() => {
    const now = view.value
    const timer = setTimeout(() => {
      calm.value = now
    }, PAUSE)
    return () => clearTimeout(timer)
  })
}
