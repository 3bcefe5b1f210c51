import type { Target } from './library.ts'

/** What came back from a request. */
export interface Came {
  /** 0 when the connection broke. */
  status: number
  bytes: number
}

/** Sends a request as a person to a path below /api/v1, and reads its answer to the end. */
export type Ask = (
  method: string,
  path: string,
  sent?: { as?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Came>

/** An attack: its name, and what it sends. */
export type Attack = [name: string, run: (ask: Ask) => Promise<Came[]>]

/** Two marks of different classes, which normalization has to bring into order. */
const MARKS = '\u0301\u0316'
/** As many files as a request may name. */
const MANY = 10_000
const NETWORKS = 320

/** Returns what may be sent to a library of many files, the most destructive last. */
export function attacksOn({ files, onAll, free, ben }: Target): Attack[] {
  const file_ids = files.slice(0, MANY)
  const [when, dead] = onAll
  const tag_ids = free.slice(0, 20)
  const marks = (bytes: number) => `a${MARKS.repeat(bytes / 4)}`
  const one =
    (...[method, path, sent]: Parameters<Ask>) =>
    async (ask: Ask) => [await ask(method, path, sent)]
  const bad = Array.from({ length: 250_000 }, () => 'x')
  const bulk = (action: string) => ({ body: { file_ids, tag_ids, action } })
  const rule = { then_tag_id: free[20], is_active: true, apply_to_existing: true }
  return [
    ['login, 3 names of 240 KB of marks', (ask) => times(3, () => login(ask, marks(240_000)))],
    ['search, 2,500 marks', one('GET', `/files?search=${encodeURIComponent(marks(5000))}`)],
    ['tag name, 1 MB of marks', one('POST', '/tags', { body: { name: marks(1_040_000) } })],
    ['tag notes, 1 MB', one('POST', '/tags', { body: { name: 'b', notes: marks(1_040_000) } })],
    ['file notes, 1 MB', one('PATCH', `/files/${files[0]}`, { body: { notes: marks(1_040_000) } })],
    [
      'bulk review, 250,000 bad ids',
      one('POST', '/files/bulk/review', { body: { file_ids: bad, needs_review: true } }),
    ],
    ['bulk tags 10,000 x 20, add', one('POST', '/files/bulk/tags', bulk('add'))],
    ['bulk tags 10,000 x 20, remove', one('POST', '/files/bulk/tags', bulk('remove'))],
    ['common-tags of 10,000', one('POST', '/files/bulk/common-tags', { body: { file_ids } })],
    ['similar, distance 64', one('GET', `/files/${files[0]}/similar?distance=64&limit=200`)],
    ['320 wrong passwords, 320 networks', (ask) => guess(ask)],
    ['rule over 100,000 files', one('POST', `/tags/${when}/rules`, { body: rule })],
    ['delete a tag of 100,000 files', one('DELETE', `/tags/${dead}`)],
    ['delete a user of 100,000 files', one('DELETE', `/users/${ben}`)],
  ]
}

/** Returns what may be asked of a library of tags with long notes. */
export function wideAttacks(): Attack[] {
  const people = ['root', 'ann', 'ben', 'dan']
  return [
    ['files with 38 MB of tags, 1 person', (ask) => all(['root'], (as) => files(ask, as))],
    ['files with 38 MB of tags, 4 people', (ask) => all(people, (as) => files(ask, as))],
  ]
}

const all = <Item>(items: Item[], send: (item: Item) => Promise<Came>) =>
  Promise.all(items.map(send))
const times = (count: number, send: () => Promise<Came>) =>
  Promise.all(Array.from({ length: count }, send))
const files = (ask: Ask, as: string) => ask('GET', '/files', { as })
const login = (ask: Ask, name: string) =>
  ask('POST', '/auth/login', { body: { name, password: 'x' } })

/** Guesses one name's password from as many networks, all at once. */
function guess(ask: Ask): Promise<Came[]> {
  const networks = Array.from({ length: NETWORKS }, (_, n) => `${20 + (n >> 8)}.${n % 256}.7.9`)
  return all(networks, (network) =>
    ask('POST', '/auth/login', {
      headers: { 'X-Forwarded-For': network },
      body: { name: 'dan', password: `not ${network}` },
    }),
  )
}
