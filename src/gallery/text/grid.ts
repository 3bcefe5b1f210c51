import { text } from '../base/text.ts'
import { de } from './de/grid.ts'
import { en } from './en/grid.ts'

export const grid = text({ en, de })
