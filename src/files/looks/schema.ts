import { z } from 'zod'
import { ROTATIONS } from '../../base/enums.ts'

const Pixels = z.int().nullable()

const Rotation = z.literal(ROTATIONS, 'must be 0, 90, 180 or 270')

/** The fields of a File that show its content before its picture is loaded. */
export const LOOK_FIELDS = {
  size: z.int().meta({ format: 'int64', description: 'How many bytes its content has' }),
  width: Pixels.meta({
    description:
      'Its width in pixels as it is displayed, turned and with square pixels. Null when that is ' +
      'not known (yet), as for a picture that could not be decoded; then assume 4:3',
  }),
  height: Pixels.meta({ description: 'Its height in pixels, like `width`' }),
  duration: z.number().nullable().meta({
    description: 'The length of a video in seconds; null for a picture, and when it is not known',
  }),
  thumbhash: z
    .string()
    .nullable()
    .meta({
      description:
        'A picture of about 25 bytes (ThumbHash) in base64, to show until the thumbnail is ' +
        'there; null when there is none (yet)',
      examples: ['kQgGDYIIapeRhpdhe2aah7b3Kgts'],
    }),
  is_damaged: z.boolean().meta({
    description:
      'Whether its picture seems damaged: a part of it is missing or broken, or it could not be ' +
      'decoded at all. False for a video, until it is decoded, and for a file that an earlier ' +
      'version has decoded',
  }),
  rotation: Rotation.meta({
    description:
      'By how many degrees its content is turned clockwise. Its size, hashes, thumbnail and preview are ' +
      'those of what is then shown; the content itself stays as it is, and content that replaces it starts at 0',
  }),
  version: z.string().meta({
    description: 'Changes when what its thumbnail and its preview show changes',
    examples: ['Zm9vYmFy'],
  }),
}
