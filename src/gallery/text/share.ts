import { text } from '../base/text.ts'
import { de } from './de/share.ts'
import { en } from './en/share.ts'

export const share = text({ en, de })
