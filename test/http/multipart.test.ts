import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../src/base/errors.ts'
import { readUpload } from '../../src/http/multipart.ts'
import { openStorage } from '../../src/media/storage.ts'
import { parseAnswer } from '../support/contract/raw-answer.ts'
import { checkExchange } from '../support/contract/watch.ts'
import { eventually } from '../support/eventually.ts'
import { without } from '../support/media/media.ts'
import { log, raw, type SmallServer, startSmallServer } from '../support/small-server.ts'
import { after, before, describe, it } from '../support/test.ts'

const MAX = 100_000
/** Where the API takes them. */
const FORMS = '/api/v1/files'
let server: SmallServer
/** How many uploads ended, and how. */
const ended: string[] = []

before(async () => {
  server = await startSmallServer(
    async (app, folder) => {
      const storage = await openStorage(folder)
      app.post(FORMS, async (c) => {
        const window = Number(c.req.query('window') ?? 30_000)
        try {
          const { file, fields } = await readUpload(c, {
            storage,
            fields: ['notes', 'a', '__proto__'],
            maxUploadSize: MAX,
            log,
            pace: { window, bytes: 1000 },
          })
          const sha256 = Buffer.from(file.sha256).toString('hex')
          await file.temporary.discard()
          return c.json({ size: file.size, sha256, filename: file.filename, fields })
        } catch (error) {
          ended.push(error instanceof AppError ? error.code : String(error))
          throw error
        }
      })
      // What it answers when all is well is its own.
    },
    { errorsOnly: true },
  )
})
after(() => server.stop())

const temporaryFiles = () => readdirSync(join(server.folder, 'tmp'))

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.jpg"'
const text = (name: string) => `Content-Disposition: form-data; name="${name}"`
const part = (head: string, body: string | Buffer) =>
  Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')])
const END = Buffer.from('--b--\r\n')

async function post(
  body: Buffer,
  contentType = 'multipart/form-data; boundary=b',
): Promise<{ status: number; answer: unknown; connection: string | null }> {
  const response = await fetch(`${server.url}${FORMS}`, {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body,
  })
  const connection = response.headers.get('connection')
  return { status: response.status, answer: await response.json(), connection }
}

async function refused(body: Buffer, field: string, contentType?: string): Promise<void> {
  const { status, answer } = await post(body, contentType)
  const { code, details } = answer as { code: string; details: { field: string }[] }
  assert.deepEqual([status, code, details.map((d) => d.field)], [400, 'validation_error', [field]])
  assert.deepEqual(temporaryFiles(), [])
}

async function tooLarge(body: Buffer): Promise<void> {
  const { status, answer } = await post(body)
  assert.equal(status, 413)
  assert.equal((answer as { code: string }).code, 'payload_too_large')
  assert.deepEqual(temporaryFiles(), [])
}

