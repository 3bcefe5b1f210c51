import { text } from '../base/text.ts'
import { de } from './de/trash.ts'
import { en } from './en/trash.ts'

export const trash = text({ en, de })
