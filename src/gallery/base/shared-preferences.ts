import { effect, type Signal, signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from './api.ts'
import {
  dayClosed,
  firstHour,
  keyTag,
  newTags,
  ORDERS,
  order,
  SEERS,
  SWITCH,
  singleKeys,
  tagsOffered,
} from './preferences.ts'
import { LANGUAGES, language } from './text.ts'

/** Milliseconds without another choice before the choices are sent. */
const CALM = 500

/** A setting that the user's other devices share; this browser stores it as well. */
interface Shared {
  name: string
  chosen: Signal<string>
  takes(value: unknown): value is string
  /** The choice of a user who hasn't chosen, whatever another one has chosen in this browser. */
  otherwise?: string
}

const SHARED: Shared[] = [
  { name: 'language', chosen: language as Signal<string>, takes: oneOf(LANGUAGES) },
  { name: 'order', chosen: order as Signal<string>, takes: oneOf(ORDERS) },
  { name: 'keys', chosen: singleKeys as Signal<string>, takes: oneOf(SWITCH) },
  { name: 'tag', chosen: keyTag, takes: isText },
  {
    name: 'new_tags',
    chosen: newTags as Signal<string>,
    takes: oneOf(SEERS),
    otherwise: 'everybody',
  },
  { name: 'tags_offered', chosen: tagsOffered, takes: isText, otherwise: '' },
  { name: 'day_closed', chosen: dayClosed, takes: isText, otherwise: '' },
  { name: 'first_hour', chosen: firstHour, takes: isText },
]

/** The choices that need no sending: those that this browser began with, or sent last. */
const before = valuesOf()

/** Whether this browser knows the settings from other devices. */
export const areSettingsShared = signal(false)

/** Sequential, because two updates that read the same settings would overwrite each other. */
let sent = Promise.resolve()

/** Stores choices on the server, and leaves the user's other settings as they are. */
async function choose(choices: Schemas['Settings']): Promise<void> {
  const body = { ...(await ask(api.GET('/api/v1/users/me/settings'))), ...choices }
  await ask(api.PUT('/api/v1/users/me/settings', { body }))
}

/** Stores other choices on the server, after those that are being sent. Throws an ApiError. */
export function remember(choices: Schemas['Settings']): Promise<void> {
  const stored = sent.then(() => choose(choices))
  sent = stored.catch(() => {})
  return stored
}

/**
 * Adopts the settings from other devices, and from then on sends those chosen here. Throws an ApiError.
 */
export async function shareSettings(): Promise<void> {
  const settings = await ask(api.GET('/api/v1/users/me/settings'))
  for (const { name, chosen, takes, otherwise } of SHARED) {
    const value = settings[name] ?? otherwise
    // A choice made here meanwhile is newer.
    if (!takes(value) || chosen.peek() !== before[name]) continue
    before[name] = value
    chosen.value = value
  }
  areSettingsShared.value = true
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const now = valuesOf()
    clearTimeout(timer)
    const changed = Object.entries(now).filter(([name, value]) => before[name] !== value)
    if (changed.length === 0) return
    timer = setTimeout(() => {
      Object.assign(before, now)
      // Without a connection the choice applies to this browser only.
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
