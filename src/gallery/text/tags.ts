import { text } from '../base/text.ts'
import { de } from './de/tags.ts'
import { en } from './en/tags.ts'

export const tags = text({ en, de })
