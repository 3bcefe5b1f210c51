import { z } from 'zod'

const Pixels = z.int().nullable()

/** The fields of a File that show its content before its picture is loaded. */
export const LOOK_FIELDS = {
  size: z.int().meta({ format: 'int64', description: 'How many bytes its content has' }),
  width: Pixels.meta({
    description:
      'Pixels as it is displayed, turned and with square pixels; null when that is not known (yet), ' +
      'as for a picture that could not be decoded: then take 4:3',
  }),
  height: Pixels.meta({ description: 'As `width`' }),
  duration: z.number().nullable().meta({
    description: 'The length of a film in seconds; null for a picture, and when nothing tells',
  }),
  thumbhash: z
    .string()
    .nullable()
    .meta({
      description:
        'A picture of some 25 bytes (ThumbHash) in base64, to be shown until the thumbnail is there; ' +
        'null when there is none (yet)',
      examples: ['kQgGDYIIapeRhpdhe2aah7b3Kgts'],
    }),
  version: z.string().meta({
    description: 'Changes with what its thumbnail and its preview show',
    examples: ['Zm9vYmFy'],
  }),
}
