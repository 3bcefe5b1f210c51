import { computed } from '@preact/signals'
import { stored } from './preferences.ts'

/** The languages of the page. */
export const LANGUAGES = ['en', 'de'] as const
type Language = (typeof LANGUAGES)[number]

const REGIONS: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

/** The page's language: the chosen one, or the first of the browser's languages that the page has. */
export const language = stored<Language>('language', (text) => {
  const wanted = [text ?? '', ...(globalThis.navigator?.languages ?? [])]
  return wanted.map((tag) => LANGUAGES.find((one) => tag.startsWith(one))).find(Boolean) ?? 'en'
})

/** The locale for dates and numbers, such as `en-GB`. */
export const locale = computed(() => {
  const own = globalThis.navigator?.languages ?? []
  return own.find((tag) => tag.startsWith(`${language.value}-`)) ?? REGIONS[language.value]
})

/** Returns a function that returns words in the page's language, and follows its changes. */
export function text<Words>(words: Record<Language, Words>): () => Words {
  return () => words[language.value]
}

/** The plural forms of a text; `#` stands for the number. */
interface Forms {
  one: string
  other: string
}

/** Returns the form for a number, with the number in it. */
export function plural(count: number, forms: Forms): string {
  const form = rules.value.select(count) === 'one' ? forms.one : forms.other
  return form.replaceAll('#', numbers.value.format(count))
}

const rules = computed(() => new Intl.PluralRules(locale.value))
const numbers = computed(() => new Intl.NumberFormat(locale.value))
