import { WifiOff } from 'lucide'
import { lostFor, tryNow } from '../base/connection.ts'
import { common } from '../text/common.ts'
import { Icon } from './icon.tsx'
import { Toasts } from './toast.tsx'

/**
 * What the page says by itself: that the connection is lost, and what was done. It stands in the
 * innermost modal, because nothing outside of that can be used.
 */
export function Notices() {
  return (
    <>
      <div role="status">{lostFor.value !== null && <Banner seconds={lostFor.value} />}</div>
      <Toasts />
    </>
  )
}

function Banner({ seconds }: { seconds: number }) {
  return (
    <div class="banner">
      <Icon of={WifiOff} />
      <span class="rest">
        {common().noConnection} <span aria-hidden="true">{common().tryingIn(seconds)}</span>
      </span>
      <button type="button" class="btn" onClick={() => tryNow()}>
        {common().tryNow}
      </button>
    </div>
  )
}
