import type { en } from '../en/share.ts'

export const de: typeof en = {
  share: 'Teilen',
  with: 'Teilen mit',
}
