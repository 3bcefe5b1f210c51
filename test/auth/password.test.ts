import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hash } from '@node-rs/argon2'
import { createPasswords } from '../../src/auth/password.ts'
import { AppError } from '../../src/base/errors.ts'

const cheap = () => createPasswords({ memoryCost: 64, timeCost: 1 })

describe('passwords', () => {
  it('are kept as argon2id of 64 MiB and 3 passes', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('secret')
    assert.match(hash, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.equal(await passwords.verify(hash, 'secret'), true)
    assert.equal(await passwords.verify(hash, 'Secret'), false)
  })

  it('cost about the same when nobody has the name', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('secret')
    // Processor time, by turns: the clock of a busy machine tells of others.
    const least = { unknown: Infinity, known: Infinity }
    for (let i = 0; i < 6; i++) {
      for (const [name, stored] of [
        ['unknown', null],
        ['known', hash],
      ] as const) {
        const start = process.cpuUsage()
        assert.equal(await passwords.verify(stored, 'wrong'), false)
        const { user, system } = process.cpuUsage(start)
        least[name] = Math.min(least[name], user + system)
      }
    }
    const ratio = least.unknown / least.known
    assert.ok(ratio > 0.4 && ratio < 2.5, `unknown name against known: ${ratio.toFixed(2)}`)
  })

  it('are salted, and compared as NFC', async () => {
    const passwords = cheap()
    const composed = await passwords.hash('Caf\u00e9')
    assert.notEqual(composed, await passwords.hash('Caf\u00e9'))
    assert.equal(await passwords.verify(composed, 'Cafe\u0301'), true)
  })

  it('never are one that nobody can have, whatever it is cut or composed to', async () => {
    const passwords = cheap()
    const longest = 'é'.repeat(512)
    assert.equal(await passwords.verify(await passwords.hash(longest), longest), true)
    const marks = `a${'\u0301'.repeat(31)}`
    for (const password of [`${longest}x`, marks, '\u0301'.repeat(120_000)]) {
      // The hash of another version of Tagstead, which took it.
      const stored = await hash(password.slice(0, 600), { memoryCost: 64, timeCost: 1 })
      for (const given of [stored, await passwords.hash(''), null]) {
        assert.equal(await passwords.verify(given, password), false)
      }
    }
  })

  it('never fit a malformed hash', async () => {
    for (const hash of ['', 'x', '$argon2id$v=19$m=64,t=1,p=1$$', '$2b$10$abc']) {
      assert.equal(await cheap().verify(hash, ''), false, hash)
    }
  })

  it('wait in a queue of 20, and no more', async () => {
    const passwords = cheap()
    const hash = await passwords.hash('secret')
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, () => passwords.verify(hash, 'secret')),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 3)
    for (const { reason } of refused) {
      assert.ok(reason instanceof AppError)
      assert.deepEqual([reason.code, reason.headers], ['rate_limited', { 'Retry-After': '1' }])
    }
    assert.equal(await passwords.verify(hash, 'secret'), true, 'the queue is empty again')
  })
})
