import { useSignal } from '@preact/signals'
import { Layers } from 'lucide'
import { useKeys } from '../base/keys/keys.ts'
import { putIntoPool } from '../bulk/index.ts'
import { complain } from '../parts/toast.tsx'
import { AddToPool } from '../pooling/index.ts'
import { oneFile } from '../tagging/index.ts'
import { pooling } from '../text/pooling.ts'
import { Tool } from '../viewer/index.ts'

/** A button that adds the open file to a pool. */
export function PoolTool({ id }: { id: string }) {
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useKeys('pooling', { p: open })
  return (
    <>
      <Tool label={pooling().add} icon={Layers} act={open} />
      {isOpen.value && (
        <AddToPool
          count={1}
          onPick={(pool) => void putIntoPool(oneFile(id), pool).catch(complain)}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
