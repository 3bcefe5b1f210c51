import { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { CHECKED, createAsset, FOR_EVER, sendAsset } from '../http/assets/asset.ts'
import { once } from '../http/assets/once.ts'
import type { AppEnv } from '../http/env.ts'
import { buildDocument } from '../http/openapi/document.ts'
import { operation } from '../http/openapi/operation.ts'
import { INFO } from './info.ts'
import { docsPage } from './pages.ts'

const VALIDATORS = { ETag: 'Identifies this version of the document' }

/** Returns the routes that explain the API to people and programs; `routes` returns the app's. */
export function docsRoutes(routes: () => RouterRoute[]): Hono<AppEnv> {
  const document = once(async () =>
    createAsset('application/json', JSON.stringify(await buildDocument(routes(), INFO))),
  )
  const docs = once(docsPage)
  return new Hono<AppEnv>()
    .get('/docs', async (c) => {
      const { html, policy } = await docs()
      return sendAsset(c, html, { ...CHECKED, 'Content-Security-Policy': policy })
    })
    .get('/docs/:hash/:name', async (c) => {
      const asset = (await docs()).assets.get(c.req.path)
      if (!asset) throw new AppError('not_found', 'There is no such file')
      return sendAsset(c, asset, FOR_EVER)
    })
    .get(
      '/api/v1/openapi.json',
      operation({
        id: 'getOpenApi',
        tag: 'System',
        summary: 'Get this document',
        description:
          'Needs no token. It is made from the schemas by which requests are judged and answers ' +
          'are written; clients can be generated from it.',
        responses: {
          200: {
            description: 'The OpenAPI 3.1 document of this API',
            schema: z.record(z.string(), z.unknown()),
            headers: { ...VALIDATORS, 'Content-Length': 'The size of this body in bytes' },
          },
          304: { description: 'The client has this version already', headers: VALIDATORS },
        },
      }),
      async (c) => sendAsset(c, await document(), CHECKED),
    )
}
