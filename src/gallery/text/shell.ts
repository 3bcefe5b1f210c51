import { text } from '../base/text.ts'
import { de } from './de/shell.ts'
import { en } from './en/shell.ts'

export const shell = text({ en, de })
