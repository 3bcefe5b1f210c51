import { useSignal } from '@preact/signals'
import { SlidersHorizontal } from 'lucide'
import { useRef } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { filter } from '../../text/filter.ts'

const panel = async () => (await import('./panel.tsx')).Panel

/** A button that opens the panel: values to choose, for those who don't type. */
export function PanelButton() {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = filter()
  return (
    <>
      <button
        ref={button}
        type="button"
        class="tool"
        aria-label={words.choose}
        title={words.choose}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon of={SlidersHorizontal} />
      </button>
      {isOpen.value && (
        <OnDemand
          load={panel}
          onClose={() => {
            isOpen.value = false
            button.current?.focus()
          }}
        />
      )}
    </>
  )
}
