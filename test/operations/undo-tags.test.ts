import { describe, it } from 'node:test'
import type { Answer } from '../support/harness.ts'
import { CATEGORY, file, files, TAG, useUndoing } from '../support/undo/undoing.ts'

interface Row {
  kind: string
  act: () => Promise<Answer>
  undone: number
  actions: string[]
}

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown) => undoing.ask(method, path, body)
const inBulk = (action: 'add' | 'remove', numbers: number[], tag_ids: string[]) =>
  ask('POST', '/files/bulk/tags', { ...files(...numbers), action, tag_ids })

function takesBack(rows: Row[]): void {
  for (const { kind, act, undone, actions } of rows) {
    it(kind, () => undoing.thereAndBack(act, { undone, actions }))
  }
}

describe('tags of files are taken off and put back, by hand or not as they were', () => {
  takesBack([
    {
      kind: 'one that is put on, with those that follow',
      act: () => ask('PUT', `/files/${file(6)}/tags/${TAG.beach}`),
      undone: 1,
      actions: ['file_tag_remove'],
    },
    {
      kind: 'one that is put on without all that follow, some of which are there',
      act: () => ask('PUT', `/files/${file(3)}/tags/${TAG.beach}`),
      undone: 1,
      actions: ['file_tag_remove'],
    },
    {
      kind: 'one by hand that is taken off',
      act: () => ask('DELETE', `/files/${file(1)}/tags/${TAG.sun}`),
      undone: 1,
      actions: ['file_tag_add'],
    },
    {
      kind: 'one that only followed and is taken off',
      act: () => ask('DELETE', `/files/${file(1)}/tags/${TAG.sea}`),
      undone: 1,
      actions: ['file_tag_add'],
    },
    {
      kind: 'all of them, which are replaced',
      act: () => ask('PUT', `/files/${file(1)}/tags`, { tag_ids: [TAG.sand, TAG.beach] }),
      undone: 1,
      actions: ['file_tag_remove'],
    },
    {
      kind: 'some of them, which are replaced',
      act: () => ask('PUT', `/files/${file(2)}/tags`, { tag_ids: [TAG.beach] }),
      undone: 1,
      actions: ['file_tag_add', 'file_tag_remove'],
    },
    {
      kind: 'all of them, which are replaced by none',
      act: () => ask('PUT', `/files/${file(1)}/tags`, { tag_ids: [] }),
      undone: 1,
      actions: ['file_tag_add'],
    },
    {
      kind: 'those that are put on in bulk, where they were not',
      act: () => inBulk('add', [1, 3, 4, 6, 7, 8], [TAG.beach]),
      undone: 6,
      actions: Array(6).fill('file_tag_remove'),
    },
    {
      kind: 'those that are taken off in bulk, where they were',
      act: () => inBulk('remove', [1, 2, 3, 6, 7, 8], [TAG.sun, TAG.sea]),
      undone: 4,
      actions: Array(4).fill('file_tag_add'),
    },
  ])
})

const FIELDS = {
  name: 'all new',
  notes: 'n',
  color: 'ABCDEF',
  metadata: { z: 1, a: [{}] },
  is_public: true,
}
const EMPTY = { notes: null, color: null, metadata: null }

describe('tags and categories come and go', () => {
  takesBack([
    {
      kind: 'a new tag',
      act: () => ask('POST', '/tags', { ...FIELDS, category_id: CATEGORY.people }),
      undone: 1,
      actions: ['tag_delete'],
    },
    {
      kind: 'all fields of a tag',
      act: () => ask('PATCH', `/tags/${TAG.sun}`, { ...FIELDS, category_id: CATEGORY.people }),
      undone: 1,
      actions: ['tag_edit'],
    },
    {
      kind: 'all fields of a tag, emptied',
      act: () =>
        ask('PATCH', `/tags/${TAG.sea}`, { ...EMPTY, category_id: null, is_public: false }),
      undone: 1,
      actions: ['tag_edit'],
    },
    {
      kind: 'a deleted tag with its files, rules, rights and category',
      act: () => ask('DELETE', `/tags/${TAG.sun}`),
      undone: 1,
      actions: ['tag_create'],
    },
    {
      kind: 'a deleted tag that only follows from others, which it is not on',
      act: () => ask('DELETE', `/tags/${TAG.sea}`),
      undone: 1,
      actions: ['tag_create'],
    },
    {
      kind: 'a new category',
      act: () => ask('POST', '/categories', FIELDS),
      undone: 1,
      actions: ['category_delete'],
    },
    {
      kind: 'all fields of a category',
      act: () => ask('PATCH', `/categories/${CATEGORY.people}`, FIELDS),
      undone: 1,
      actions: ['category_edit'],
    },
    {
      kind: 'all fields of a category, emptied',
      act: () => ask('PATCH', `/categories/${CATEGORY.places}`, { ...EMPTY, is_public: false }),
      undone: 1,
      actions: ['category_edit'],
    },
    {
      kind: 'a deleted category with its tags',
      act: () => ask('DELETE', `/categories/${CATEGORY.places}`),
      undone: 1,
      actions: ['category_create'],
    },
    {
      kind: 'a deleted category without tags, with its rights',
      act: () => ask('DELETE', `/categories/${CATEGORY.people}`),
      undone: 1,
      actions: ['category_create'],
    },
  ])

  it('a tag that somebody else deletes, who may edit it, is still its creator’s', () => {
    const { ben } = undoing
    return undoing.thereAndBack(() => undoing.ask('DELETE', `/tags/${TAG.sun}`, undefined, ben), {
      by: ben,
      undone: 1,
      actions: ['tag_create'],
    })
  })

  it('a tag that an admin brings back is still its creator’s', () => {
    return undoing.thereAndBack(() => ask('DELETE', `/tags/${TAG.sun}`), {
      by: undoing.root,
      undone: 1,
      actions: ['tag_create'],
    })
  })
})

