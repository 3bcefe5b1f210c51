import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checked } from '../../support/contract/checked.ts'
import { ownContract } from '../../support/contract/own-document.ts'
import { parseAnswer } from '../../support/contract/raw-answer.ts'
import { checkExchange, unwatchAnswers, watchAnswers } from '../../support/contract/watch.ts'

const ID = 'X-Request-Id: 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f'
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const answer = (head: string[], body: string) => Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
const VERSION = 'Tagstead-Version: 3.0.0'
const json = ['HTTP/1.1 200 OK', ID, VERSION, 'Content-Type: application/json']

describe('an answer from a connection', () => {
  it('has the bytes of its body, in chunks or of a length, after interim answers', () => {
    const whole = answer(['HTTP/1.1 100 Continue'], '').toString('latin1')
    const chunked = answer(
      [...json, 'Transfer-Encoding: chunked'],
      '5;x=y\r\nab\r\nc\r\n1\r\nd\r\n0\r\n\r\n',
    )
    for (const bytes of [chunked, answer([...json, 'content-length: 6'], 'ab\r\ncd')]) {
      const { status, headers, body } = parseAnswer(Buffer.concat([Buffer.from(whole), bytes]))
      assert.deepEqual(
        [status, headers.get('content-type'), body!.toString()],
        [200, 'application/json', 'ab\r\ncd'],
      )
    }
  })

  it('is refused when it is not whole', () => {
    const cut: [Buffer, RegExp][] = [
      [Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n'), /no head/],
      [answer(['HTTP/1.1 OK'], ''), /no status line/],
      [answer([...json, 'Content-Length: 3'], 'ab'), /not whole/],
      [answer([...json, 'Transfer-Encoding: chunked'], '3\r\nab'), /not whole/],
      [answer([...json, 'Transfer-Encoding: chunked'], '2\r\nab\r\n'), /chunk is missing/],
    ]
    for (const [bytes, message] of cut) assert.throws(() => parseAnswer(bytes), { message })
  })

  it('is held against the document of a server that is watched', async () => {
    const url = 'http://127.0.0.1:9'
    assert.throws(
      () => checkExchange(url, HEALTH, answer(json, '{"status":"ok"}')),
      /nobody watches/,
    )
    await watchAnswers(url, { contract: await ownContract() })
    checkExchange(url, HEALTH, answer(json, '{"status":"ok"}'))
    checkExchange(url, HEALTH, answer(json, '{"sta'), { headOnly: true })
    for (const bytes of [answer(json, '{"state":"ok"}'), answer(json.slice(0, 1), '{}')]) {
      assert.throws(() => checkExchange(url, HEALTH, bytes), { name: 'AssertionError' })
    }
    assert.throws(() => checkExchange(url, 'GET /', answer(json, '')), /no request/)
    unwatchAnswers(url)
  })
})

describe('a stream', () => {
  const headers = {
    'Content-Type': 'application/x-ndjson',
    'X-Request-Id': ID.slice(-36),
    'Tagstead-Version': '3.0.0',
  }
  const read = async (body: string) => {
    const asked = { method: 'POST', path: '/api/v1/files/import' }
    return (await checked(await ownContract(), asked, new Response(body, { headers }))).text()
  }

  it('is judged line by line', async () => {
    const line = '{"type":"start","total":0}\n'
    assert.equal(await read(line + line), line + line)
    await assert.rejects(read(`${line}{"type":"begin"}\n`), /equal to one of the allowed values/)
    await assert.rejects(read(`${line}{"type":"done"}`), /the last line is not whole/)
  })
})
