import { useRef } from 'preact/hooks'

interface GripProps {
  /** Says what it opens and closes, for screen readers. */
  label: string
  isOpen?: boolean
  /** Called on a tap, or after a pull: down when it is open, else up. */
  act(): void
}

/** Pixels up to which a touch counts as a tap, and from which it counts as a pull. */
const [STILL, FAR] = [8, 60]

/** The handle at the top of a panel at the bottom of phones, to be tapped or pulled. */
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
