import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import {
  addPicture,
  ask,
  type Guest,
  guestForm,
  makeLink,
  makePool,
  openWith,
  shownBy,
} from '../support/guests.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const HOUR = 3_600_000
const PARTS = ['thumbnail', 'thumbnail?size=640', 'preview', 'film', 'content']

let library: Library
let ann: { id: number; token: string }
let admin: { id: number; token: string }
let files: string[]
let pool: string
before(async () => {
  library = await openLibrary({
    ACCESS_TOKEN_TTL: '20d',
    MAX_UPLOAD_SIZE: '64KiB',
    USER_QUOTA: '80KiB',
  })
  ann = await library.join('Ann', { can_create: true })
  admin = await library.join('Admin', { is_admin: true })
  files = [
    await addPicture(library, ann.token, { seed: 1 }),
    await addPicture(library, ann.token, { seed: 2 }),
  ]
  pool = await makePool(library, ann.token, files)
})
after(() => library.close())

const ALL = { downloads: 'as_they_are', may_upload: true }
const made = (body: object, token = ann.token) => makeLink(library, token, { ...ALL, ...body })
const patch = (path: string, body: object, token = admin.token) =>
  library.call('PATCH', path, { token, body })

/** Asks for everything that a link has, of a file with this id; returns the answers. */
async function askAll(link: string, id: string): Promise<Guest[]> {
  const paths = ['list', 'archive', ...PARTS.map((part) => `f/${id}/${part}`)]
  const answers = []
  for (const path of paths) answers.push(await ask(library, `${link}/${path}`))
  for (const path of paths.slice(2)) {
    const headers = { Range: 'bytes=0-3', 'If-None-Match': '*' }
    answers.push(await ask(library, `${link}/${path}`, { headers }))
  }
  answers.push(await ask(library, `${link}/files`, { body: await guestForm() }))
  return answers
}

/** Asserts that a link answers all as one that never was. */
async function assertDead(link: string, id: string): Promise<void> {
  const unknown = `/s/${'Z'.repeat(22)}`
  const told = ({ status, bytes }: Guest) => [status, String(bytes)]
  const answers = (await askAll(link, id)).map(told)
  assert.deepEqual(answers, (await askAll(unknown, id)).map(told))
  assert.ok(answers.every(([status]) => status === 404))
  const password = (address: string) =>
    ask(library, `${address}/password`, { body: { password: 'x' } })
  assert.deepEqual(told(await password(link)), told(await password(unknown)))
  const page = async (address: string) => {
    const response = await createApp(library.deps).request(address)
    return [response.status, await response.text()]
  }
  assert.deepEqual(await page(link), await page(unknown))
}

async function alive(body: object): Promise<[link: string, id: string]> {
  const link = await made(body)
  const [id] = await shownBy(library, link)
  return [link, id!]
}

describe('a link that does not work', () => {
  it('has expired', async () => {
    const expires_at = new Date(library.time.now + HOUR).toISOString()
    const [link, id] = await alive({ file_ids: files, expires_at })
    library.time.now += HOUR
    await assertDead(link, id)
  })

  it('was ended', async () => {
    const [link, id] = await alive({ pool_id: pool })
    const { items } = (await library.call('GET', '/shares', { token: ann.token })).body
    await library.call('DELETE', `/shares/${items[0].id}`, { token: ann.token })
    await assertDead(link, id)
  })

  it('is of somebody who is blocked, until they no longer are', async () => {
    const eve = await library.join('Eve', { can_create: true })
    const file = await addPicture(library, eve.token, { seed: 9 })
    const link = await made({ file_ids: [file] }, eve.token)
    const [id] = await shownBy(library, link)
    assert.equal((await patch(`/users/${eve.id}`, { is_blocked: true })).status, 200)
    await assertDead(link, id!)
    await patch(`/users/${eve.id}`, { is_blocked: false })
    assert.deepEqual(await shownBy(library, link), [id])
    // Who may not upload any more takes no files either.
    await patch(`/users/${eve.id}`, { can_create: false })
    const refused = await ask(library, `${link}/files`, { body: await guestForm() })
    assert.equal(refused.status, 403)
  })

  it('is of a pool that its maker may no longer view, or that is gone', async () => {
    const eve = await library.join('Mallory', { can_create: true })
    const file = await addPicture(library, eve.token, { seed: 10 })
    const open = await makePool(library, ann.token, files, { is_public: true })
    await library.call('POST', `/pools/${open}/files`, {
      token: admin.token,
      body: { file_ids: [file] },
    })
    const link = await made({ pool_id: open, follows: true }, eve.token)
    const [id] = await shownBy(library, link)
    await patch(`/pools/${open}`, { is_public: false })
    await assertDead(link, id!)
    await patch(`/pools/${open}`, { is_public: true })
    assert.deepEqual(await shownBy(library, link), [id])
    await library.call('DELETE', `/pools/${open}`, { token: ann.token })
    await assertDead(link, id!)
  })
})

