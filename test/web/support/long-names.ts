import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lookAgain, makeLookAlikes } from './look-alikes.ts'
import { type OpenGallery, openGallery, PASSWORD } from './open-gallery.ts'
import { madeUpPictures } from './pictures.ts'

const WORDS = 'Grandmother and grandfather at the lake, the summer before we moved to the city, '

/** Returns a name of so many letters, in words or without a space. */
export function longName(letters: number, isInWords: boolean, number = 0): string {
  const start = `${number} `
  const text = isInWords
    ? start + WORDS.repeat(Math.ceil(letters / WORDS.length))
    : start.trim() + 'Wintersporturlaubsfotosammlung'.repeat(Math.ceil(letters / 30))
  return text.slice(0, letters).replace(/ $/, '.')
}

/** How much is in a library. */
export type Amount = 'nothing' | 'one' | 'many'

const COUNTS = { nothing: 0, one: 1, many: 40 }
/** A tag for each of these lengths by turns. */
const TAGS = [80, 128, 256]

export interface LongNames {
  gallery: OpenGallery
  /** The ids of a file, tag, category and album; empty texts where there are none. */
  file: string
  tag: string
  category: string
  pool: string
}

/** Opens the gallery of a library in which all names are as long as they may be. */
export async function openLongNames(amount: Amount): Promise<LongNames> {
  const gallery = await openGallery({ isSignedIn: false })
  const { call, dataDir } = gallery
  const count = COUNTS[amount]
  const made = (kind: string) => (body: object) => call<{ id: string }>('POST', `/${kind}`, body)
  const each = async (each: (isInWords: boolean, number: number) => Promise<{ id: string }>) => {
    const ids: string[] = []
    for (let number = 0; number < count; number++)
      ids.push((await each(number % 2 === 1, number)).id)
    return ids
  }

  const categories = await each((isInWords, number) => {
    return made('categories')({ name: longName(256, isInWords, number), color: '3b82c4' })
  })
  const tags = await each((isInWords, number) => {
    const name = longName(TAGS[number % TAGS.length]!, isInWords, number)
    // Some categories stay empty, and some tags have none.
    const category_id = number % 3 === 2 ? undefined : categories[number % 5]
    return made('tags')({ name, category_id, notes: longName(300, isInWords) })
  })
  const pools = await each((isInWords, number) => {
    return made('pools')({ name: longName(256, isInWords, number) })
  })
  await each((isInWords, number) => {
    return made('users')({ name: longName(32, isInWords, number), password: PASSWORD })
  })
  const pictures = await madeUpPictures(count)
  const files = await each((isInWords, number) => {
    const { bytes, taken } = pictures[number]!
    const form = new FormData()
    const name = `${longName(251, isInWords, number)}.jpg`
    form.set('file', new Blob([Uint8Array.from(bytes)]), name)
    form.set('content_datetime', taken)
    return call('POST', '/files', form)
  })
  if (amount !== 'nothing') {
    const [file_ids, tag_ids] = [files.slice(0, 9), tags.slice(0, 9)]
    await call('POST', '/files/bulk/tags', { action: 'add', file_ids, tag_ids })
    await call('POST', `/pools/${pools[0]}/files`, { file_ids: files })
    await call('PATCH', `/files/${files[0]}`, { notes: longName(2000, false) })
    const folder = join(dataDir, 'import')
    for (const isInWords of [true, false]) {
      await mkdir(join(folder, longName(200, isInWords)), { recursive: true })
      await writeFile(join(folder, longName(200, isInWords), 'one.jpg'), pictures[0]!.bytes)
    }
  }
  if (amount === 'many') {
    for (const then_tag_id of tags.slice(1, 4)) {
      await call('POST', `/tags/${tags[0]}/rules`, { then_tag_id })
    }
    const made = await makeLookAlikes(gallery, { count: 3, copyings: ['same', 'smaller'] })
    for (const { photo, copies } of made) {
      for (const [number, { id }] of [photo, ...copies].entries()) {
        await call('PATCH', `/files/${id}`, { original_name: longName(255, number % 2 === 1) })
        for (const tag of tags.slice(number, number + 3))
          await call('PUT', `/files/${id}/tags/${tag}`)
      }
    }
    await lookAgain(gallery)
    for (const id of files.slice(-3)) await call('DELETE', `/files/${id}`)
  }
  const [file = '', tag = '', category = '', pool = ''] = [files, tags, categories, pools].map(
    ([first]) => first,
  )
  return { gallery, file, tag, category, pool }
}
