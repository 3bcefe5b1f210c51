import { useSignal } from '@preact/signals'
import { Check, Copy } from 'lucide'
import { useRef } from 'preact/hooks'
import { copying } from '../text/copying.ts'
import { Icon } from './icon.tsx'

/** Shows a text to be copied, with a button that does it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const words = copying()
  const field = useRef<HTMLInputElement>(null)
  const isCopied = useSignal(false)
  const copy = async () => {
    field.current!.select()
    isCopied.value = await isInClipboard(value)
  }
  return (
    <div class="line">
      <input
        ref={field}
        class="input rest"
        readOnly
        aria-label={label}
        defaultValue={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" class="btn" onClick={() => void copy()}>
        <Icon of={isCopied.value ? Check : Copy} />
        {isCopied.value ? words.copied : words.copy}
      </button>
      <span class="hidden" role="status">
        {isCopied.value && words.copied}
      </span>
    </div>
  )
}

/** Copies the selected text; resolves to whether that succeeded. */
async function isInClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Over http, browsers support only this old way.
    return document.execCommand('copy')
  }
}