describe('a file that a link does not show', () => {
  const assertHidden = async (link: string, id: string) => {
    assert.ok(!(await shownBy(library, link)).includes(id))
    for (const part of PARTS) {
      assert.equal((await ask(library, `${link}/f/${id}/${part}`)).status, 404, part)
    }
  }

  it('is in the trash, has left the pool, or has another owner', async () => {
    const id = await addPicture(library, ann.token, { seed: 11 })
    const mine = await makePool(library, ann.token, [...files, id])
    const link = await made({ pool_id: mine })
    const shown = (await shownBy(library, link)).at(-1)!
    const body = { file_ids: [id] }
    await library.call('DELETE', `/files/${id}`, { token: ann.token })
    await assertHidden(link, shown)
    await library.call('POST', `/files/${id}/restore`, { token: ann.token })
    assert.ok((await shownBy(library, link)).includes(shown))
    await library.call('POST', `/pools/${mine}/files/remove`, { token: ann.token, body })
    await assertHidden(link, shown)
    await library.call('POST', `/pools/${mine}/files`, { token: ann.token, body })
    library.deps.db.run(
      'UPDATE files SET creator_id = ? WHERE id = unhex(?)',
      admin.id,
      id.replaceAll('-', ''),
    )
    await assertHidden(link, shown)
  })

  it('is named by the id of another link, of the library, or by one that is made up', async () => {
    const [link, id] = await alive({ file_ids: [files[0]] })
    const [, other] = await alive({ file_ids: files })
    const bits = Buffer.from(id, 'base64url')
    const flipped = Array.from({ length: 16 }, (_, n) => {
      const changed = Buffer.from(bits)
      changed[n] = changed[n]! ^ 1
      return changed.toString('base64url')
    })
    for (const one of [other, ...flipped, 'A'.repeat(22)]) await assertHidden(link, one)
    for (const one of [files[0]!, '1', `${id}=`, `${id}A`, id.slice(1), '..', '%2e%2e%2f', '%00']) {
      const { status } = await ask(library, `${link}/f/${one}/preview`)
      assert.ok([400, 404].includes(status), one)
    }
    // The last two bits of a base64 text mean nothing; another spelling names nothing.
    const spelt = 'AQgw'.includes(id.at(-1)!) ? String.fromCharCode(id.charCodeAt(21) + 1) : 'B'
    await assertHidden(link, id.slice(0, 21) + spelt)
  })

  it('is found by no guess of a link', async () => {
    const [link] = await alive({ file_ids: files })
    const token = link.slice(3)
    const guesses = [
      ...Array.from(
        { length: 22 },
        (_, n) => token.slice(0, n) + (token[n] === 'A' ? 'B' : 'A') + token.slice(n + 1),
      ),
      ...[
        token.toLowerCase(),
        token.toUpperCase(),
        '%'.repeat(22),
        '_'.repeat(22),
        `${token.slice(0, 21)}%25`,
      ],
    ]
    for (const guess of guesses.filter((one) => one !== token)) {
      const { status } = await ask(library, `/s/${guess}/list`)
      assert.ok([400, 404].includes(status), guess)
    }
  })
})

describe('the password of a link', () => {
  it('is needed for everything, and its cookie opens this link alone', async () => {
    const password = 'kitten'
    const [link, other] = [
      await made({ file_ids: files, password }),
      await made({ file_ids: files, password }),
    ]
    const cookie = await openWith(library, link, password)
    const [id] = await shownBy(library, link, cookie)
    assert.ok((await askAll(link, id!)).every(({ status }) => status === 401))
    assert.equal((await ask(library, `${other}/list`, { headers: cookie })).status, 401)
    const name = cookie.Cookie.split('=')[0]
    for (const value of ['', 'x', `${cookie.Cookie.split('=')[1]}x`]) {
      const headers = { Cookie: `${name}=${value}` }
      assert.equal((await ask(library, `${link}/list`, { headers })).status, 401)
    }
    const { headers } = await ask(library, `${link}/password`, { body: { password } })
    assert.match(
      headers.get('Set-Cookie')!,
      new RegExp(`^tagstead-[0-9a-f]{8}-link=[\\w-]{43}; Path=${link}; HttpOnly; SameSite=Strict$`),
    )
  })

  it('may be guessed ten times in a minute, by whomever, and the cookie goes on working', async () => {
    const link = await made({ file_ids: files, password: 'kitten' })
    const cookie = await openWith(library, link, 'kitten')
    const guess = (password: string) => ask(library, `${link}/password`, { body: { password } })
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await guess(`${n}`)).status)
    assert.deepEqual(statuses, [...Array(10).fill(401), 429])
    assert.equal((await guess('kitten')).status, 429)
    await shownBy(library, link, cookie)
    library.time.now += 61_000
    assert.equal((await guess('kitten')).status, 204)
  })

  it('is taken from the page of the link alone, and so are files', async () => {
    const link = await made({ file_ids: files, password: 'kitten' })
    const open = await made({ file_ids: files })
    const elsewhere: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'X-Tagstead': '0' },
    ]
    for (const headers of elsewhere) {
      const body = { password: 'kitten' }
      assert.equal((await ask(library, `${link}/password`, { body, headers })).status, 403)
      const form = await guestForm()
      assert.equal((await ask(library, `${open}/files`, { body: form, headers })).status, 403)
    }
    const plain = { 'Content-Type': 'text/plain', 'X-Tagstead': '1' }
    const sent = { method: 'POST', headers: plain, body: '{"password":"kitten"}' }
    assert.equal((await library.request(`${link}/password`, sent)).status, 400)
  })

  it('and the rights of users have nothing to do with each other', async () => {
    const link = await made({ file_ids: files, password: 'kitten' })
    const headers = { Authorization: `Bearer ${ann.token}` }
    assert.equal((await ask(library, `${link}/list`, { headers })).status, 401)
    const cookie = await openWith(library, link, 'kitten')
    const { status } = await library.call('GET', '/files', { headers: cookie })
    assert.equal(status, 401)
  })
})

