import type { ComponentChildren } from 'preact'
import type { Pool } from '../pooling/index.ts'

/** What the screen is given by those that know more than pools. */
export interface PoolsProps {
  /** Begins a slideshow with a file. */
  play(id: string): void
  /** A button that opens who may see a pool. */
  share?(pool: Pool): ComponentChildren
  /** What is to be said of a pool above its files. */
  note?(pool: Pool): ComponentChildren
}
