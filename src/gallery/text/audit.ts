import { text } from '../base/text.ts'
import { de } from './de/audit.ts'
import { en } from './en/audit.ts'

export const audit = text({ en, de })
