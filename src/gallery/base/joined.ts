import { computed } from '@preact/signals'
import { locale } from './text.ts'

/** Joins names, or parts of a sentence, in the page's language: `Anna, Bob and Eve`. */
export function joined(parts: readonly string[]): string {
  return lists.value.format(parts)
}

const lists = computed(() => new Intl.ListFormat(locale.value))
