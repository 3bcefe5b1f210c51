import { text } from '../base/text.ts'
import { de } from './de/filter.ts'
import { en } from './en/filter.ts'

export const filter = text({ en, de })
