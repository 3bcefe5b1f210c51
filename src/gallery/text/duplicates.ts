import { text } from '../base/text.ts'
import { de } from './de/duplicates.ts'
import { en } from './en/duplicates.ts'

export const duplicates = text({ en, de })