describe('a guest', () => {
  const send = async (link: string, bytes: Uint8Array | null, name = 'Anna', fields = {}) =>
    (await ask(library, `${link}/files`, { body: await guestForm(name, bytes, fields) })).status

  it('adds nothing but pictures and films within the limits of the maker', async () => {
    const link = await made({ file_ids: files })
    const count = () => library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM files')!.n
    const before = count()
    assert.equal(await send(link, Buffer.from('<html><script>alert(1)</script>')), 415)
    assert.equal(await send(link, Buffer.from('PK\x03\x04 bomb')), 415)
    assert.equal(await send(link, Buffer.alloc(0)), 400)
    assert.equal(await send(link, Buffer.alloc(64 * 1024 + 1)), 413)
    assert.equal(await send(link, null, ''), 400)
    assert.equal(await send(link, null, 'x'.repeat(65)), 400)
    assert.equal(await send(link, null, 'a\u0000b'), 400)
    assert.equal(count(), before)
    const large = Buffer.concat([await picture(5), Buffer.alloc(50_000)])
    assert.equal(await send(link, large), 204)
    assert.equal(await send(link, large), 507)
    assert.equal(count(), before + 1)
  })

  it('sets nothing but their name, and learns nothing of what the maker has', async () => {
    const link = await made({ file_ids: files }, admin.token)
    const fields = { is_public: 'true', notes: 'mine', tag_ids: files[0], on_duplicate: 'conflict' }
    assert.equal(await send(link, await picture(1), '<img src=x onerror=alert(1)>', fields), 204)
    const { items } = (await library.call('GET', '/files?limit=1', { token: admin.token })).body
    assert.deepEqual(
      [items[0].is_public, items[0].notes, items[0].tags, items[0].creator_id],
      [false, '<img src=x onerror=alert(1)>', [], admin.id],
    )
  })

  it('adds nothing where nothing is taken', async () => {
    assert.equal(await send(await made({ file_ids: files, may_upload: false }), null), 403)
  })
})

describe('a title and names with HTML in them', () => {
  it('are JSON, and no part of the head or of a path in the ZIP', async () => {
    const name = '..\\..\\"><script>\r\nX: y.jpg'
    const file = await addPicture(library, admin.token, { seed: 30, name: 'a"><script>.jpg' })
    await patch(`/files/${file}`, { original_name: name.replace(/[\r\n]/g, '') })
    const title = '"><script>alert(1)</script>/../'
    const link = await made({ file_ids: [file], title, shows_names: true }, admin.token)
    const list = await ask(library, `${link}/list`)
    assert.equal(list.headers.get('Content-Type'), 'application/json')
    assert.equal(list.body.title, title)
    const page = await (await createApp(library.deps).request(link)).text()
    assert.ok(!page.includes('alert'))
    const zip = await ask(library, `${link}/archive`)
    assert.match(
      zip.headers.get('Content-Disposition')!,
      /^attachment; filename="[^"/\\]+"; filename\*=UTF-8''[\w.%~-]+$/,
    )
    assert.ok(zip.bytes.includes('.._.._'))
    assert.ok(!zip.bytes.includes('..\\'))
  })
})

describe('an archive that is under way', () => {
  it('ends with the link', async () => {
    const many: string[] = []
    const eve = await library.join('Trent', { can_create: true })
    for (let seed = 40; seed < 44; seed++) many.push(await addPicture(library, eve.token, { seed }))
    const link = await made({ file_ids: many }, eve.token)
    const response = await library.request(`${link}/archive`)
    await patch(`/users/${eve.id}`, { is_blocked: true })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.ok(!bytes.includes('photo-4.jpg'))
  })
})
