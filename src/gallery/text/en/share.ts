/** What leads to sharing; all its other words come with it. */
export const en = {
  share: 'Share',
  with: 'Share with',
}