describe('a whole form', () => {
  it('gives the file, its digest and the fields', async () => {
    const bytes = Buffer.from(Array.from({ length: MAX }, (_, i) => (i * 7919) % 256))
    const form = Buffer.concat([
      Buffer.from('a preamble\r\n'),
      part(text('notes'), 'zwei\r\nZeilen – 🙂'),
      part(`${FILE}\r\nContent-Type: image/jpeg`, bytes),
      part(text('__proto__'), ''),
      END,
      Buffer.from('an epilogue'),
    ])
    const { status, answer } = await post(form)
    assert.equal(status, 200)
    assert.deepEqual(answer, {
      size: MAX,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      filename: 'a.jpg',
      fields: JSON.parse('{ "notes": "zwei\\r\\nZeilen – 🙂", "__proto__": "" }'),
    })
  })

  it('gives nothing of fields that nobody asked for, once or twice, or in bytes of any kind', async () => {
    const odd = part(text('odd'), Buffer.from([0x66, 0xfc]))
    const { status, answer } = await post(
      Buffer.concat([odd, part(text('a'), '1'), part(FILE, 'x'), odd, END]),
    )
    assert.equal(status, 200)
    assert.deepEqual((answer as { fields: object }).fields, { a: '1' })
  })

  it('may come byte by byte', async () => {
    const form = Buffer.concat([part(text('notes'), 'n'), part(FILE, '\r\n--c\r\n--'), END])
    const head =
      `POST ${FORMS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n'
    const chunks = [...form].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]))
    const answer = await raw(
      server,
      Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]),
    )
    assert.match(answer, /"size":9,.*"fields":{"notes":"n"}/)
  })

  it('is read alike when two come at once', async () => {
    const form = Buffer.concat([part(FILE, Buffer.alloc(MAX, 'x')), END])
    const [a, b] = await Promise.all([post(form), post(form)])
    assert.equal(a.status, 200)
    assert.deepEqual(a, b)
  })
})

describe('the name of a file', () => {
  const names: [string, string | null][] = [
    ['filename="../../etc/passwd.jpg"', 'passwd.jpg'],
    ['filename="C:\\Fotos\\Ostern.jpg"', 'Ostern.jpg'],
    ['filename="a%22b.jpg"', 'a"b.jpg'],
    ['filename="a\\"b.jpg"', 'a"b.jpg'],
    ['filename="a%0D%0Ab.jpg"', 'ab.jpg'],
    ['filename="a\u0000\u001f\u007fb.jpg"', 'ab.jpg'],
    ['filename="👩‍👩‍👧 e\u0301t\u00e9.jpg"', '👩‍👩‍👧 été.jpg'],
    ['filename="صورة العائلة.jpg"', 'صورة العائلة.jpg'],
    ["filename*=UTF-8''%E6%97%A5%E6%9C%AC.png", '日本.png'],
    ['filename=""', null],
    ['filename=".."', null],
    [`filename="${'x'.repeat(300)}.jpeg"`, `${'x'.repeat(250)}.jpeg`],
  ]
  for (const [parameter, expected] of names) {
    it(`${JSON.stringify(parameter.slice(0, 60))} is kept as ${expected?.slice(0, 60)}`, async () => {
      const { answer } = await post(
        Buffer.concat([
          part(`Content-Disposition: form-data; name="file"; ${parameter}`, 'x'),
          END,
        ]),
      )
      assert.equal((answer as { filename: string | null }).filename, expected)
    })
  }
})

describe('a form that is refused with 400', () => {
  const file = part(FILE, 'x')
  const cases: [string, string, Buffer, string?][] = [
    ['without the file', 'file', Buffer.concat([part(text('notes'), 'n'), END])],
    ['with no part at all', 'file', END],
    ['with two files', 'file', Buffer.concat([file, file, END])],
    ['with an empty file', 'file', Buffer.concat([part(FILE, ''), END])],
    ['with the file as a text field', 'file', Buffer.concat([part(text('file'), 'x'), END])],
    [
      'with a file of another name',
      'other',
      Buffer.concat([file, part(FILE.replace('"file"', '"other"'), 'x'), END]),
    ],
    [
      'with a field twice',
      'a',
      Buffer.concat([file, part(text('a'), '1'), part(text('a'), '1'), END]),
    ],
    [
      'with a field that is no UTF-8',
      'notes',
      Buffer.concat([file, part(text('notes'), Buffer.from([0x66, 0xfc])), END]),
    ],
    ['without its last boundary', 'body', file],
    ['cut in the file', 'body', part(FILE, 'x'.repeat(500)).subarray(0, 300)],
    ['cut in the head of a part', 'body', Buffer.concat([file, Buffer.from('--b\r\nContent-Dis')])],
    ['with another boundary', 'body', file, 'multipart/form-data; boundary=c'],
    ['without a boundary', 'body', file, 'multipart/form-data'],
    ['with an empty boundary', 'body', file, 'multipart/form-data; x=y'],
    ['of another type', 'body', Buffer.from('{}'), 'application/json'],
    ['that is empty', 'body', Buffer.alloc(0)],
  ]
  for (const [name, field, body, contentType] of cases) {
    it(`is one ${name}`, () => refused(body, field, contentType))
  }

  it('is one without a content type', async () => {
    const answer = await raw(
      server,
      `POST ${FORMS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi`,
    )
    assert.match(answer, /^HTTP\/1\.1 400 .*"validation_error"/s)
  })
})

describe('a form that is refused with 413', () => {
  it('has a file of one byte too many', async () => {
    await tooLarge(Buffer.concat([part(FILE, Buffer.alloc(MAX + 1)), END]))
  })

  it('has fields of more than 1 MiB', async () => {
    const half = Buffer.alloc(2 ** 19, 'x')
    const form = [part(FILE, 'x'), part(text('a'), half), part(text('b'), half)]
    assert.equal((await post(Buffer.concat([...form, END]))).status, 200)
    await tooLarge(Buffer.concat([...form, part(text('c'), 'x'), END]))
  })

  it('has more than 20 fields', async () => {
    const fields = Array.from({ length: 20 }, (_, i) => part(text(`f${i}`), 'x'))
    const form = [...fields, part(FILE, 'x'), END]
    assert.equal((await post(Buffer.concat(form))).status, 200)
    await tooLarge(Buffer.concat([part(text('one more'), 'x'), ...form]))
  })

  const head = (length: string) =>
    `POST ${FORMS} HTTP/1.1\r\nHost: x\r\n${length}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n`
  /** Sends a block whenever there is time, for as long as the connection stands. */
  const forever = (block: Buffer) => (send: (bytes: Uint8Array) => void) => {
    const timer = setInterval(() => send(block), 1)
    timer.unref()
  }

  it('is answered before it has come, and the connection closed, when its length tells', async () => {
    const answer = await raw(
      server,
      head(`Content-Length: ${2 ** 30}`),
      forever(Buffer.alloc(65_536)),
    )
    assert.match(answer, /^HTTP\/1\.1 413 .*connection: close.*{"code":"payload_too_large"/is)
    assert.deepEqual(temporaryFiles(), [])
  })

  it('is answered while it comes, and the connection closed, when its length is unknown', async () => {
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    const answer = await raw(
      server,
      Buffer.concat([
        Buffer.from(head('Transfer-Encoding: chunked')),
        chunk(Buffer.from(`--b\r\n${FILE}\r\n\r\n`)),
      ]),
      forever(chunk(Buffer.alloc(65_536))),
    )
    assert.match(answer, /^HTTP\/1\.1 413 .*connection: close.*{"code":"payload_too_large"/is)
    assert.deepEqual(temporaryFiles(), [])
  })

  it('is shown by curl', { skip: without('curl', '--version') }, async () => {
    const path = join(server.folder, 'large.jpg')
    await writeFile(path, Buffer.alloc(20 * 2 ** 20))
    const { stdout } = await promisify(execFile)('curl', [
      ...['-s', '-i', '--raw', '-F', `file=@${path}`],
      `${server.url}${FORMS}`,
    ])
    const answer = Buffer.from(stdout)
    checkExchange(server.url, `POST ${FORMS} HTTP/1.1\r\n`, answer)
    const { status, body } = parseAnswer(answer)
    assert.equal(status, 413)
    assert.equal(
      body!.toString(),
      '{"code":"payload_too_large","message":"A file may have at most 100000 bytes"}',
    )
  })
})

describe('a client that does not go on', () => {
  const start = (query = '') =>
    Buffer.concat([
      Buffer.from(
        `POST ${FORMS}${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\n\r\n',
      ),
      part(FILE, Buffer.alloc(30_000)),
    ])

  it('and hangs up leaves nothing behind', async () => {
    const before = ended.length
    const socket = connect(server.port, '127.0.0.1')
    socket.write(start())
    await once(socket, 'connect')
    await eventually(() => temporaryFiles().length === 1)
    socket.destroy()
    await eventually(() => ended.length > before)
    assert.equal(ended.at(-1), 'validation_error')
    assert.deepEqual(temporaryFiles(), [])
  })

  it('and stays silent is answered with 408, cut off and leaves nothing behind', async () => {
    const answer = await raw(server, start('?window=200'))
    assert.match(answer, /^HTTP\/1\.1 408 .*"code":"timeout"/s)
    assert.deepEqual(temporaryFiles(), [])
  })
})
