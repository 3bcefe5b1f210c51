import { text } from '../base/text.ts'

const en = { copy: 'Copy', copied: 'Copied' }
const de: typeof en = { copy: 'Kopieren', copied: 'Kopiert' }

export const copying = text({ en, de })
