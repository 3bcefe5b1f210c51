import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import type { AppEnv } from '../context.ts'
import { buildDocument } from '../http/openapi.ts'
import { operation } from '../http/operation.ts'
import { INFO } from './info.ts'

/** Returns what explains the API to people and programs; `routes` tells all routes of the app. */
export function docsRoutes(routes: () => RouterRoute[]): Hono<AppEnv> {
  let document: { text: string; etag: string } | null = null
  const read = () => {
    if (!document) {
      const text = JSON.stringify(buildDocument(routes(), INFO))
      document = { text, etag: createHash('sha256').update(text).digest('base64url') }
    }
    return document
  }
  return new Hono<AppEnv>().get(
    '/api/v1/openapi.json',
    operation({
      id: 'getOpenApi',
      tag: 'System',
      summary: 'Get this document',
      responses: {
        200: {
          description: 'The OpenAPI 3.1 document of this API',
          schema: z.record(z.string(), z.unknown()),
          headers: { ETag: 'Names this version of the document' },
        },
        304: null,
      },
    }),
    etag(),
    (c) => {
      const { text, etag } = read()
      return c.body(text, 200, {
        'Content-Type': 'application/json',
        ETag: `"${etag}"`,
        'Cache-Control': 'public, no-cache',
      })
    },
  )
}
