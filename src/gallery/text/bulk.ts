import { text } from '../base/text.ts'
import { de } from './de/bulk.ts'
import { en } from './en/bulk.ts'

export const bulk = text({ en, de })
