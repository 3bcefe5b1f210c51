import { WifiOff } from 'lucide'
import { isReplaced, lostFor, tryNow } from '../base/connection.ts'
import { common } from '../text/common.ts'
import { Icon } from './icon.tsx'
import { Toasts } from './toast.tsx'

/**
 * Shows the page's own messages: lost connection, and toasts. It is rendered in the innermost modal,
 * because nothing outside of that can be used.
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
  const words = common()
  const isOther = isReplaced.value
  return (
    <div class="banner">
      <Icon of={WifiOff} />
      <span class="rest">
        {isOther ? words.otherPage : words.noConnection}{' '}
        <span aria-hidden="true">{words.tryingIn(seconds)}</span>
      </span>
      <button type="button" class="btn" onClick={() => (isOther ? location.reload() : tryNow())}>
        {isOther ? words.reload : words.tryNow}
      </button>
    </div>
  )
}
