import { text } from '../base/text.ts'
import { de } from './de/settings.ts'
import { en } from './en/settings.ts'

export const settings = text({ en, de })
