import type { ComponentType } from 'preact'
import type { ScreenName } from '../routes.ts'

interface Screen {
  /** Loaded when the screen is opened first. */
  load(): Promise<ComponentType>
}

/** The screens that there are, in the order of the navigation; what isn't here has no link. */
export const SCREENS: Partial<Record<ScreenName, Screen>> = {}
