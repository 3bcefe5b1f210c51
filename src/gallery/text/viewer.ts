import { text } from '../base/text.ts'
import { de } from './de/viewer.ts'
import { en } from './en/viewer.ts'

export const viewer = text({ en, de })
