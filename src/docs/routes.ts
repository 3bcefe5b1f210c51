import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { docsFile, swaggerFile } from '../base/paths.ts'
import {
  type Asset,
  CHECKED,
  createAsset,
  FOR_EVER,
  once,
  sendAsset,
} from '../http/assets/asset.ts'
import type { AppEnv } from '../http/env.ts'
import { buildDocument } from '../http/openapi/document.ts'
import { operation } from '../http/openapi/operation.ts'
import { INFO } from './info.ts'

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
          'Needs no token. It is made from the schemas that check requests and write answers. ' +
          'Clients can be generated from it.',
        responses: {
          200: {
            description: 'The OpenAPI 3.1 document of this API',
            schema: z.record(z.string(), z.unknown()),
            headers: { ...VALIDATORS, 'Content-Length': 'The size of this body in bytes' },
          },
          304: { description: 'The client already has this version', headers: VALIDATORS },
        },
      }),
      async (c) => sendAsset(c, await document(), CHECKED),
    )
}

interface DocsPage {
  html: Asset
  policy: string
  assets: Map<string, Asset>
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

const DOCS_FILES = [
  { name: 'swagger-ui.css', type: STYLE, path: swaggerFile('swagger-ui.css') },
  { name: 'docs.css', type: STYLE, path: docsFile('docs.css') },
  { name: 'swagger-ui.js', type: SCRIPT, path: swaggerFile('swagger-ui-bundle.js') },
  { name: 'docs.js', type: SCRIPT, path: docsFile('docs.js') },
]

// The source map is not served.
const SOURCE_MAP = /\s*\/[/*]# sourceMappingURL=\S+( \*\/)?\s*$/

const NOWHERE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Pictures are Swagger UI's own icons and the answers that it shows; it connects to no other server.
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  NOWHERE,
].join('; ')

/** Returns the page that explains the API and sends requests to it. */
async function docsPage(): Promise<DocsPage> {
  const assets = new Map<string, Asset>()
  const places: Record<string, string> = {}
  for (const { name, type, path } of DOCS_FILES) {
    const text = await readFile(path, 'utf8')
    const asset = await createAsset(type, text.replace(SOURCE_MAP, ''))
    places[name] = `/docs/${asset.hash}/${name}`
    assets.set(places[name], asset)
  }
  const html = await createAsset(HTML, template('docs.html', places))
  return { html, policy: DOCS_POLICY, assets }
}

function template(name: string, values: Record<string, string>): string {
  return readFileSync(docsFile(name), 'utf8').replaceAll(
    /{{(.+?)}}/g,
    (_, key) => values[key] ?? '',
  )
}
