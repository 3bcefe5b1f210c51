import type { Operation } from '../../http/openapi/operation.ts'

const VALIDATORS = {
  ETag: 'Identifies this version of the content',
  'Last-Modified': 'When this version was stored',
}
const BYTES_HEADERS = {
  ...VALIDATORS,
  'Accept-Ranges': 'Ranges are requested in bytes',
  'Content-Length': 'The number of bytes in the body',
}
const CONTENT_RANGE = { 'Content-Range': 'Which bytes these are, and of how many' }
const DISPOSITION = {
  'Content-Disposition': 'Whether to show or save the file, and its name (RFC 6266)',
}

/** Returns the OpenAPI description of the answers of a route that sends stored bytes. */
export function bytesAnswers(
  whole: string,
  contentType: string | string[],
  added: Record<string, string> = {},
): Pick<Operation, 'responses' | 'errors'> {
  const headers = { ...BYTES_HEADERS, ...added }
  return {
    responses: {
      200: { description: whole, contentType, headers },
      206: {
        description: 'The range that was asked for',
        contentType,
        headers: { ...headers, ...CONTENT_RANGE },
      },
      304: { description: 'The client already has this version', headers: VALIDATORS },
    },
    errors: ['not_found', 'forbidden', 'range_not_satisfiable'],
  }
}

/** Returns the OpenAPI description of the answers of a route that sends a file's content. */
export function contentAnswers(
  whole: string,
  added: Record<string, string> = {},
): ReturnType<typeof bytesAnswers> {
  const types = ['application/octet-stream', 'image/*', 'video/*']
  return bytesAnswers(whole, types, { ...DISPOSITION, ...added })
}
