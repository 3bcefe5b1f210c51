import { text } from '../base/text.ts'
import { de } from './de/people.ts'
import { en } from './en/people.ts'

export const people = text({ en, de })
