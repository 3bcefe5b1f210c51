import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { number } from '../base/format.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Kbd } from '../parts/kbd.tsx'
import { common } from '../text/common.ts'
import { trash as text } from '../text/trash.ts'

/** Of more files than these, their number has to be typed. */
const MANY = 20

interface DeleteForGoodProps {
  count: number
  onClose(): void
  onSure(): void
}

/** Asks whether files are to be deleted for good, which nothing takes back. */
export function DeleteForGood({ count, onClose, onSure }: DeleteForGoodProps) {
  const words = text()
  const typed = useSignal('')
  const isSure = count <= MANY || typed.value.replace(/\D/g, '') === String(count)
  return (
    <Dialog
      title={words.question(count)}
      role="alertdialog"
      onClose={onClose}
      onSubmit={() => isSure && onSure()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel} <Kbd of="Escape" />
          </button>
          <button type="submit" class="btn stop" disabled={!isSure}>
            <Icon of={Trash2} />
            {words.deleteFiles(count)}
          </button>
        </>
      }
    >
      <p>{words.warning}</p>
      {count > MANY && (
        <label class="field">
          {words.typeCount(number(count))}
          <input
            class="input"
            inputMode="numeric"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
        </label>
      )}
    </Dialog>
  )
}
