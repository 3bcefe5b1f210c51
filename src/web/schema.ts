import { z } from 'zod'
import { ExpiresIn } from '../http/fields.ts'
import { User } from '../users/schema.ts'

/** The body of requests that need none, but must not come from a form. */
export const Empty = z.object({}).meta({ id: 'Empty' })

export const WebSession = z
  .object({
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`' }),
    expires_in: ExpiresIn,
    user: User,
    has_files: z.boolean().meta({
      description: 'Whether the user has added files, which stay theirs when they may add no more',
    }),
    media: z.string().meta({
      description:
        'Part of the addresses of pictures, `/web/media/{media}/…`, as long as the session lives',
    }),
  })
  .meta({ id: 'WebSession' })
export type WebSession = z.infer<typeof WebSession>
