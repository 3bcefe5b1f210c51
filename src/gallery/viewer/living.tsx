import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { act, api } from '../base/api.ts'
import { isLost } from '../base/connection.ts'
import { mediaUrl } from '../base/media.ts'
import { noteFilms } from '../base/pairs.ts'
import type { Files } from '../grid/index.ts'
import { complain, toast } from '../parts/toast.tsx'
import { viewer } from '../text/viewer.ts'
import type { LiveControls, Subject } from './subject.ts'

/** How the film of a picture is played: not, while something is held, or once to its end. */
type State = 'off' | 'held' | 'once'

interface LiveProps {
  subject: Subject
  /** Gets what keys and gestures do. */
  controls: { current: LiveControls | null }
  /** Where the picture is. */
  place: { width: string; height: string; transform: string }
}

/** Plays the film of a picture in its place, and shows the button for it. */
export function Live({ subject, controls, place }: LiveProps) {
  const state = useSignal<State>('off')
  const isOn = state.value !== 'off'
  const live: LiveControls = {
    hold(isDown) {
      if (isDown) state.value = 'held'
      else if (state.peek() === 'held') state.value = 'off'
    },
    toggle() {
      state.value = state.peek() === 'off' ? 'once' : 'off'
    },
  }
  controls.current = live
  useLayoutEffect(() => {
    if (!isOn) return
    const ended = new AbortController()
    const end = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Otherwise the viewer would close as well.
      event.preventDefault()
      event.stopPropagation()
      state.value = 'off'
    }
    document.addEventListener('keydown', end, { signal: ended.signal, capture: true })
    return () => ended.abort()
  }, [isOn])
  return (
    <>
      {isOn && (
        <div class="layers" style={place}>
          <Film subject={subject} state={state} />
        </div>
      )}
      <LiveButton state={state} {...live} />
    </>
  )
}

/** Milliseconds from which on the button is held; by a shorter click, the film plays once. */
const HELD = 350

function LiveButton({ state, hold, toggle }: LiveControls & { state: Signal<State> }) {
  const since = useSignal(0)
  const words = viewer()
  const isOn = state.value !== 'off'
  return (
    <button
      type="button"
      class="live"
      aria-label={words.playLive}
      title={words.playLive}
      aria-pressed={isOn}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        since.value = event.timeStamp
        event.currentTarget.setPointerCapture(event.pointerId)
        if (isOn) toggle()
        else hold(true)
      }}
      onPointerUp={({ timeStamp }) => {
        const isClick = state.peek() === 'held' && timeStamp - since.peek() < HELD
        hold(false)
        if (isClick) toggle()
      }}
      onPointerCancel={() => hold(false)}
      onContextMenu={(event) => event.preventDefault()}
      // By a key: the pointer's own click has been answered.
      onClick={({ detail }) => detail === 0 && toggle()}
    >
      {words.live}
    </button>
  )
}

/** The film over its picture, which stays visible until the film plays. */
function Film({ subject, state }: { subject: Subject; state: Signal<State> }) {
  const refuse = () => {
    state.value = 'off'
    if (!isLost.peek()) toast({ text: viewer().refused, kind: 'info' })
  }
  const source = useSource(subject, refuse)
  const isLoaded = useSignal(false)
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) void play(video.current)
  }, [source])
  if (source === null) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: a family's films have none
    <video
      class={isLoaded.value ? 'film loaded' : 'film'}
      data-turn={subject.rotation || undefined}
      src={source}
      aria-label={viewer().live}
      playsInline
      ref={video}
      onPlaying={({ currentTarget }) => {
        // A film whose pictures can't be decoded plays its sound alone.
        if (currentTarget.videoWidth === 0) refuse()
        isLoaded.value = true
      }}
      onEnded={() => {
        // While it is held, its last picture stays.
        if (state.peek() === 'once') state.value = 'off'
      }}
      onError={refuse}
    />
  )
}

async function play(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play()
  } catch (error) {
    // Browsers play no sound before the first click.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    video.muted = true
    await video.play().catch(() => {})
  }
}

/**
 * Returns the address of the film of a picture; null until one that lies behind the picture is read. Calls `refuse` where
 * that can't be read.
 */
function useSource({ id, version, living }: Subject, refuse: () => void): string | null {
  const blob = useSignal<string | null>(null)
  const { start, length } = living && 'start' in living ? living : { start: null, length: null }
  useEffect(() => {
    if (start === null) return
    const ended = new AbortController()
    const read = async () => {
      const headers = { Range: `bytes=${start}-${start + length - 1}` }
      const { signal } = ended
      const response = await fetch(mediaUrl(id, 'content', { v: version }), { headers, signal })
      const content = response.ok ? await response.blob() : null
      if (signal.aborted) return
      if (!content) return refuse()
      const from = response.status === 206 ? 0 : start
      blob.value = URL.createObjectURL(content.slice(from, from + length, 'video/mp4'))
    }
    read().catch(() => ended.signal.aborted || refuse())
    return () => {
      ended.abort()
      if (blob.peek() === null) return
      URL.revokeObjectURL(blob.peek()!)
      blob.value = null
    }
  }, [id, version, start, length])
  if (!living) return null
  return 'film' in living ? mediaUrl(living.film, 'content') : blob.value
}

/** Takes a picture and its film apart: then each is a file of its own in the grid. */
export async function takeApart(files: Files, id: string, film: string): Promise<void> {
  try {
    const params = { path: { file_id: film } }
    const call = api.PATCH('/api/v1/files/{file_id}', { params, body: { companion_of: null } })
    const { operation } = await act(call)
    noteFilms([id], [null])
    toast({ text: viewer().areApart, operation })
    await files.refresh()
  } catch (error) {
    complain(error)
  }
}
