/** The labels of buttons that open sharing; all other words load along with it. */
export const en = {
  share: 'Share',
  with: 'Share with',
}
