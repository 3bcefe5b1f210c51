import { z } from 'zod'
import { isCredential, NO_CREDENTIAL, nfc } from '../base/text.ts'
import { IntegerId, NumberId, offsetPage, UserId } from '../http/fields.ts'
import { metadataObject, nameText, type Purpose } from '../http/text-fields.ts'

const MAX_PASSWORD_LENGTH = 256

const userName = (purpose: Purpose) =>
  nameText(32, purpose).meta({
    description: 'No other user may have it; spaces around it are removed',
    examples: ['ann'],
  })

/** Returns the schema of a new password; its characters are code points of the composed form. */
export function newPassword(minLength: number) {
  const length = (text: string) => [...nfc(text)].length
  return z
    .string()
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine(isCredential, { error: NO_CREDENTIAL, abort: true })
    .refine(
      (text) => length(text) >= minLength && length(text) <= MAX_PASSWORD_LENGTH,
      `must have ${minLength} to ${MAX_PASSWORD_LENGTH} characters`,
    )
    .meta({
      description:
        'A password of the length that the server requires, of at most 1024 bytes and 30 ' +
        'combining marks in a row',
      minLength,
      maxLength: MAX_PASSWORD_LENGTH,
    })
}

const EndKeys = z
  .boolean()
  .optional()
  .meta({ description: 'Whether the new password also ends the keys of apps of the user' })

const IsAdmin = z.boolean().meta({
  description:
    'Whether the user may do everything; only admins may manage users, read the audit log, ' +
    'import and start rescans',
})
const CanCreate = z.boolean().meta({
  description:
    'Whether the user may upload files and create tags, categories and pools; admins always may',
})
const IsBlocked = z.boolean().meta({
  description: 'Whether the user is locked out; blocking ends all of their sessions and keys',
})

export const User = z
  .object({
    id: NumberId,
    name: z.string().meta({ description: 'Name of the user, which no other user has' }),
    is_admin: IsAdmin,
    can_create: CanCreate,
    is_blocked: IsBlocked,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UserOffsetPage = offsetPage(User).meta({ id: 'UserOffsetPage' })
export type UserOffsetPage = z.infer<typeof UserOffsetPage>

export const Person = z
  .object({ id: NumberId, name: User.shape.name })
  .meta({ id: 'Person', description: 'Somebody who may sign in' })
export type Person = z.infer<typeof Person>

// Bytes of a user's settings as JSON, at most.
const SETTINGS = 16 * 1024

/** The body of PUT /users/me/settings. */
export const SettingsUpdate = metadataObject(SETTINGS).meta({ id: 'SettingsUpdate' })
export const Settings = z.record(z.string(), z.unknown()).meta({
  id: 'Settings',
  description: 'What the pages remember for a user, such as the language',
})
export type Settings = z.infer<typeof Settings>

export const UserPath = z.object({ user_id: IntegerId.meta({ description: UserId.description }) })

/** Returns the schema of the body of POST /users. */
export function userCreate(passwordMinLength: number) {
  return z
    .object({
      name: userName('new'),
      password: newPassword(passwordMinLength),
      is_admin: IsAdmin.default(false),
      can_create: CanCreate.default(false),
    })
    .meta({ id: 'UserCreate' })
}

/** Returns the schema of the body of PATCH /users/me. */
export function selfUpdate(passwordMinLength: number) {
  return z
    .object({
      name: userName('edit').optional(),
      password: newPassword(passwordMinLength).optional(),
      current_password: z
        .string()
        .optional()
        .meta({
          description:
            'The current password, which is only checked together with a new one; a wrong one ' +
            'gets 403. A server with CONFIRM_PASSWORD=on requires it, except within ten minutes ' +
            'of signing in',
        }),
      end_keys: EndKeys,
    })
    .meta({ id: 'SelfUpdate' })
}

/** The body of POST /users/{user_id}/password. */
export const PasswordReset = z
  .object({
    current_password: z
      .string()
      .optional()
      .meta({
        description:
          "The caller's own password; a wrong one gets 403. A server with CONFIRM_PASSWORD=on " +
          'requires it, except within ten minutes of signing in',
      }),
    end_keys: EndKeys,
  })
  .meta({ id: 'PasswordReset' })

export const GeneratedPassword = z
  .object({
    password: z.string().meta({ description: 'The new password, which is shown only once' }),
  })
  .meta({ id: 'GeneratedPassword' })
export type GeneratedPassword = z.infer<typeof GeneratedPassword>

/** The body of PATCH /users/{user_id}. */
export const UserUpdate = z
  .object({
    is_admin: IsAdmin.optional(),
    can_create: CanCreate.optional(),
    is_blocked: IsBlocked.optional(),
  })
  .meta({ id: 'UserUpdate' })
export type UserUpdate = z.output<typeof UserUpdate>
