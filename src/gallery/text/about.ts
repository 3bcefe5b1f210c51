import { text } from '../base/text.ts'
import { de } from './de/about.ts'
import { en } from './en/about.ts'

export const about = text({ en, de })
