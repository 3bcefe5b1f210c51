import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import type { Contract } from './contract.ts'

/** What was asked for. */
export interface Asked {
  method: string
  /** With its prefix; a query is ignored. */
  path: string
}

/** Types of binary answers, which are judged by their heads. */
const BINARY = /^(image|video)\/|^application\/(octet-stream|zip)/
const STREAM = 'application/x-ndjson'

/**
 * Returns the response when the document allows it, and throws an AssertionError otherwise. A
 * stream is judged line by line, as it is read.
 */
export async function checked(
  contract: Contract,
  { method, path }: Asked,
  response: Response,
): Promise<Response> {
  const { status, headers } = response
  const type = headers.get('Content-Type') ?? ''
  const check = (text: string | null) => contract.check({ method, path, status, headers, text })
  if (method !== 'HEAD' && type.startsWith(STREAM)) {
    check(null)
    assert.ok(response.body)
    return new Response(checkedLines(response.body, check), response)
  }
  const isBinary = method !== 'HEAD' && BINARY.test(type)
  check(isBinary ? null : await textOf(response.clone() as Response))
  return response
}

/** Bun can be told to give a compressed body as it came. */
async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isPacked ? gunzipSync(bytes) : bytes).toString('utf8')
}

function checkedLines(
  body: ReadableStream<Uint8Array>,
  check: (line: string) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) {
          assert.equal(rest, '', 'the last line is not whole')
          return controller.close()
        }
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
        rest = lines.pop()!
        for (const line of lines) check(`${line}\n`)
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of the test.
    { highWaterMark: 0 },
  )
}
