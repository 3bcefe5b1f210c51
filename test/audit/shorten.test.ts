import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DETAILS_LIMIT, shortened } from '../../src/audit/shorten.ts'
import { openLibrary, picture } from '../support/harness.ts'
import { fc } from '../support/property.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('details of an entry', () => {
  it('are shown whole up to 8 KiB, and as a part beyond', () => {
    const room = DETAILS_LIMIT - bytesOf({ text: '' })
    const whole = { text: 'x'.repeat(room) }
    assert.equal(shortened(whole), whole)
    const longer = shortened({ text: 'x'.repeat(room + 1), count: 5 })
    assert.deepEqual(Object.keys(longer), ['text', 'count', 'shortened'])
    assert.deepEqual([longer.count, longer.shortened], [5, true])
    assert.match(longer.text as string, /^x{8000,}…$/)
  })

  it('never have more than 8 KiB, whatever they hold', () => {
    const long = fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.repeat(500))
    const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string(), long)
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 10 }),
        fc.dictionary(fc.oneof(fc.string(), long), tie('value'), { maxKeys: 10 }),
      ),
    }))
    const details = fc.dictionary(fc.string({ minLength: 1 }), value)
    fc.assert(
      fc.property(details, (given) => {
        const shown = shortened(given as Record<string, unknown>)
        assert.ok(bytesOf(shown) <= DETAILS_LIMIT)
        if (bytesOf(given) > DETAILS_LIMIT) assert.equal(shown.shortened, true)
        assert.ok(JSON.stringify(shown).isWellFormed())
      }),
      { numRuns: 50 },
    )
  })

  it('are shortened in the log and in the history of a file', async () => {
    const library = await openLibrary()
    try {
      const { token } = await library.join('root', { is_admin: true })
      const file = (await library.upload(token, await picture())).body
      for (const letter of ['a', 'b', 'c']) {
        const body = { notes: letter.repeat(60_000), is_public: letter === 'b' }
        await library.call('PATCH', `/files/${file.id}`, { token, body })
      }
      const log = await library.call('GET', '/audit?action=file_edit', { token })
      const history = await library.call('GET', `/files/${file.id}/history`, { token })
      assert.ok(Buffer.byteLength(log.text) < 26_000 && Buffer.byteLength(history.text) < 26_000)
      for (const items of [log.body.items, history.body.items.slice(0, 3)]) {
        assert.equal(items.length, 3)
        const { changes } = items[0].details
        assert.deepEqual(changes.is_public, { from: true, to: false })
        assert.match(changes.notes.from, /^b{200}…$/)
        assert.match(changes.notes.to, /^c{200}…$/)
      }
    } finally {
      await library.close()
    }
  })

  it('that are long let a page of history end early, and the pages are the whole history', async () => {
    const library = await openLibrary()
    try {
      const { token } = await library.join('root', { is_admin: true })
      const file = (await library.upload(token, await picture())).body
      for (let n = 0; n < 20; n++) {
        const body = { notes: String.fromCharCode(97 + n).repeat(40_000) }
        await library.call('PATCH', `/files/${file.id}`, { token, body })
        // As earlier versions wrote it.
        library.deps.db.run(
          `UPDATE audit_log SET details = json_object('changes', json_object('notes', json_object('to', ?)))
           WHERE id = (SELECT max(id) FROM audit_log)`,
          body.notes,
        )
      }
      const path = `/files/${file.id}/history`
      const first = (await library.call('GET', path, { token })).body
      assert.equal(first.items.length, 16)
      const second = (await library.call('GET', `${path}?cursor=${first.next_cursor}`, { token }))
        .body
      assert.equal(second.next_cursor, null)
      const said = [...first.items, ...second.items].map(
        (item) => item.details.changes?.notes.to[0],
      )
      assert.deepEqual(said, [...'tsrqponmlkjihgfedcba', undefined])
    } finally {
      await library.close()
    }
  })
})
