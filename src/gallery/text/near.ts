import { text } from '../base/text.ts'

const en = { near: (town: string) => `near ${town}` }

const de: typeof en = { near: (town) => `bei ${town}` }

/** The words for places. */
export const near = text({ en, de })
