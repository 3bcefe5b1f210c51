import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { mediaUrl } from '../base/media.ts'
import { viewer } from '../text/viewer.ts'
import type { Slide } from './run.ts'

interface FilmProps {
  slide: Slide
  isRunning: boolean
  onEnded(): void
  onStill(): void
}

/** Plays a film over its poster; without a sound where the browser wants a click for it. */
export function Film({ slide: { file }, isRunning, onEnded, onStill }: FilmProps) {
  const video = useRef<HTMLVideoElement>(null)
  const isStill = useSignal(false)
  const stop = () => {
    isStill.value = true
    onStill()
  }
  useEffect(() => {
    if (isRunning) void play(video.current, stop)
    else video.current?.pause()
  }, [isRunning])
  if (isStill.value) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: a family's films have none
    <video
      ref={video}
      data-turn={file.rotation || undefined}
      src={mediaUrl(file.id, 'content', { v: file.version })}
      aria-label={file.original_name ?? viewer().film}
      playsInline
      onEnded={onEnded}
      onError={stop}
      // A film whose pictures can't be decoded plays its sound alone.
      onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && stop()}
    />
  )
}

async function play(video: HTMLVideoElement | null, onRefused: () => void): Promise<void> {
  try {
    await video?.play()
  } catch (error) {
    // Others are a pause, and what the film's own event reports.
    if (!video || (error as Error).name !== 'NotAllowedError') return
    if (video.muted) return onRefused()
    video.muted = true
    await play(video, onRefused)
  }
}
