import { text } from '../base/text.ts'
import { de } from './de/import.ts'
import { en } from './en/import.ts'

export const imports = text({ en, de })
