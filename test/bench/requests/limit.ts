import { createServer } from 'node:http'
import { openDatabase } from '../../../src/db/client.ts'

// A program of its own: what nothing that answers with fifty files over HTTP can be quicker than. It
// reads their rows and tags by bare statements and sends a constant text of a page's length, with no
// token, no right and no JSON. Arguments: the database, and the bytes of a page.

const [path, bytes] = process.argv.slice(2) as [string, string]
const db = openDatabase(path)
const page = JSON.stringify({ items: 'x'.repeat(Number(bytes) - 12) })
const { last } = db.get<{ last: number }>('SELECT max(rid) AS last FROM files')!
// The row number alone leads: with an index on what is deleted, all would be sorted.
const rows = 'SELECT * FROM files f NOT INDEXED CROSS JOIN file_details d ON d.file_rid = f.rid'
const newest = db.prepare(`${rows} WHERE f.is_deleted = 0 ORDER BY f.rid DESC LIMIT 50`)
const before = db.prepare(
  `${rows} WHERE f.rid <= ? AND f.is_deleted = 0 ORDER BY f.rid DESC LIMIT 50`,
)
const named = db.prepare(
  `SELECT * FROM json_each(?) j CROSS JOIN files f ON f.rid = j.value
   CROSS JOIN file_details d ON d.file_rid = f.rid`,
)
const tagged = db.prepare(
  'SELECT file_rid, tag_rid FROM json_each(?) j CROSS JOIN file_tags ON file_rid = j.value',
)

const any = () => 1 + Math.floor(Math.random() * last)
const READ: Record<string, () => unknown[]> = {
  '/L': () => newest.all(),
  '/Ld': () => before.all(any()),
  '/Lr': () => named.all(JSON.stringify(Array.from({ length: 50 }, any))),
}

function answer(url: string): string {
  const files = READ[url]!() as { rid: number }[]
  tagged.all(JSON.stringify(files.map(({ rid }) => rid)))
  return page
}

const headers = { 'Content-Type': 'application/json' }
const tell = (port: number | undefined) =>
  process.stdout.write(`The limit is at http://127.0.0.1:${port}\n`)
if ('Bun' in globalThis) {
  const fetch = (request: Request) =>
    new Response(answer(new URL(request.url).pathname), { headers })
  tell(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch }).port)
} else {
  const server = createServer((request, response) => {
    response.writeHead(200, headers).end(answer(request.url!))
  })
  server.listen(0, '127.0.0.1', () => tell((server.address() as { port: number }).port))
}
