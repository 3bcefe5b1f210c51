import { text } from '../base/text.ts'
import { de } from './de/errors.ts'
import { en } from './en/errors.ts'

export const errors = text({ en, de })
