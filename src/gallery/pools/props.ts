import type { ComponentChildren } from 'preact'
import type { Pool } from '../pooling/index.ts'

/** What other features provide to the screen. */
export interface PoolsProps {
  /** Begins a slideshow with a file. */
  play(id: string): void
  /** A button that opens the sharing of a pool. */
  share?(pool: Pool): ComponentChildren
  /** A note on a pool above its files. */
  note?(pool: Pool): ComponentChildren
}
