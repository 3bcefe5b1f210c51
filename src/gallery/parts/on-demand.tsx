import { signal, useSignal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { compareBuilds, isLost, isOutdated } from '../base/connection.ts'
import { common } from '../text/common.ts'
import { toast } from './toast.tsx'

interface OnDemandProps<Props> {
  load: () => Promise<ComponentType<Props>>
  before?: VNode | null
  /** Closes a part that the user opens, even if it fails to load. Opening it again retries. */
  onClose?: () => void
}

/** Milliseconds before a retry for parts that the user doesn't open. */
const PAUSE = 5000
/** From this number on, failures are no accident. */
const MANY = 2

/**
 * How often a script failed to load although the server was there with the same build; by its loader.
 */
const losses = new Map<unknown, number>()

/**
 * Whether a part of the page can't be loaded: because older browsers request a script only once,
 * because something on the way blocks it, or because it throws.
 */
export const isIncomplete = signal(false)

/**
 * Shows a component, with the other props, once its script is loaded. If the server has another build
 * without that script, the page offers a reload; if the request failed otherwise, it says so.
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
          const isKnown = isLost.peek() || isOutdated.peek() || lost > MANY
          // The user may have left and come back meanwhile, and the script may be loaded.
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
          const isShown = isOutdated.peek() || isIncomplete.peek() || isLost.peek()
          if (!isShown) toast({ text: common().partLost, kind: 'bad' })
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
