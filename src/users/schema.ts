import { z } from 'zod'
import { IntegerId, nameText, offsetPage } from '../http/fields.ts'

const MAX_PASSWORD_LENGTH = 256

const UserName = nameText(32).meta({ examples: ['ann'] })

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
    .meta({ minLength, maxLength: MAX_PASSWORD_LENGTH })
}

export const User = z
  .object({
    id: z.int(),
    name: z.string(),
    is_admin: z.boolean(),
    can_create: z.boolean(),
    is_blocked: z.boolean(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UserOffsetPage = offsetPage(User).meta({ id: 'UserOffsetPage' })
export type UserOffsetPage = z.infer<typeof UserOffsetPage>

export const UserPath = z.object({ user_id: IntegerId })

/** Returns the body of POST /users. */
export function userCreate(passwordMinLength: number) {
  return z
    .object({
      name: UserName,
      password: newPassword(passwordMinLength),
      is_admin: z.boolean().default(false),
      can_create: z.boolean().default(false),
    })
    .meta({ id: 'UserCreate' })
}
export type UserCreate = z.output<ReturnType<typeof userCreate>>

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
    is_admin: z.boolean().optional(),
    can_create: z.boolean().optional(),
    is_blocked: z.boolean().optional(),
  })
  .meta({ id: 'UserUpdate' })
export type UserUpdate = z.output<typeof UserUpdate>
