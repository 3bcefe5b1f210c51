import { text } from '../base/text.ts'
import { de } from './de/account.ts'
import { en } from './en/account.ts'

export const account = text({ en, de })