describe('tags are merged and come apart', () => {
  const merge = (old: keyof typeof TAG, into: keyof typeof TAG) =>
    ask('POST', `/tags/${TAG[old]}/merge`, { into: TAG[into] })
  const rule = (when: keyof typeof TAG, then: keyof typeof TAG) =>
    ask('POST', `/tags/${TAG[when]}/rules`, { then_tag_id: TAG[then], apply_to_existing: false })
  const replaced = (count: number) => ['tag_create', ...Array(count).fill('file_tag_replace')]
  takesBack([
    {
      kind: 'one with rules, a category and rights, which a file has beside the other one',
      act: () => merge('sun', 'sand'),
      undone: 5,
      actions: replaced(4),
    },
    {
      kind: 'one that only follows, and is public',
      act: () => merge('sea', 'beach'),
      undone: 2,
      actions: replaced(1),
    },
  ])

  it('one with a rule that the other one has switched off', async () => {
    await rule('beach', 'sand')
    await undoing.thereAndBack(() => merge('beach', 'sea'), { undone: 3, actions: replaced(2) })
  })

  it('one that makes the other one by hand, which follows from it', async () => {
    await ask('PUT', `/files/${file(7)}/tags/${TAG.beach}`)
    await ask('POST', `/tags/${TAG.beach}/rules`, { then_tag_id: TAG.sea })
    await undoing.thereAndBack(() => merge('beach', 'sun'), { undone: 4, actions: replaced(3) })
  })
})

describe('rules come and go, with the tags that they put on', () => {
  const rules = (when: keyof typeof TAG) => `/tags/${TAG[when]}/rules`
  const rule = (when: keyof typeof TAG, then: keyof typeof TAG) => `${rules(when)}/${TAG[then]}`
  takesBack([
    {
      kind: 'a new rule that is not applied',
      act: () => ask('POST', rules('sand'), { then_tag_id: TAG.sun, apply_to_existing: false }),
      undone: 1,
      actions: ['tag_rule_delete'],
    },
    {
      kind: 'a new rule that is off',
      act: () => ask('POST', rules('sand'), { then_tag_id: TAG.sun, is_active: false }),
      undone: 1,
      actions: ['tag_rule_delete'],
    },
    {
      kind: 'a new rule with all that it puts on files',
      act: () => ask('POST', rules('sand'), { then_tag_id: TAG.beach, apply_to_existing: true }),
      undone: 3,
      actions: ['file_tag_remove', 'file_tag_remove', 'tag_rule_delete'],
    },
    {
      kind: 'a rule that is switched off',
      act: () => ask('PATCH', rule('sun', 'sea'), { is_active: false }),
      undone: 1,
      actions: ['tag_rule_edit'],
    },
    {
      kind: 'a rule that is switched on and applied',
      act: () => ask('PATCH', rule('sea', 'sand'), { is_active: true, apply_to_existing: true }),
      undone: 2,
      actions: ['file_tag_remove', 'tag_rule_edit'],
    },
    {
      kind: 'a rule that was on and is applied',
      act: () => ask('PATCH', rule('beach', 'sun'), { is_active: true, apply_to_existing: true }),
      undone: 2,
      actions: ['file_tag_remove', 'file_tag_remove'],
    },
    {
      kind: 'a deleted rule',
      act: () => ask('DELETE', rule('sun', 'sea')),
      undone: 1,
      actions: ['tag_rule_create'],
    },
    {
      kind: 'a deleted rule that was off',
      act: () => ask('DELETE', rule('sea', 'sand')),
      undone: 1,
      actions: ['tag_rule_create'],
    },
  ])
})
