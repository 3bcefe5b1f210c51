import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { EVERYWHERE, useKeys } from '../base/keys.ts'
import { session } from '../base/session.ts'
import { shareSettings } from '../base/shared-preferences.ts'
import { Modal } from '../parts/dialog.tsx'
import { Grip } from '../parts/grip.tsx'
import { Mark } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain, undoLast } from '../parts/toast.tsx'
import { listing, screen } from '../routes.ts'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { SideAccount, SideLinks, Tabs } from './navigation.tsx'
import { OVERLAYS, Side, shown } from './screens/screens.tsx'
import { sheet } from './state.ts'

/** Says that there is nothing at the address. */
export const noScreen = async () => (await import('./no-screen.tsx')).NoScreen
const keySheet = async () => (await import('./key-sheet.tsx')).KeySheet
const damaged = async () => (await import('./counts.tsx')).Damaged
const orderSheet = async () => (await import('./tools.tsx')).OrderSheet

/** Milliseconds after the page at which the settings and, for admins, the status are requested. */
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
      void shareSettings().catch(complain)
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
        {isSettled.value && session.value!.user.is_admin && <OnDemand load={damaged} />}
        <OnDemand key={screen.value} load={shown.value ?? noScreen} />
      </main>
      <Tabs />
      {sheet.value === 'keys' && <OnDemand load={keySheet} onClose={closeSheet} />}
      {sheet.value === 'order' && <OnDemand load={orderSheet} onClose={closeSheet} />}
      {sheet.value === 'tags' && (
        <Modal label={words.tags} class="sheet" onClose={closeSheet}>
          <Grip label={common().close} act={closeSheet} />
          <Side />
        </Modal>
      )}
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
  const name = shown.value && shell()[screen.value!]
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
