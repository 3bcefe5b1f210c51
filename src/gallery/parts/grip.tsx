import { useRef } from 'preact/hooks'

interface GripProps {
  /** What it opens and closes, for screen readers. */
  label: string
  isOpen?: boolean
  /** A tap, or that it was pulled: down when it is open, else up. */
  act(): void
}

/** Pixels up to which it was tapped and not pulled, and from which it was pulled far enough. */
const [STILL, FAR] = [8, 60]

/** The handle at the top of what comes from below on phones, to be tapped or pulled. */
export function Grip({ label, isOpen = true, act }: GripProps) {
  const begun = useRef<number | null>(null)
  const pulled = useRef(0)
  const way = isOpen ? 1 : -1
  const end = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    begun.current = null
    currentTarget.parentElement!.style.transform = ''
  }
  return (
    <button
      type="button"
      class="grip"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={() => {
        if (pulled.current <= STILL) act()
        pulled.current = 0
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        begun.current = event.clientY
        pulled.current = 0
      }}
      onPointerMove={({ currentTarget, clientY }) => {
        if (begun.current === null) return
        pulled.current = Math.max(0, way * (clientY - begun.current))
        currentTarget.parentElement!.style.transform = `translateY(${way * pulled.current}px)`
      }}
      onPointerCancel={(event) => {
        end(event)
        pulled.current = 0
      }}
      onPointerUp={(event) => {
        end(event)
        if (pulled.current > FAR) act()
      }}
    />
  )
}
