import { z } from 'zod'
import { IntegerId, NumberId, nameText, offsetPage, UserId } from '../http/fields.ts'

const MAX_PASSWORD_LENGTH = 256

const UserName = nameText(32).meta({
  description: 'Another user may not have it; spaces around it are cut off',
  examples: ['ann'],
})

/** Characters are code points, those of the composed form. */
function newPassword(minLength: number) {
  const length = (text: string) => [...text.normalize('NFC')].length
  return z
    .string()
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine(
      (text) => length(text) >= minLength && length(text) <= MAX_PASSWORD_LENGTH,
      `must have ${minLength} to ${MAX_PASSWORD_LENGTH} characters`,
    )
    .meta({
      description: 'Of the length that the server asks for',
      minLength,
      maxLength: MAX_PASSWORD_LENGTH,
    })
}

const IsAdmin = z.boolean().meta({
  description:
    'Whether the user may do everything, and alone manages users, reads the audit log and ' +
    'imports',
})
const CanCreate = z.boolean().meta({
  description:
    'Whether the user may upload, and create tags, categories and pools; admins always may',
})
const IsBlocked = z.boolean().meta({
  description: 'Whether the user is kept out; blocking ends all of their sessions',
})

export const User = z
  .object({
    id: NumberId,
    name: z.string().meta({ description: 'No other user has it' }),
    is_admin: IsAdmin,
    can_create: CanCreate,
    is_blocked: IsBlocked,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UserOffsetPage = offsetPage(User).meta({ id: 'UserOffsetPage' })
export type UserOffsetPage = z.infer<typeof UserOffsetPage>

export const UserPath = z.object({ user_id: IntegerId.meta({ description: UserId.description }) })

/** Returns the body of POST /users. */
export function userCreate(passwordMinLength: number) {
  return z
    .object({
      name: UserName,
      password: newPassword(passwordMinLength),
      is_admin: IsAdmin.default(false),
      can_create: CanCreate.default(false),
    })
    .meta({ id: 'UserCreate' })
}

/** Returns the body of PATCH /users/me. */
export function selfUpdate(passwordMinLength: number) {
  return z
    .object({
      name: UserName.optional(),
      password: newPassword(passwordMinLength).optional(),
    })
    .meta({ id: 'SelfUpdate' })
}

/** The body of PATCH /users/{user_id}. */
export const UserUpdate = z
  .object({
    is_admin: IsAdmin.optional(),
    can_create: CanCreate.optional(),
    is_blocked: IsBlocked.optional(),
  })
  .meta({ id: 'UserUpdate' })
export type UserUpdate = z.output<typeof UserUpdate>
