import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { docsFile, swaggerFile } from '../base/place.ts'
import { type Asset, createAsset } from '../http/assets/asset.ts'

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
export async function docsPage(): Promise<DocsPage> {
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
