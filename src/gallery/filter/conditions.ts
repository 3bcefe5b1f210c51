import type { Condition } from '../../files/find/parse.ts'

/** The conditions that have words of their own, apart from tags. */
export const CONDITIONS = {
  picture: { kind: 'mime_like', pattern: 'image/%' },
  video: { kind: 'mime_like', pattern: 'video/%' },
  new: { kind: 'review', needed: true },
  reviewed: { kind: 'review', needed: false },
  untagged: { kind: 'untagged' },
} as const satisfies Record<string, Condition>
