import { effect, type Signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { api, ask } from '../api.ts'
import { LANGUAGES, language } from '../text.ts'
import { firstHour, keyTag, ORDERS, order, SWITCH, singleKeys } from './preferences.ts'

/** How long nothing else may be chosen before it is sent, in milliseconds. */
const CALM = 500

/** A choice that goes along to a person's other devices; this browser remembers it, too. */
interface Shared {
  name: string
  chosen: Signal<string>
  takes(value: unknown): value is string
}

const SHARED: Shared[] = [
  { name: 'language', chosen: language as Signal<string>, takes: oneOf(LANGUAGES) },
  { name: 'order', chosen: order as Signal<string>, takes: oneOf(ORDERS) },
  { name: 'keys', chosen: singleKeys as Signal<string>, takes: oneOf(SWITCH) },
  { name: 'tag', chosen: keyTag, takes: isText },
  { name: 'first_hour', chosen: firstHour, takes: isText },
]

/** What needs no sending: the choices that this browser began with, or that were sent last. */
const before = valuesOf()

/** The choices under way: two that read the same settings would lose each other's. */
let sent = Promise.resolve()

/** Keeps choices with the person, beside all that was chosen before. */
async function choose(choices: Schemas['Settings']): Promise<void> {
  const body = { ...(await ask(api.GET('/api/v1/users/me/settings'))), ...choices }
  await ask(api.PUT('/api/v1/users/me/settings', { body }))
}

/**
 * Takes over what was chosen on other devices, and from then on keeps what is chosen here. Throws an
 * ApiError.
 */
export async function shareSettings(): Promise<void> {
  const kept = await ask(api.GET('/api/v1/users/me/settings'))
  for (const { name, chosen, takes } of SHARED) {
    const value = kept[name]
    // What was chosen here while that was under way is newer.
    if (!takes(value) || chosen.peek() !== before[name]) continue
    before[name] = value
    chosen.value = value
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const now = valuesOf()
    clearTimeout(timer)
    const changed = Object.entries(now).filter(([name, value]) => before[name] !== value)
    if (changed.length === 0) return
    timer = setTimeout(() => {
      Object.assign(before, now)
      // Who is offline has chosen for this browser.
      sent = sent.then(() => choose(Object.fromEntries(changed))).catch(() => {})
    }, CALM)
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function oneOf(values: readonly string[]) {
  return (value: unknown): value is string => values.some((one) => one === value)
}

function valuesOf(): Record<string, string> {
  return Object.fromEntries(SHARED.map(({ name, chosen }) => [name, chosen.value]))
}
