import { text } from '../base/text.ts'
import { de } from './de/tagging.ts'
import { en } from './en/tagging.ts'

export const tagging = text({ en, de })
