import assert from 'node:assert/strict'

/** An answer as it came over a connection. */
export interface RawAnswer {
  status: number
  headers: Headers
  /** Without the framing of its chunks; null when only the head was looked at. */
  body: Buffer | null
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * Returns the first answer in the bytes of a connection, apart from interim ones. Throws an
 * AssertionError when it is not whole, or isn't an answer of HTTP/1.1.
 */
export function parseAnswer(bytes: Uint8Array, options: { headOnly?: boolean } = {}): RawAnswer {
  const buffer = Buffer.from(bytes)
  const end = buffer.indexOf(END_OF_HEAD)
  assert.ok(end >= 0, `no head of an answer: ${buffer.subarray(0, 200).toString('latin1')}`)
  const [line, ...fields] = buffer.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(line!)?.[1])
  assert.ok(status, `no status line: ${line}`)
  const rest = buffer.subarray(end + END_OF_HEAD.length)
  if (status < 200) return parseAnswer(rest, options)
  const headers = new Headers(
    fields.map((field) => {
      const [, name, value] = /^([^:\s]+):\s*(.*?)\s*$/.exec(field) ?? []
      assert.ok(name, `no header: ${field}`)
      return [name, value!] as [string, string]
    }),
  )
  return { status, headers, body: options.headOnly ? null : bodyOf(headers, rest) }
}

function bodyOf(headers: Headers, rest: Buffer): Buffer {
  if (headers.get('Transfer-Encoding') === 'chunked') return withoutChunks(rest)
  const length = Number(headers.get('Content-Length') ?? rest.length)
  assert.ok(rest.length >= length, 'the body is not whole')
  return rest.subarray(0, length)
}

function withoutChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let position = 0; ; ) {
    const end = bytes.indexOf('\r\n', position)
    const size = Number.parseInt(bytes.subarray(position, end).toString('latin1'), 16)
    assert.ok(end > position && size >= 0, 'the last chunk is missing')
    position = end + 2
    if (size === 0) return Buffer.concat(chunks)
    const chunk = bytes.subarray(position, position + size)
    assert.equal(chunk.length, size, 'a chunk is not whole')
    chunks.push(chunk)
    position += size + 2
  }
}
