import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { EVERYWHERE, useKeys } from '../base/keys.ts'
import { Mark } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { undoLast } from '../parts/toast.tsx'
import { listing, screen } from '../routes.ts'
import { shell } from '../text/shell.ts'
import { SideAccount, SideLinks, Tabs } from './navigation.tsx'
import { OVERLAYS, room, Side, shown } from './screens/screens.tsx'
import { sheet } from './state.ts'

/** Says that there is nothing at the address. */
export const noScreen = async () => (await import('./no-screen.tsx')).NoScreen
const keySheet = async () => (await import('./key-sheet.tsx')).KeySheet
const settled = async () => (await import('./counts.tsx')).Settled
const tagSheet = async () => (await import('./tools.tsx')).TagSheet
const worker = async () => (await import('./tools.tsx')).Worker
const orderSheet = async () => (await import('./tools.tsx')).OrderSheet

/** Milliseconds after the page at which the settings, the worker and, for admins, the status are requested. */
const SETTLED = 1500

/** Shows the navigation around the screens: at the side or, on phones, at the bottom. */
export function Layout() {
  const words = shell()
  const main = useScreenChange()
  const isSettled = useSignal(false)
  useKeys(EVERYWHERE, {
    'Ctrl+Z': () => void undoLast(),
    '?': () => {
      sheet.value = sheet.value === 'keys' ? null : 'keys'
    },
  })
  useEffect(() => {
    // After the requests of the first screen.
    const timer = setTimeout(() => {
      isSettled.value = true
    }, SETTLED)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="shell">
      <button type="button" class="btn skip" onClick={() => main.current!.focus()}>
        {words.toContent}
      </button>
      <header class="side">
        <Mark />
        <nav class="nav" aria-label={words.screens}>
          <SideLinks />
        </nav>
        <Side />
        <SideAccount />
      </header>
      <main class="main" ref={main} tabIndex={-1}>
        {isSettled.value && <OnDemand load={settled} />}
        <OnDemand key={screen.value} load={shown.value ?? noScreen} />
      </main>
      <Tabs />
      {isSettled.value && isSecureContext && <OnDemand load={worker} />}
      {sheet.value === 'keys' && <OnDemand load={keySheet} onClose={closeSheet} />}
      {sheet.value === 'order' && <OnDemand load={orderSheet} onClose={closeSheet} />}
      {sheet.value === 'tags' && <OnDemand load={tagSheet} onClose={closeSheet} />}
      {OVERLAYS.map(
        ({ isWanted, load }, place) => isWanted() && <OnDemand key={place} load={load} />,
      )}
    </div>
  )
}

function closeSheet(): void {
  sheet.value = null
}

/**
 * Puts the screen's name into the window's title and, when the screen has changed, focuses it, so that
 * screen readers announce it. Returns the ref for the screen's element.
 */
function useScreenChange() {
  const main = useRef<HTMLElement>(null)
  const last = useRef(screen.value)
  const name = shown.value && shell()[room.value!]
  useEffect(() => {
    document.title = name ? `${name} – Tagstead` : 'Tagstead'
    if (last.current === screen.value) return
    last.current = screen.value
    sheet.value = null
    main.current!.focus()
  }, [name, screen.value])
  useEffect(() => {
    // A sheet would hide what was chosen in it.
    sheet.value = null
  }, [listing.value])
  return main
}
