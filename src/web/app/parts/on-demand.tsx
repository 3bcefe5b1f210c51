import { useSignal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { isOutdated } from '../base/version.ts'

interface OnDemandProps {
  load: () => Promise<ComponentType>
  /** What keeps its place meanwhile. */
  before?: VNode | null
}

/**
 * Shows a component once its script has come. Where that is gone the server has another version,
 * which the page then offers.
 */
export function OnDemand({ load, before = null }: OnDemandProps) {
  const loaded = useSignal<{ Loaded: ComponentType } | null>(null)
  useLayoutEffect(() => {
    let isWanted = true
    load().then(
      (Loaded) => {
        if (isWanted) loaded.value = { Loaded }
      },
      () => {
        isOutdated.value = true
      },
    )
    return () => {
      isWanted = false
      loaded.value = null
    }
  }, [load])
  if (!loaded.value) return before
  const { Loaded } = loaded.value
  return <Loaded />
}
