import { RefreshCw } from 'lucide'
import { useEffect } from 'preact/hooks'
import { isBusy } from '../base/busy.ts'
import { isLost, isOutdated, lookForServer, ownScript } from '../base/connection.ts'
import { selection } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { isModalOpen } from '../parts/modals.ts'
import { isIncomplete } from '../parts/on-demand.tsx'
import { isComplaining } from '../parts/toast.tsx'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'

/** Milliseconds without any key or pointer event before the page reloads itself. */
const CALM = 20_000
const LOADED = 'tagstead-loaded-anew'

/**
 * Offers to reload the page, for the server's new version or for a part that failed to load; while the
 * user is idle, it reloads by itself.
 */
export function Reload() {
  const isWanted = isOutdated.value || isIncomplete.value
  useEffect(() => {
    if (!isWanted) return
    let touched = Date.now()
    const touch = () => {
      touched = Date.now()
    }
    const events = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const
    for (const event of events) addEventListener(event, touch, { passive: true })
    const mayLoad = () => {
      const isCalm = Date.now() - touched > CALM || document.hidden
      // The error's toast may offer a retry.
      const isWatched = isModalOpen() || isComplaining()
      const isIdle = !isBusy() && !isWatched && selection.count.peek() === 0
      return isCalm && isIdle && !isLost.peek() && why() !== null && !hasTried()
    }
    let isLooking = false
    const timer = setInterval(async () => {
      if (isLooking || !mayLoad()) return
      // If the server is gone meanwhile, a reload would leave nothing of the page.
      isLooking = true
      await lookForServer()
      isLooking = false
      if (mayLoad()) loadAnew()
    }, 1000)
    return () => {
      clearInterval(timer)
      for (const event of events) removeEventListener(event, touch)
    }
  }, [isWanted])
  if (!isWanted) return null
  return (
    <div class="banner">
      <Icon of={RefreshCw} />
      <span class="rest">{isOutdated.value ? shell().newVersion : common().partLost}</span>
      <button type="button" class="btn" onClick={loadAnew}>
        {common().reload}
      </button>
    </div>
  )
}

/** Returns the reason for the reload: to leave this build, or to load all of it. */
function why(): string | null {
  if (isOutdated.peek()) return `instead of ${ownScript()}`
  return isIncomplete.peek() ? `for all of ${ownScript()}` : null
}

/** Whether a reload for this reason has already failed: then something else is wrong. */
function hasTried(): boolean {
  return sessionStorage.getItem(LOADED) === why()
}

function loadAnew(): void {
  sessionStorage.setItem(LOADED, why() ?? '')
  location.reload()
}
