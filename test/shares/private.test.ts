import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { addPicture, ask, makeLink, shownBy } from '../support/guests.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { temporaryFolder, without, withoutEncoder } from '../support/media/media.ts'
import { tellingFiles, toldIn, toldToExiftool } from '../support/media/telling.ts'
import { after, before, describe, it } from '../support/test.ts'
import { withoutUnzip } from '../support/zip.ts'

const withoutTools =
  without('exiftool', '-ver') ||
  withoutEncoder('libx265') ||
  withoutEncoder('libjxl') ||
  withoutUnzip

describe('what leaves by a link', { skip: withoutTools }, () => {
  let library: Library
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let token: string
  /** Names of what was uploaded, in the order of the links. */
  const names: string[] = []
  const ids: string[] = []
  before(async () => {
    folder = await temporaryFolder()
    library = await openLibrary({ FFMPEG_PATH: 'ffmpeg' })
    token = (await library.join('Ann', { can_create: true })).token
    for (const { path } of await tellingFiles()) {
      names.push(basename(path))
      ids.push(
        await addPicture(library, token, { bytes: await readFile(path), name: basename(path) }),
      )
    }
  })
  after(async () => {
    await library.close()
    await folder.remove()
  })

  async function told(parts: string[], downloads: string): Promise<unknown[]> {
    const link = await makeLink(library, token, { file_ids: ids, downloads })
    const paths: string[] = []
    const found: unknown[] = []
    for (const [index, id] of (await shownBy(library, link)).entries()) {
      for (const part of parts) {
        const { status, bytes } = await ask(library, `${link}/f/${id}/${part}`)
        if (
          status === 404 &&
          part === 'film' &&
          !/\.(mp4|mov|m4v|3gp|webm|mkv)$/.test(names[index]!)
        )
          continue
        assert.equal(status, 200, `${names[index]} ${part}`)
        const path = join(folder.path, `${index}-${part.replace(/\W/g, '')}-${names[index]}`)
        await writeFile(path, bytes)
        paths.push(path)
        for (const what of toldIn(bytes)) found.push([names[index], part, what])
      }
    }
    return [...found, ...toldToExiftool(paths)]
  }

  it('as a picture tells no place, person or device', async () => {
    const parts = ['thumbnail', 'thumbnail?size=640', 'preview', 'film']
    assert.deepEqual(await told(parts, 'none'), [])
  })

  it('without its place tells none either', async () => {
    assert.deepEqual(await told(['content'], 'without_place'), [])
  })

  it('in a ZIP tells none either', async () => {
    const link = await makeLink(library, token, { file_ids: ids })
    const { bytes } = await ask(library, `${link}/archive`)
    assert.deepEqual(toldIn(bytes), [])
    const zip = join(folder.path, 'all.zip')
    await writeFile(zip, bytes)
    execFileSync('unzip', ['-q', zip, '-d', join(folder.path, 'all')])
    const listed = execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8' }).trim().split('\n')
    assert.equal(listed.length, ids.length)
    assert.deepEqual(toldToExiftool(listed.map((name) => join(folder.path, 'all', name))), [])
  })

  it('as it is tells all', async () => {
    assert.ok((await told(['content'], 'as_they_are')).length > ids.length)
  })
})
