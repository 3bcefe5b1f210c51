import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** The visible part of a scrolled element, in pixels. */
interface View {
  top: number
  width: number
  height: number
}

/** Returns the visible part of an element; all 0 before it is drawn. */
export function useView(box: RefObject<HTMLElement | null>): ReadonlySignal<View> {
  const view = useSignal<View>({ top: 0, width: 0, height: 0 })
  useEffect(() => {
    const element = box.current!
    const look = () => {
      const { scrollTop: top, clientWidth: width, clientHeight: height } = element
      view.value = { top, width, height }
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => observer.disconnect()
  }, [])
  return view
}
