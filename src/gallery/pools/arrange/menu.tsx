import { useSignal } from '@preact/signals'
import { ArrowLeftToLine, ArrowRightToLine, FolderMinus, Hash, Image, Move } from 'lucide'
import { number } from '../../base/format.ts'
import { selectedTarget, takeOutOfPool } from '../../bulk/index.ts'
import { files, selection } from '../../grid/index.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { complain } from '../../parts/toast.tsx'
import type { Pool } from '../../pool-box/index.ts'
import { common } from '../../text/common.ts'
import { pools as text } from '../../text/pools.ts'
import type { Subject } from '../subject.ts'
import { moveSelected } from './arranger.ts'

interface InPoolMenuProps {
  pool: Pool
  subject: Subject
  /** Whether the files are in the pool's own order. */
  isByHand: boolean
}

/** A menu that moves the selected files within the pool, makes one its cover, or removes them. */
export function InPoolMenu({ pool, subject, isByHand }: InPoolMenuProps) {
  const words = text()
  const isAsking = useSignal(false)
  const move = (place: number) => {
    moveSelected(pool.id, place).catch(complain)
  }
  const moves: MenuItem[] = [
    { text: words.toStart, icon: ArrowLeftToLine, act: () => move(0) },
    { text: words.toEnd, icon: ArrowRightToLine, act: () => move(files.total.peek() ?? 0) },
    {
      text: words.toNumber,
      icon: Hash,
      act: () => {
        isAsking.value = true
      },
    },
  ]
  const takeOut = () => {
    takeOutOfPool(selectedTarget(), pool).catch(complain)
  }
  const chooseCover = async () => {
    const { ids } = await selectedTarget().ids()
    await subject.setCover(ids[0]!)
  }
  const cover: MenuItem = {
    text: words.useAsCover,
    icon: Image,
    act: () => void chooseCover().catch(complain),
    isApart: isByHand,
  }
  const covers = selection.count.value === 1 ? [cover] : []
  const out = { text: words.takeOut, icon: FolderMinus, act: takeOut, isApart: isByHand }
  const items = [...(isByHand ? moves : []), ...covers, ...(pool.is_smart ? [] : [out])]
  if (items.length === 0) return null
  return (
    <>
      <Menu class="inpool" items={items}>
        <Icon of={Move} />
        <span class="t">{words.inPool}</span>
      </Menu>
      {isAsking.value && (
        <NumberDialog
          onNumber={(place) => move(place - 1)}
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}

interface NumberDialogProps {
  onNumber(place: number): void
  onClose(): void
}

function NumberDialog({ onNumber, onClose }: NumberDialogProps) {
  const words = text()
  const place = useSignal(Number.NaN)
  const total = files.total.value ?? 0
  const isReady = place.value >= 1
  return (
    <Dialog
      title={words.moveTitle(selection.count.value)}
      onClose={onClose}
      onSubmit={() => {
        if (!isReady) return
        onClose()
        onNumber(Math.min(Math.floor(place.peek()), total + 1))
      }}
      footer={
        <>
          <button type="button" class="btn quiet" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={!isReady}>
            {words.move}
          </button>
        </>
      }
    >
      <label class="field">
        <span>{words.beforeNumber(number(total))}</span>
        <input
          class="input num"
          type="number"
          min="1"
          autofocus
          onInput={({ currentTarget }) => {
            place.value = currentTarget.valueAsNumber
          }}
        />
      </label>
    </Dialog>
  )
}
