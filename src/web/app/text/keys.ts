import { shell } from './shell.ts'

/** The words of each feature that has keys, in the order in which they are shown. */
export const KEY_WORDS: (() => { title: string; keys: Record<string, string> })[] = [shell]
