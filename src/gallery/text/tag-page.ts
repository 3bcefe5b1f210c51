import { text } from '../base/text.ts'
import { de } from './de/tag-page.ts'
import { en } from './en/tag-page.ts'

export const tagPage = text({ en, de })
