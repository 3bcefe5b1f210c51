import { rm } from 'node:fs/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { loadPhash } from '../../files/queries.ts'
import { FilePath } from '../../files/schema.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonText } from '../../http/json.ts'
import { type Upload, type UploadDeps, withUpload } from '../../http/multipart.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validPath, validQuery } from '../../http/validate.ts'
import type { Decoder } from '../../media/decoder.ts'
import { requireAccepted } from '../../media/sniff.ts'
import { SimilarFiles, SimilarQuery } from '../schema.ts'
import { findSimilar } from './find.ts'

interface SimilarDeps extends UploadDeps {
  db: Db
  decoder: Decoder
  config: UploadDeps['config'] & Pick<Config, 'duplicateHashThreshold'>
}

/** Returns the routes that find files like one that is stored, or like one that is not. */
export function similarRoutes(deps: SimilarDeps): Hono<AppEnv> {
  const { db, config } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files/:file_id/similar',
    operation({
      id: 'listSimilarFiles',
      tag: 'Duplicates',
      summary: 'List files that look like a file, nearest first',
      description:
        'Of the files that the caller may view, without the file itself; a file without a ' +
        'hash is like none.',
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
      summary: 'List files that look like a picture that is not stored',
      description: 'Of the files that the caller may view. The picture is looked at and forgotten.',
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

/** The hash of a picture that stays in `tmp/`; null when it can't be decoded. */
async function hashUpload({ decoder }: SimilarDeps, upload: Upload): Promise<string | null> {
  const { path } = upload.file.temporary
  const { mime_type } = await requireAccepted(path)
  const thumbnailPath = `${path}.jpg`
  try {
    // Nobody tries again later, so what takes too long can't be decoded.
    const input = { path, mime_type, thumbnailPath, isSecondTry: true }
    const { phash, state } = await decoder.derive(input)
    if (phash === null && state === 'pending') throw new Error('the system refused to decode it')
    return phash
  } finally {
    await rm(thumbnailPath, { force: true })
  }
}
