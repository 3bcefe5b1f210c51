import { z } from 'zod'
import { integerText, Uuid } from '../http/fields.ts'

const VERSION = z.string().optional().meta({ description: 'The version of tus: `1.0.0`' })

export const UploadPath = z.object({ upload_id: Uuid.meta({ description: 'Id of the upload' }) })

export const NewUploadHeaders = z.object({
  'Tus-Resumable': VERSION,
  'Upload-Length': integerText(1).meta({ description: 'Bytes of the file' }),
  'Upload-Metadata': z
    .string()
    .max(16_384)
    .optional()
    .meta({
      description:
        'Pairs of a name and its value in Base64, separated by commas: `filename`, and the fields of a form of ' +
        '`POST /files`. Others are ignored',
      examples: ['filename ZmlsbS5tcDQ=,is_public dHJ1ZQ=='],
    }),
})

export const PartHeaders = z.object({
  'Tus-Resumable': VERSION,
  'Upload-Offset': integerText().meta({ description: 'How many bytes the server has' }),
})

export const UploadInParts = z
  .object({
    id: z.uuid().meta({ description: 'Id of the upload' }),
    filename: z.string().nullable().meta({ description: 'The name that the file will have' }),
    length: z.int().nullable().meta({ format: 'int64', description: 'Bytes of the whole file' }),
    offset: z.int().meta({
      format: 'int64',
      description: 'Bytes that have come; all of them once it is a file',
    }),
    expires_at: z.iso.datetime().meta({ description: 'When it is removed unless more bytes come' }),
    file_id: z.uuid().nullable().meta({ description: 'Id of the file that it has become' }),
    is_new: z.boolean().nullable().meta({
      description: 'Whether that file is new; false if it had the content already',
    }),
  })
  .meta({ id: 'UploadInParts', description: 'An upload that comes in parts' })
export type UploadInParts = z.output<typeof UploadInParts>
