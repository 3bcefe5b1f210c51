import { signal, useSignal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { compareBuilds, lostFor } from '../base/connection.ts'
import { isOutdated } from '../base/version.ts'
import { common } from '../text/common.ts'
import { toast } from './toast.tsx'

interface OnDemandProps<Props> {
  load: () => Promise<ComponentType<Props>>
  /** What keeps its place meanwhile. */
  before?: VNode | null
  /** Of what somebody opens: closes it, also when it doesn't come. Opened again, it is asked for again. */
  onClose?: () => void
}

/** Milliseconds before what nobody opens is asked for again. */
const PAUSE = 5000
/** How many losses are no accident. */
const MANY = 2

/** How often a script was lost although the server, of the same build, was there; by what loads it. */
const losses = new Map<unknown, number>()

/**
 * Whether a part of the page stays lost: because older browsers ask for a script only once, because
 * something on the way refuses it, or because it fails.
 */
export const isIncomplete = signal(false)

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
          count(load, 0)
          if (isWanted) loaded.value = { Loaded }
        },
        async (reason) => {
          const lost = (losses.get(load) ?? 0) + 1
          const isKnown = lostFor.peek() !== null || isOutdated.peek() || lost > MANY
          // Who left it meanwhile may have come back and got it.
          if (!isKnown && (await compareBuilds()) && isWanted) {
            count(load, lost)
            if (lost === MANY) reportError(reason)
          }
          if (!isWanted) return
          if (!rest.onClose) {
            timer = setTimeout(attempt, PAUSE)
            return
          }
          rest.onClose()
          const isTold = isOutdated.peek() || isIncomplete.peek() || lostFor.peek() !== null
          if (!isTold) toast({ text: common().partLost, kind: 'bad' })
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

function count(load: unknown, lost: number): void {
  losses.set(load, lost)
  isIncomplete.value = Math.max(...losses.values()) >= MANY
}
