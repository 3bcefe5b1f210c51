import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { AUDIT_ACTIONS } from '../../../src/audit/details.ts'
import { type Entry, factsOf, subjectOf } from '../../../src/gallery/audit/entries.ts'

import { LANGUAGES, language } from '../../../src/gallery/base/text.ts'
import { audit } from '../../../src/gallery/text/audit.ts'

const entry = (action: string, details: Entry['details']): Entry => ({
  id: 1,
  action,
  operation: 1,
  details,
  user_id: 1,
  user_name: 'Anna',
  performed_at: '2026-11-23T05:00:00.000Z',
})
const TAGS: Record<string, string> = { t1: 'holiday', t2: 'Arezzo' }
const facts = (action: string, details: Entry['details']) =>
  factsOf(entry(action, details), (id) => TAGS[id])

afterEach(() => {
  language.value = 'en'
})

describe('what an entry tells', () => {
  it('is of something with a name, the new one when it was renamed', () => {
    assert.equal(subjectOf(entry('user_block', { name: 'Jonas' })), 'Jonas')
    assert.equal(subjectOf(entry('file_delete', { original_name: 'lake.jpg' })), 'lake.jpg')
    assert.equal(subjectOf(entry('file_delete', { original_name: null })), undefined)
    const changes = { original_name: { from: 'a.jpg', to: 'b.jpg' } }
    assert.equal(subjectOf(entry('file_edit', { changes })), 'b.jpg')
    const replaced = { from: { original_name: 'a.jpg' }, to: { original_name: 'c.jpg' } }
    assert.equal(subjectOf(entry('file_replace', replaced)), 'c.jpg')
    assert.equal(subjectOf(entry('user_login', null)), undefined)
  })

  it('is what was before and after, in words', () => {
    const changes = {
      notes: { from: null, to: 'At the lake' },
      is_public: { from: false, to: true },
      category_id: { from: null, to: '018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f' },
    }
    assert.deepEqual(facts('file_edit', { changes }), [
      'note: none → At the lake',
      'seen by everybody: no → yes',
      'category',
    ])
    assert.deepEqual(
      facts('user_role_change', { name: 'Jonas', is_admin: { from: false, to: true } }),
      ['admin: no → yes'],
    )
    assert.deepEqual(facts('file_edit', { fields: ['notes', 'is_public'] }), [
      'note, seen by everybody',
    ])
  })

  it('names tags that may be seen and that the sentence lacks, and how many', () => {
    const details = { tag_ids: ['t1', 'hidden', 't2'], by_rule: [] }
    assert.deepEqual(facts('file_tag_replace', details), ['holiday, Arezzo'])
    assert.deepEqual(facts('file_tag_add', details), [])
    assert.deepEqual(
      facts('tag_rule_create', { then_tag_id: 't1', then_tag_name: 'holiday', files_changed: 12 }),
      ['12 photos'],
    )
    assert.deepEqual(facts('user_block', { user_id: 2, name: 'Jonas', sessions_ended: 0 }), [])
    assert.deepEqual(facts('user_block', { user_id: 2, name: 'Jonas', sessions_ended: 1 }), [
      'signed out on 1 device',
    ])
  })

  it('names who may see or edit from then on', () => {
    const to = [
      { user_id: 2, user_name: 'Jonas', can_view: true, can_edit: false },
      { user_id: 3, user_name: 'Mia', can_view: true, can_edit: true },
    ]
    assert.deepEqual(facts('acl_change', { from: [], to }), ['Jonas may see, Mia may edit'])
    assert.deepEqual(facts('acl_change', { from: to, to: [] }), ['nobody else by name'])
  })

  it('has a word for each action of the server, in both languages', () => {
    for (const one of LANGUAGES) {
      language.value = one
      const { actions } = audit()
      assert.deepEqual(
        AUDIT_ACTIONS.filter((action) => !actions[action]),
        [],
      )
    }
  })
})
