import type { Large } from './library.ts'
import type { Received, Send } from './sender.ts'

/** As many files as a request may name. */
const MANY = 10_000
/** As many tags as go with as many files, by the limit of files times tags. */
const TAGS_OF_MANY = 20
const TAGS_OF_ONE = 1000
/** Characters of the notes, and of the metadata, of a file: as many as it may have. */
const TEXT = 65_000

/** Sends the changes that cost most, within the limits, to files that the sender may edit. */
export async function changeMuch(send: Send, large: Large, files: string[]): Promise<void> {
  const file_ids = files.slice(0, MANY)
  await changePool(send, large, file_ids)
  await changeTagsOfMany(send, large, file_ids)
  const marked = await send('POST', '/files/bulk/review', {
    body: { file_ids, needs_review: false },
  })
  await undo(send, marked)
  await undo(send, await send('POST', '/files/bulk/delete', { body: { file_ids } }))
  await changeOne(send, large, file_ids[0]!)
  for (const [keep, discard] of large.alike.slice(0, 5)) {
    const fields = { tags: 'both', pools: 'both', metadata: 'merge' }
    const resolved = { body: { keep, discard, fields } }
    await undo(send, await send('POST', '/files/duplicates/resolve', resolved))
    await send('POST', '/files/duplicates/dismiss', {
      body: { file_id_a: keep, file_id_b: discard },
    })
  }
}

async function undo(send: Send, { operation, asked }: Received): Promise<void> {
  if (operation === '') return
  await send('POST', `/operations/${operation}/undo`, { headers: { 'X-Undoes': asked } })
}

async function changePool(send: Send, large: Large, file_ids: string[]): Promise<void> {
  const { id: pool } = await send('POST', '/pools', { body: { name: 'many' } })
  const body = { file_ids, position: 0 }
  const added = await send('POST', `/pools/${pool}/files`, { body })
  const reordered = { body: { file_ids: file_ids.toReversed() } }
  await undo(send, await send('PUT', `/pools/${pool}/files/reorder`, reordered))
  for (const sort_key of ['manual', 'created', 'content_datetime', 'original_name']) {
    await send('PATCH', `/pools/${pool}`, { body: { sort_key } })
    for (const filter of ['{}', `{t=${large.made.tags[0]!.id}}`, '{m~video/%25}']) {
      await send('GET', `/pools/${pool}/files?limit=200&filter=${filter}`)
    }
  }
  await send('POST', `/pools/${pool}/views`)
  const removed = { body: { file_ids: file_ids.filter((_, n) => n % 2 === 0) } }
  await undo(send, await send('POST', `/pools/${pool}/files/remove`, removed))
  await undo(send, added)
  await send('POST', `/pools/${pool}/files`, { body })
  await undo(send, await send('DELETE', `/pools/${pool}`))
  const permissions = [2, 3, 4, 5].map((user_id) => ({ user_id, can_edit: true }))
  await send('PUT', `/acl/pool/${pool}`, { body: { permissions } })
}

async function changeTagsOfMany(send: Send, large: Large, file_ids: string[]): Promise<void> {
  const tag_ids: string[] = []
  for (let n = 0; n < TAGS_OF_MANY; n++) {
    const name = `one of many ${n} ${file_ids[0]}`
    tag_ids.push((await send('POST', '/tags', { body: { name, is_public: true } })).id)
  }
  const change = (action: 'add' | 'remove', ids = tag_ids) =>
    send('POST', '/files/bulk/tags', { body: { file_ids, action, tag_ids: ids } })
  await undo(send, await change('add'))
  await change('add')
  await send('POST', '/files/bulk/common-tags', { body: { file_ids } })
  await undo(send, await change('remove'))
  await change('add', [large.made.tags[0]!.id])
  // A tag from which 150 follow, on as many files as the limit lets have them all.
  const few = { file_ids: file_ids.slice(0, 1300), action: 'add', tag_ids: [large.chain] }
  await undo(send, await send('POST', '/files/bulk/tags', { body: few }))
}

async function changeOne(send: Send, { made, chain }: Large, file: string): Promise<void> {
  const tag_ids = made.tags.slice(0, TAGS_OF_ONE).map((tag) => tag.id)
  const replaced = await send('PUT', `/files/${file}/tags`, { body: { tag_ids } })
  await send('GET', `/files/${file}`)
  await send('GET', `/files/${file}/tags`)
  await send('PUT', `/files/${file}/tags/${chain}`)
  await send('DELETE', `/files/${file}/tags/${chain}`)
  await undo(send, replaced)
  const metadata = { list: Array.from({ length: TEXT / 10 }, (_, n) => n).slice(0, 9000) }
  const notes = 'ä\u0323e\u0301 '.repeat(TEXT / 10)
  const body = { notes, metadata, is_public: true, original_name: 'å'.repeat(255) }
  await undo(send, await send('PATCH', `/files/${file}`, { body }))
  await send('PUT', `/acl/file/${file}`, {
    body: { permissions: [2, 3, 4, 5].map((user_id) => ({ user_id, can_edit: true })) },
  })
  await send('POST', `/files/${file}/views`)
  await send('DELETE', `/files/${file}`)
  await send('POST', `/files/${file}/restore`)
  await send('DELETE', `/files/${file}`)
  await send('DELETE', `/files/${file}/permanent`)
}

/** Sends the changes of an admin that reach over the whole library, the last of which end users. */
export async function changeAll(send: Send, large: Large): Promise<void> {
  const { halves, chain, categories, made, dan } = large
  const [first, second, third] = halves
  const rule = { body: { then_tag_id: chain, is_active: true, apply_to_existing: true } }
  const { id: then_tag_id } = await send('POST', '/tags', { body: { name: 'follows from half' } })
  const plain = { body: { ...rule.body, then_tag_id } }
  await undo(send, await send('POST', `/tags/${first}/rules`, plain))
  await send('POST', `/tags/${first}/rules`, plain)
  await send('PATCH', `/tags/${first}/rules/${then_tag_id}`, { body: { is_active: false } })
  await send('DELETE', `/tags/${first}/rules/${then_tag_id}`)
  await send('POST', `/tags/${made.tags[50]!.id}/rules`, rule)
  await undo(send, await send('PATCH', `/tags/${first}`, { body: { name: 'another' } }))
  await send('PATCH', `/tags/${first}`, { body: { is_public: false, category_id: categories[1] } })
  await undo(send, await send('DELETE', `/tags/${second}`))
  await send('DELETE', `/tags/${third}`)
  await undo(send, await send('PATCH', `/categories/${categories[0]}`, { body: { name: 'new' } }))
  await undo(send, await send('DELETE', `/categories/${categories[0]}`))
  await send('DELETE', `/categories/${categories[0]}`)
  await send('PATCH', `/users/${dan}`, { body: { is_blocked: true } })
  await send('DELETE', `/users/${dan}`)
}
