import { text } from '../base/text.ts'
import { de } from './de/upload.ts'
import { en } from './en/upload.ts'

export const upload = text({ en, de })
