import { useEffect, useRef } from 'preact/hooks'
import { listing, screen } from '../../routes.ts'
import { shell } from '../../text/shell.ts'
import { sheet } from '../state.ts'

/**
 * Puts the screen's name into the window's title and, when the screen has changed, focuses it, so that
 * screen readers announce it. Returns the ref for the screen's element.
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
    // A sheet would hide what was chosen in it.
    sheet.value = null
  }, [listing.value])
  return main
}
