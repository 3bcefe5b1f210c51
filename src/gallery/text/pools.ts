import { text } from '../base/text.ts'
import { de } from './de/pools.ts'
import { en } from './en/pools.ts'

export const pools = text({ en, de })
