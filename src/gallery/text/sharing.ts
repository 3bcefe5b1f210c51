import { text } from '../base/text.ts'
import { de } from './de/sharing.ts'
import { en } from './en/sharing.ts'

export const sharing = text({ en, de })
