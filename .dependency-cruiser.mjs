// The floors of the house, from the top down: a file imports only from its own floor and from those
// below it, types included. `src/README.md` explains what the floors are for.
const ROUTES = '^src/(?!gallery/).*(^|/|-)routes\\.ts$'
/** What the gallery imports of the server. */
const SHARED = '^src/(files/(find/(parse|facts)|places/camera)|base/enums|media/endings)\\.ts$'
const FLOORS = [
  ['commands', '^src/main\\.ts$|^src/commands/'],
  [
    'app',
    '^src/(app|library|library-database|server)\\.ts$|^src/reader/(questions|reader-main)\\.ts$',
  ],
  ['routes', ROUTES],
  ['operations', '^src/(operations|changes|status|keep|retention)/'],
  ['duplicates', '^src/duplicates/'],
  ['background', '^src/background/'],
  ['imports', '^src/imports/'],
  ['exports', '^src/exports/'],
  ['drop box', '^src/dav/'],
  ['shares', '^src/shares/'],
  ['pools', '^src/pools/'],
  ['files', '^src/files/'],
  ['tags', '^src/tags/'],
  ['categories', '^src/categories/'],
  ['users', '^src/(users|docs|web|uploads)/'],
  ['access', '^src/(acl|auth|audit|long-changes)/'],
  ['http', '^src/http/'],
  ['reader', '^src/reader/'],
  ['storage', '^src/(db|media)/'],
  ['ground', '^src/base/'],
]

/** Forbids imports from higher floors. A file belongs to the first floor that its path matches. */
const floorRules = FLOORS.map(([name, path], level) => {
  const above = FLOORS.slice(0, level).map(([, higher]) => higher)
  return {
    name: `floor: ${name}`,
    comment: 'Imports point downwards: what both files need belongs on a floor below.',
    severity: 'error',
    from: { path, pathNot: above },
    to: { path: above },
  }
}).slice(1)

export default {
  forbidden: [
    ...floorRules,
    {
      name: 'no circles',
      comment: 'Files that import each other, even if only for types, are one file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the filter language, the names of cameras and the endings of files stand alone',
      comment: 'The gallery imports them as well.',
      severity: 'error',
      from: { path: SHARED },
      to: { path: '.', pathNot: SHARED },
    },
    {
      name: 'routes are for app.ts',
      severity: 'error',
      from: { pathNot: '^src/app\\.ts$' },
      to: { path: ROUTES },
    },
    {
      name: "strangers' bytes are for the child",
      comment:
        "The decoder's child is started by its path; other files know only its messages' types.",
      severity: 'error',
      from: { pathNot: '^src/media/child/' },
      to: { path: '^src/media/child/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'queries know no HTTP',
      severity: 'error',
      from: { path: '^src/.*(^|/|-)queries\\.ts$' },
      to: { path: '^src/http/|/node_modules/hono/|^node_modules/hono/' },
    },
    {
      name: 'db and media stand side by side',
      severity: 'error',
      from: { path: '^src/(db|media)/' },
      to: { path: '^src/(db|media)/', pathNot: '^src/$1/' },
    },
    {
      name: 'the client is apart',
      comment: 'The client is for other programs and for browsers.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: '^src/client/' },
    },
    {
      name: 'nobody here needs the client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(client|gallery)/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'the page is apart',
      comment:
        'The gallery in the browser speaks to the server by its client, as others do; both read one filter language and one list of endings, and name cameras alike.',
      severity: 'error',
      from: { path: '^src/gallery/' },
      to: { path: '^src/', pathNot: `^src/(client|gallery)/|${SHARED}` },
    },
    {
      name: 'the server knows no page',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gallery/' },
      to: { path: '^src/gallery/' },
    },
    {
      name: 'page floor: base',
      comment: 'The base knows no words, no parts and no feature.',
      severity: 'error',
      from: { path: '^src/gallery/base/' },
      to: { path: '^src/gallery/', pathNot: '^src/gallery/base/' },
    },
    {
      name: 'page floor: text',
      comment: 'Words need nothing but what puts numbers and dates into them.',
      severity: 'error',
      from: { path: '^src/gallery/text/' },
      to: { path: '^src/gallery/', pathNot: '^src/gallery/(base|text)/' },
    },
    {
      name: 'page floor: routes',
      severity: 'error',
      from: { path: '^src/gallery/routes\\.ts$' },
      to: { path: '^src/gallery/', pathNot: '^src/gallery/(base|text)/' },
    },
    {
      name: 'page floor: parts',
      severity: 'error',
      from: { path: '^src/gallery/parts/' },
      to: { path: '^src/gallery/', pathNot: '^src/gallery/((base|text|parts)/|routes\\.ts$)' },
    },
    {
      name: 'page floor: features',
      comment:
        'A feature knows the base, the parts, and of others what the index of grid, favourites, filter, tag-box, pool-box, sharing, bulk, viewer and slideshow gives, how a picture lies, and what was taken on this day.',
      severity: 'error',
      from: { path: '^src/gallery/([^/]+)/', pathNot: '^src/gallery/(base|text|parts|shell)/' },
      to: {
        path: '^src/gallery/',
        pathNot:
          '^src/gallery/((base|text|parts|$1)/|routes\\.ts$|tag-box/match\\.ts$|' +
          'viewer/(facts|gestures|layer|zoom|use-zoom)\\.tsx?$|this-day/read\\.ts$|' +
          'grid/thumbnails/blur\\.ts$|slideshow/attention\\.ts$|' +
          '(grid|favourites|filter|tag-box|pool-box|sharing|bulk|viewer|slideshow)/index\\.tsx?$)',
      },
    },
    {
      name: 'page floor: shell',
      comment: 'The shell knows every feature by its index, or its only file.',
      severity: 'error',
      from: { path: '^src/gallery/shell/' },
      to: {
        path: '^src/gallery/[^/]+/',
        pathNot: '^src/gallery/(base|text|parts|shell)/|/index\\.tsx?$',
      },
    },
  ],
  options: {
    includeOnly: ['^src/', '^node_modules/hono/'],
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
