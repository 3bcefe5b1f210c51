import { text } from '../base/text.ts'
import { de } from './de/review.ts'
import { en } from './en/review.ts'

export const review = text({ en, de })
