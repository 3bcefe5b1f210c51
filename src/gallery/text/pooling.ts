import { text } from '../base/text.ts'
import { de } from './de/pooling.ts'
import { en } from './en/pooling.ts'

export const pooling = text({ en, de })
