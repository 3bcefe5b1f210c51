import { bulk } from './bulk.ts'
import { filter } from './filter.ts'
import { shell } from './shell.ts'
import { tagging } from './tagging.ts'

/** The words of each feature that has keys, in the order in which they are shown. */
export const KEY_WORDS: (() => { title: string; keys: Record<string, string> })[] = [
  shell,
  filter,
  bulk,
  tagging,
]
