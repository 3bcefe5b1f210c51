import { text } from '../base/text.ts'

const en = {
  share: 'Share',
  with: 'Share with',
}

const de: typeof en = {
  share: 'Teilen',
  with: 'Teilen mit',
}

/** The labels of buttons that open sharing; all other words load along with it. */
export const share = text({ en, de })
