import { useSignal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { isOutdated } from '../base/version.ts'

interface OnDemandProps<Props> {
  load: () => Promise<ComponentType<Props>>
  /** What keeps its place meanwhile. */
  before?: VNode | null
  /** Of what somebody opens: closes it, also when it doesn't come. Opened again, it is asked for again. */
  onClose?: () => void
}

/** Milliseconds before what nobody opens is asked for again. */
const PAUSE = 5000

/**
 * Shows a component, with what else it is given, once its script has come. Where that is gone the
 * server has another version, which the page then offers.
 */
export function OnDemand<Props>({ load, before = null, ...rest }: OnDemandProps<Props> & Props) {
  const loaded = useSignal<{ Loaded: ComponentType<Props> } | null>(null)
  useLayoutEffect(() => {
    let isWanted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = () => {
      load().then(
        (Loaded) => {
          if (isWanted) loaded.value = { Loaded }
        },
        () => {
          isOutdated.value = true
          if (!isWanted) return
          if (rest.onClose) rest.onClose()
          else timer = setTimeout(attempt, PAUSE)
        },
      )
    }
    attempt()
    return () => {
      isWanted = false
      clearTimeout(timer)
      loaded.value = null
    }
  }, [load])
  if (!loaded.value) return before
  const { Loaded } = loaded.value
  return <Loaded {...(rest as unknown as Props & object)} />
}
