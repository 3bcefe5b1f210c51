import assert from 'node:assert/strict'
import type { Library } from './harness.ts'
import { picture } from './harness.ts'
import { box } from './media/iso-film.ts'

// What is a film by its first bytes.
const FILM = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\u0002\0isommp41')), box('moov')])
const PEOPLE = ['ada', 'kim', 'Ève', 'max'] as const
const ODD_NAMES = [
  'IMG_0001.jpg',
  'img_0001.JPG',
  'a/b: <c> & "d".jpg',
  'Müller – été.jpg',
  'con.jpg',
  '...jpg',
  '家族.jpg',
  `${'long '.repeat(40)}.jpg`,
]
// Fields of the same number in several places must not be mistaken for each other.
const TAGS = [
  {
    name: 'Rome',
    color: 'ff0000',
    notes: 'the\nforum',
    metadata: { xmp_path: ['Places', 'Rome'] },
  },
  { name: 'rome', is_public: true },
  { name: 'Italy', is_public: true, metadata: { deep: { list: [1, null, 'ä'], '': 0 } } },
  { name: 'a/b|c <&> "x"', is_public: true },
  { name: '007' },
  { name: '★★★', is_public: true },
  { name: '★★★★★' },
  { name: 'Oma', notes: 'grandma' },
  { name: 'Red', color: 'ff0000' },
  { name: '👩‍👩‍👧 family', is_public: true },
]
const CATEGORIES = [
  { name: 'Rating', is_public: true, color: 'ffcc00' },
  { name: 'People', notes: 'who', metadata: { kind: 'people' } },
  { name: 'Label', is_public: true },
  { name: 'Places & <days>' },
]
const DATES = [
  { content_datetime: '2019-07-04T10:11:12.345Z', date_precision: null },
  { content_datetime: '2019-07-04T23:30:00+05:45', date_precision: null },
  { content_datetime: '1987-01-01T00:00:00-03:30', date_precision: 'year' },
  { content_datetime: '1999-12-31T12:00:00+14:00', date_precision: 'month' },
  { content_datetime: '0004-02-29T12:00:00Z', date_precision: 'day' },
]

/**
 * Fills a library whose admin is `ada` with files of several people, and with all that people can make of them; returns
 * the token of the admin.
 */
