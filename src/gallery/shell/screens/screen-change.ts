import { useEffect, useRef } from 'preact/hooks'
import { listing, screen } from '../../routes.ts'
import { shell } from '../../text/shell.ts'
import { sheet } from '../state.ts'

/**
 * Names the screen in the window's title and, when it has changed, gives it the focus, so that
 * screen readers tell of it. Returns what is to be put at the screen's element.
 */
export function useScreenChange() {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(screen.value)
  const name = screen.value && shell()[screen.value]
  useEffect(() => {
    document.title = name ? `${name} – Tagstead` : 'Tagstead'
    if (shown.current === screen.value) return
    shown.current = screen.value
    sheet.value = null
    main.current!.focus()
  }, [name, screen.value])
  useEffect(() => {
    // What was chosen in it is to be seen.
    sheet.value = null
  }, [listing.value])
  return main
}
