import { z } from 'zod'
import { DATE_PRECISIONS, DATE_SOURCES } from '../../base/enums.ts'
import { type Edit, endOf } from '../blanked.ts'
import type { Film } from '../child/film/video.ts'
import type { Look } from '../child/look.ts'
import type { EncodedShown } from '../child/luminances.ts'
import type { Hashed } from '../child/picture.ts'
import {
  type Description,
  MAX_CAPTION,
  MAX_KEYWORDS,
  MAX_LEVEL,
  MAX_LEVELS,
} from '../description.ts'
import type { Facts } from './facts.ts'
import type { Request } from './request.ts'

// What a child may answer. A stranger's file may have taken over its code, so it may say anything.

// Bytes of JSON.
const MAX_EXIF = 64 * 1024
const MAX_DROPPED = 1000
const [INT64_MIN, INT64_MAX] = [-(2n ** 63n), 2n ** 63n - 1n]

const side = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const Size = z.object({ width: side, height: side })
const size = Size.nullable()
// At most 25 bytes.
const thumbhash = z
  .string()
  .regex(/^[A-Za-z0-9+/]{1,35}={0,2}$/)
  .nullable()

const Finer = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), isPlain: z.boolean() })

// A character has up to two units of UTF-16.
const level = z
  .string()
  .min(1)
  .max(2 * MAX_LEVEL)
const offset = z.number().min(-1439).max(1439).nullable()
const Described: z.ZodType<Description> = z.object({
  paths: z.array(z.array(level).min(1).max(MAX_LEVELS)).max(MAX_KEYWORDS),
  people: z.array(level).max(MAX_KEYWORDS),
  rating: z.int().min(1).max(5).nullable(),
  label: level.nullable(),
  caption: z.string().min(1).max(MAX_CAPTION).nullable(),
  date: z
    .object({
      // Of the years that a calendar of the runtime has.
      clock: z.number().min(-1e15).max(1e15),
      offset,
      precision: z.enum(DATE_PRECISIONS).nullish(),
      isUtc: z.boolean(),
    })
    .nullable(),
  position: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    })
    .nullable(),
  isFavorite: z.boolean(),
  isArchived: z.boolean(),
  isTrashed: z.boolean(),
  isPartners: z.boolean(),
  leftOut: z.int().min(0),
  from: z.array(z.string().max(100)).max(100),
})

const facts = {
  exif: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number(), z.null()]))]),
    )
    .refine((exif) => Buffer.byteLength(JSON.stringify(exif)) <= MAX_EXIF),
  dates: z
    .array(
      z.object({
        clock: z.number(),
        offset,
        source: z.enum(DATE_SOURCES),
        precision: z.enum(DATE_PRECISIONS).nullish(),
      }),
    )
    .max(100),
  dropped: z.array(z.string().max(1000)).max(MAX_DROPPED).optional(),
  description: Described,
}

const Exif: z.ZodType<Facts> = z.object({ ...facts, size: size.optional() })
const Looked: z.ZodType<Look & Partial<Film>> = z.object({
  ...z.object(facts).partial().shape,
  size,
  thumbhash,
})
const hashes = {
  phash: z
    .string()
    .regex(/^-?\d{1,19}$/)
    .refine((text) => BigInt(text) >= INT64_MIN && BigInt(text) <= INT64_MAX),
  finer: Finer,
}
const Thumbnail: z.ZodType<Hashed> = z.object({
  ...hashes,
  size,
  thumbhash,
  isDamaged: z.boolean(),
})
// 64x64 bytes in base64.
const Grey: z.ZodType<EncodedShown> = z.object({
  grey: z.string().regex(/^[A-Za-z0-9+/]{5462}==$/),
  ...hashes,
})

const place = z.int().min(0)
const Laid: z.ZodType<Edit> = z.union([
  z.object({ at: place, zeros: z.int().min(1) }),
  z.object({ at: place, base64: z.base64().min(4) }),
])
const Edits = z
  .array(Laid)
  .refine((edits) => edits.every(({ at }, n) => n === 0 || at >= endOf(edits[n - 1]!)))
  .nullable()

const ANSWERS: Record<Request['op'], z.ZodType> = {
  exif: Exif,
  blank: Edits,
  look: Looked,
  grey: Grey,
  thumbnail: Thumbnail,
  preview: z.null(),
  thumbnail640: z.null(),
  full: z.null(),
}

/** Returns whether a result is one that a decoder gives to what it was asked for. */
export function isAnswer(op: Request['op'], result: unknown): boolean {
  return ANSWERS[op].safeParse(result).success
}
