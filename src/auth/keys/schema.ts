import { z } from 'zod'
import { KEY_SCOPES } from '../../base/enums.ts'
import { DateTime, IntegerId, NumberId, pageItems, Uuid } from '../../http/fields.ts'
import { nameText } from '../../http/text-fields.ts'

const Scope = z.enum(KEY_SCOPES).meta({
  description:
    '`read` reads, `upload` adds files, `tag` reads, and changes tags of files, pools and notes, and ' +
    '`admin` does what an admin may. Each operation says under `x-key-scope` which scope it needs',
})
const Name = z.string().meta({ description: 'What the key is for', examples: ['Phone of Ann'] })
const PoolId = Uuid.nullable().meta({
  description:
    'The pool that new files go into, as long as the user may edit it; for `upload` only',
})
const FolderTags = z.boolean().meta({
  description:
    'Whether the folders that a new file is in become its tags; for `upload`, and in the drop box, only',
})
const ExpiresAt = { description: 'When it ends by itself; null for never' }

export const KeyCreate = z
  .object({
    name: nameText(64).meta(Name.meta()!),
    scope: Scope,
    pool_id: PoolId.default(null),
    folder_tags: FolderTags.default(false),
    expires_at: DateTime.nullable().default(null).meta(ExpiresAt),
  })
  .refine(({ scope, pool_id }) => pool_id === null || scope === 'upload', {
    path: ['pool_id'],
    error: 'is for keys of the scope `upload` only',
  })
  .refine(({ scope, folder_tags }) => !folder_tags || scope === 'upload', {
    path: ['folder_tags'],
    error: 'is for keys of the scope `upload` only',
  })
  .meta({ id: 'KeyCreate' })
export type KeyCreate = z.output<typeof KeyCreate>

export const Key = z
  .object({
    id: NumberId,
    name: Name,
    scope: Scope,
    pool_id: PoolId,
    folder_tags: FolderTags,
    created_at: z.iso.datetime().meta({ description: 'When it was created' }),
    expires_at: z.iso.datetime().nullable().meta(ExpiresAt),
    last_use: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was last used, to the minute; null before its first use' }),
  })
  .meta({ id: 'Key', description: 'A key of an app, which acts for its user within its scope' })
export type Key = z.infer<typeof Key>

export const NewKey = Key.extend({
  key: z.string().meta({
    description: 'The key, which is shown only once. Send it as `Authorization: Bearer …`',
    pattern: '^tsk_[0-9a-v]{26}$',
  }),
  public_url: z.string().nullable().meta({
    description:
      'The address of the server for the app, from PUBLIC_URL; null when that is not set',
  }),
}).meta({ id: 'NewKey' })
export type NewKey = z.infer<typeof NewKey>

export const KeyList = z.object({ items: pageItems(Key) }).meta({ id: 'KeyList' })
export type KeyList = z.infer<typeof KeyList>

export const KeyPath = z.object({ key_id: IntegerId.meta({ description: 'Id of the key' }) })
