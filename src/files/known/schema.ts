import { z } from 'zod'
import { boundedList } from '../../http/fields.ts'

const MOST_CONTENTS = 1000
/** The most files listed per content. */
export const MOST_COPIES = 10

const Sha256 = z
  .string()
  .regex(/^[A-Fa-f0-9]{64}$/, 'must be 64 hex digits')
  .toLowerCase()

export const KnownRequest = z
  .object({
    sha256: boundedList(Sha256, MOST_CONTENTS, `must name at most ${MOST_CONTENTS} contents`).meta({
      description: 'The SHA-256 of each content, in hex; a repeated one counts once',
    }),
  })
  .meta({ id: 'KnownRequest' })

const KnownContent = z.object({
  sha256: z.string().meta({ description: 'The SHA-256 of the content, in lower case' }),
  file_ids: z.array(z.uuid()).meta({
    description:
      `Ids of the files that have it, at most ${MOST_COPIES}: the oldest first, and those in ` +
      'the trash last',
  }),
  in_trash: z.boolean().meta({ description: 'Whether all files that have it are in the trash' }),
})
export type KnownContent = z.infer<typeof KnownContent>

export const KnownContents = z
  .object({
    known: z.array(KnownContent).meta({
      description: 'The contents of files that the caller may view, in the order requested',
    }),
  })
  .meta({ id: 'KnownContents' })
export type KnownContents = z.infer<typeof KnownContents>

/** What happens to a content that a file already has. */
export const OnDuplicate = z.enum(['keep', 'skip', 'conflict'], 'must be keep, skip or conflict')
export type OnDuplicate = z.infer<typeof OnDuplicate>
/** With `own`, which no request may name, a file of the user's own is returned unchanged. */
export type OnDuplicateOrOwn = OnDuplicate | 'own'