export async function makeEverything(library: Library, count: number): Promise<string> {
  const tokens = await Promise.all(
    PEOPLE.map(async (name, n) => {
      const rights = { is_admin: n === 0, can_create: true }
      return (await library.join(name, rights)).token
    }),
  )
  const [admin] = tokens as [string, string, string, string]
  const of = (n: number) => tokens[n % tokens.length]!
  async function call(token: string, method: string, path: string, body?: unknown) {
    const answer = await library.call(method, path, { token, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const ids = async (path: string): Promise<{ id: string; name: string }[]> =>
    (await call(admin, 'GET', path)).items
  const people = (await ids('/users')) as unknown as { id: number; name: string }[]
  const person = (n: number) => people[n % people.length]!
  const allow = (type: string, id: string, ...who: [n: number, can_edit: boolean][]) =>
    call(admin, 'PUT', `/acl/${type}/${id}`, {
      permissions: who.map(([n, can_edit]) => ({
        user_id: person(n).id,
        can_view: true,
        can_edit,
      })),
    })

  const categories: string[] = []
  for (const [n, fields] of CATEGORIES.entries()) {
    categories.push((await call(of(n), 'POST', '/categories', fields)).id)
  }
  await allow('category', categories[1]!, [2, false], [3, true])
  const tags: string[] = []
  for (const [n, fields] of TAGS.entries()) {
    const tag = await call(of(n), 'POST', '/tags', fields)
    tags.push(tag.id)
    const category_id = categories[n % (categories.length + 1)]
    if (category_id) await call(admin, 'PATCH', `/tags/${tag.id}`, { category_id })
  }
  await allow('tag', tags[0]!, [1, true], [2, false])
  await allow('tag', tags[7]!, [3, false])
  const rules = [
    [0, 2, true],
    [2, 3, true],
    [4, 5, false],
  ] as const
  for (const [when, then, is_active] of rules) {
    const body = { then_tag_id: tags[then], is_active, apply_to_existing: false }
    await call(admin, 'POST', `/tags/${tags[when]}/rules`, body)
  }

  const files: string[] = []
  const ofKim: string[] = []
  const upload = async (n: number, bytes: Uint8Array, name: string) => {
    const answer = await library.upload(of(n), bytes, name)
    assert.equal(answer.status, 201, answer.text)
    files.push(answer.body.id)
    if (n % tokens.length === 1) ofKim.push(answer.body.id)
    return answer.body.id as string
  }
  for (let n = 0; n < count; n++) {
    // Some are equal to the byte.
    const bytes =
      n % 17 === 0 ? await picture(0) : Buffer.concat([await picture(n), Buffer.from(`${n}`)])
    const id = await upload(n, bytes, ODD_NAMES[n % ODD_NAMES.length]!)
    await change(n, id)
  }

  async function change(n: number, id: string) {
    const path = `/files/${id}`
    if (n % 3 !== 2) {
      await call(admin, 'PATCH', path, {
        ...(n % 4 !== 3 && DATES[n % DATES.length]),
        ...(n % 5 === 1 && { notes: `note ${n}\n<&>"'` }),
        ...(n % 6 === 1 && { metadata: { b: n, a: [{ x: null }], 'ü"': '\u2028' } }),
        ...(n % 4 === 1 && { is_public: true }),
        ...(n % 8 === 3 && { rotation: ((n % 3) + 1) * 90 }),
        ...(n % 29 === 5 && { original_name: null }),
      })
    }
    if (n % 7 !== 6) {
      await call(admin, 'PUT', `${path}/tags`, {
        tag_ids: tags.filter((_, t) => (n * 7 + t * 3) % 5 === 0),
      })
    }
    if (n % 9 === 4) await allow('file', id, [n + 1, n % 2 === 0], [n + 2, true])
    for (const [p, token] of tokens.entries()) {
      if ((n + p) % 11 !== 0) continue
      await library.call('PUT', `${path}/favourite`, { token })
    }
  }

  const seen = files.filter((_, n) => n % 3 === 0)
  await call(admin, 'POST', '/files/bulk/review', {
    file_ids: seen.slice(0, 200),
    needs_review: false,
  })
  for (const [n, picture] of files.slice(0, 8).entries()) {
    const film = await upload(
      n,
      Buffer.concat([FILM, box('free', Buffer.from(`${n}`))]),
      'img_0001.MOV',
    )
    await call(admin, 'PATCH', `/files/${film}`, { companion_of: picture })
  }

  const pools: string[] = []
  const pool = async (n: number, fields: object) => {
    const { id } = await call(of(n), 'POST', '/pools', fields)
    pools.push(id)
    return id as string
  }
  const add = async (token: string, id: string, file_ids: string[], position?: number) => {
    for (let at = 0; at < file_ids.length; at += 200) {
      await call(token, 'POST', `/pools/${id}/files`, {
        file_ids: file_ids.slice(at, at + 200),
        ...(position !== undefined && { position }),
      })
    }
  }
  const holidays = await pool(1, {
    name: 'Holidays',
    notes: 'all',
    metadata: { a: 1 },
    shares_files: true,
  })
  await allow('pool', holidays, [2, false], [3, true])
  // Kim shares only what is Kim's.
  await add(of(1), holidays, ofKim)
  await add(admin, holidays, files.slice(0, 10).toReversed(), 0)
  const all = await pool(0, { name: 'Holidays', is_public: true })
  await add(admin, all, files.toReversed())
  await call(admin, 'PATCH', `/pools/${all}`, { sort_key: 'original_name', sort_order: 'desc' })
  const later = await pool(2, { name: 'Later' })
  await pool(0, {
    name: 'Smart',
    filter: `{(,t=${tags[0]},|,!,c=${categories[0]},),&,u=${person(1).id},&,r=1}`,
  })
  const smart = await pool(0, { name: 'Smart', filter: `{t=${tags[2]},|,m~image%}` })
  await pool(3, { name: 'Empty' })
  const last = await pool(0, { name: 'Last' })
  await add(admin, last, files.slice(2, 5))
  await call(admin, 'PATCH', `/pools/${smart}`, { filter: `{p=${last},|,p=${later},|,f=1}` })

  const dismiss = (one: number, other: number) =>
    call(admin, 'POST', '/files/duplicates/dismiss', {
      file_id_a: files[one],
      file_id_b: files[other],
    })
  await dismiss(17, 0)
  await dismiss(2, 3)
  await dismiss(1, 3)
  const [gone] = files.slice(-1)
  await call(admin, 'DELETE', `/files/${gone}`)
  return admin
}
