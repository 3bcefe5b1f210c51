import { openDatabase } from '../../../src/db/client.ts'
import { newId } from '../../../src/db/ids.ts'
import { write } from '../../../src/db/write.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { insertTag } from '../../support/object-rows.ts'
import type { OpenGallery } from './open-gallery.ts'

/** Some tags by their categories, among many others. */
const TAGS = {
  People: ['Anna', 'Jonas', 'grandparents'],
  Occasions: ['Arezzo', 'birthday', 'holiday', 'Italy', 'trip'],
}

/**
 * Makes `count` tags of the admin, those that a test names among them, and a rule: Arezzo also adds
 * trip and Italy. Returns the ids of the named ones.
 */
export async function makeTags(
  { call, dataDir }: OpenGallery,
  count: number,
): Promise<Record<string, string>> {
  const named: { name: string; category_id?: string }[] = [{ name: 'work' }]
  for (const [name, tags] of Object.entries(TAGS)) {
    const { id } = await call<{ id: string }>('POST', '/categories', { name, color: '3b82c4' })
    for (const tag of tags) named.push({ name: tag, category_id: id })
  }
  const ids: Record<string, string> = {}
  let owner = 0
  for (const tag of named) {
    const made = await call<{ id: string; creator_id: number }>('POST', '/tags', tag)
    ids[tag.name] = made.id
    owner = made.creator_id
  }
  for (const then of ['trip', 'Italy']) {
    await call('POST', `/tags/${ids.Arezzo}/rules`, { then_tag_id: ids[then] })
  }
  const db = openDatabase(dataFolder(dataDir).database)
  write(db, { now: Date.now() }, (tx) => {
    for (let number = named.length; number < count; number++) {
      insertTag(tx, { id: newId(tx, 'tags'), name: `tag ${number}`, owner })
    }
  })
  db.close()
  return ids
}
