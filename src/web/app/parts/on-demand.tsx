import { useSignal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { compareBuilds, lostFor } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { isOutdated } from '../base/version.ts'
import { complain } from './toast.tsx'

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
 * Shows a component, with what else it is given, once its script has come. Where that is gone because
 * the server has another build, the page offers it; where it was lost on its way, it says so.
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
        async () => {
          if (lostFor.peek() === null) await compareBuilds()
          if (!isWanted) return
          if (!rest.onClose) {
            timer = setTimeout(attempt, PAUSE)
            return
          }
          rest.onClose()
          const isTold = isOutdated.peek() || lostFor.peek() !== null
          if (!isTold) complain(new ApiError(0, 'no_connection'))
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
