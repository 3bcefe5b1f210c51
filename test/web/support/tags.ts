import type { OpenGallery } from './open-gallery.ts'

/** Some tags by their categories, among many others. */
const TAGS = {
  People: ['Anna', 'Jonas', 'grandparents'],
  Occasions: ['Arezzo', 'birthday', 'holiday', 'Italy', 'trip'],
}
const AT_ONCE = 20

/**
 * Makes `count` tags, those that a test names among them, and a rule: Arezzo also adds trip and
 * Italy. Returns the ids of the named ones.
 */
export async function makeTags(
  { call }: OpenGallery,
  count: number,
): Promise<Record<string, string>> {
  const wanted: { name: string; category_id?: string }[] = [{ name: 'work' }]
  for (const [name, tags] of Object.entries(TAGS)) {
    const { id } = await call<{ id: string }>('POST', '/categories', { name, color: '3b82c4' })
    for (const tag of tags) wanted.push({ name: tag, category_id: id })
  }
  for (let number = wanted.length; number < count; number++) wanted.push({ name: `tag ${number}` })
  const ids: Record<string, string> = {}
  while (wanted.length > 0) {
    const made = await Promise.all(
      wanted
        .splice(0, AT_ONCE)
        .map((tag) => call<{ id: string; name: string }>('POST', '/tags', tag)),
    )
    for (const { id, name } of made) ids[name] = id
  }
  for (const then of ['trip', 'Italy']) {
    await call('POST', `/tags/${ids.Arezzo}/rules`, { then_tag_id: ids[then] })
  }
  return ids
}
