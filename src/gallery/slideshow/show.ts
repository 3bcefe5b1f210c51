import { signal } from '@preact/signals'
import { type SWITCH, stored } from '../base/preferences.ts'

/** What a slideshow shows. */
export interface Show {
  /** The id of the file that it begins with. */
  first: string
  /** Returns the ids of all its files, in their order. Throws an ApiError. */
  ids(): Promise<string[]>
}

/** The slideshow that runs; null if none does. */
export const show = signal<Show | null>(null)

export const PACES = ['3', '5', '10', '20'] as const
type Pace = (typeof PACES)[number]

/** How many seconds a photo is shown. */
export const pace = stored<Pace>(
  'slideshow-pace',
  (text) => PACES.find((one) => one === text) ?? '5',
)

/** Whether the order is random. */
export const random = stored<(typeof SWITCH)[number]>('slideshow-random', (text) =>
  text === 'on' ? 'on' : 'off',
)

/** Leaves the full screen. */
export function leaveFullScreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}
