import { rm } from 'node:fs/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Config } from '../../base/config.ts'
import type { Db } from '../../db/client.ts'
import { loadPhash } from '../../files/queries.ts'
import { FilePath } from '../../files/schema.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonText } from '../../http/json.ts'
import type { Upload } from '../../http/multipart.ts'
import { operation } from '../../http/openapi/operation.ts'
import { type UploadDeps, withUpload } from '../../http/upload-turn.ts'
import { validPath, validQuery } from '../../http/validate.ts'
import type { Decoder } from '../../media/decoder/decoder.ts'
import { requireAccepted } from '../../media/sniff.ts'
import { SimilarFiles, SimilarQuery } from '../schema.ts'
import { findSimilar } from './find.ts'

interface SimilarDeps extends UploadDeps {
  db: Db
  decoder: Decoder
  config: UploadDeps['config'] & Pick<Config, 'duplicateHashThreshold'>
}

/** Returns the routes that find files like a stored one, or like a picture that isn't stored. */
export function similarRoutes(deps: SimilarDeps): Hono<AppEnv> {
  const { db, config } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/:file_id/similar',
    operation({
      id: 'listSimilarFiles',
      tag: 'Duplicates',
      scope: 'read',
      summary: 'List the files that look like a given file, nearest first',
      description:
        'Lists only files that the caller may view, and not the file itself. For a file ' +
        'without a hash, the list is empty.',
      responses: { 200: { description: 'The files with their distances', schema: SimilarFiles } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    validQuery(SimilarQuery),
    async (c) => {
      const { limit, distance = config.duplicateHashThreshold } = c.req.valid('query')
      const { rid, phash } = loadPhash(db, c.var.user, c.req.valid('param').file_id)
      if (phash === null) return jsonText(c, '{"items":[]}')
      return jsonText(c, await findSimilar(db, c.var.user, { phash, distance, limit, except: rid }))
    },
  )

  routes.post(
    '/files/similar',
    operation({
      id: 'findSimilarFiles',
      tag: 'Duplicates',
      scope: 'read',
      summary: 'List the files that look like a picture that is not stored',
      description:
        'Lists only files that the caller may view. The picture is hashed and then discarded.',
      upload: z.object({}),
      responses: { 200: { description: 'The files with their distances', schema: SimilarFiles } },
    }),
    validQuery(SimilarQuery),
    (c) =>
      withUpload(deps, c, async (upload) => {
        const { limit, distance = config.duplicateHashThreshold } = c.req.valid('query')
        const phash = await hashUpload(deps, upload)
        if (phash === null) return jsonText(c, '{"items":[]}')
        const request = { phash, distance, limit, except: null }
        return jsonText(c, await findSimilar(db, c.var.user, request))
      }),
  )

  return routes
}

// The picture stays in `tmp/`. Returns null when it can't be decoded.
function hashUpload({ decoder }: SimilarDeps, upload: Upload): Promise<string | null> {
  return upload.file.temporary.withLocalFile((path) => hashPicture(decoder, path))
}

async function hashPicture(decoder: Decoder, path: string): Promise<string | null> {
  const { mime_type } = await requireAccepted(path)
  const thumbnailPath = `${path}.jpg`
  try {
    // There is no later try, so exceeding a limit counts as failure.
    const input = { path, mime_type, thumbnailPath, isSecondTry: true }
    const { phash, state } = await decoder.derive(input)
    if (phash === null && state === 'pending')
      throw new Error('the system had no resources to decode the picture')
    return phash
  } finally {
    await rm(thumbnailPath, { force: true })
  }
}
