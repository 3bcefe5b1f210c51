import { text } from '../base/text.ts'
import { de } from './de/welcome.ts'
import { en } from './en/welcome.ts'

export const welcome = text({ en, de })
