import { text } from '../base/text.ts'
import { de } from './de/common.ts'
import { en } from './en/common.ts'

export const common = text({ en, de })
