import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type StatOptions,
  symlinkSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/base/config.ts'
import { openImportFolder } from '../../src/imports/folder.ts'
import { lockImports } from '../../src/imports/import.ts'
import { assertError, inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { eventsOf, expectedEvents, namesIn, putFile, runImport } from '../support/imports.ts'
import { after, before, describe, it } from '../support/test.ts'

let library: Library
let folder: string
let admin: string
before(async () => {
  library = await openLibrary()
  folder = join(library.folder, 'import')
  for (const path of [folder, join(folder, 'inner'), `${folder}2`]) mkdirSync(path)
  admin = (await library.join('ada', { is_admin: true })).token
})
after(() => library.close())

const ask = (body?: unknown, headers: Record<string, string> = {}) =>
  library.call('POST', '/files/import', { token: admin, body, headers })

/** Returns the path of the folder that an import would take. */
async function pathOf(config: Config, path: string): Promise<string> {
  const opened = await openImportFolder(config, path)
  await opened.close()
  return opened.path
}

describe('the folder of an import', () => {
  it('may lie below the configured one, relative or absolute, through a link that stays inside', async () => {
    symlinkSync(join(folder, 'inner'), join(folder, 'link'))
    const ways = ['inner', './inner/', 'inner/../inner', join(folder, 'inner'), 'link']
    for (const [index, way] of ways.entries()) {
      putFile(join(folder, 'inner'), `${index}.jpg`, await picture(index))
      assert.deepEqual(
        await runImport(library, admin, way),
        expectedEvents([[`${index}.jpg`, 'imported']]),
      )
    }
    const whole = await runImport(library, admin, '')
    assert.deepEqual(
      whole
        .filter(({ type }) => type === 'file')
        .map(({ filename }) => filename)
        .sort(),
      ['inner', 'link'],
    )
  })

  it('is the configured one when no body, or none with a path, names another', async () => {
    const whole = await runImport(library, admin)
    assert.equal(whole.length, 4)
    for (const body of ['', '{}', { unknown: 1 }]) {
      assert.deepEqual(eventsOf(await ask(body)), whole)
    }
  })

  it('lies nowhere else', async () => {
    symlinkSync(library.folder, join(folder, 'outside'))
    putFile(folder, 'file.jpg', await picture())
    const before = inventory(library)
    const paths = ['..', '../import2', 'inner/../..', '/', library.folder, `${folder}2`]
    paths.push('outside', 'outside/files', 'missing', join(folder, 'missing'), 'file.jpg')
    paths.push('file.jpg/', 'inner\0', '\ud800', 'x'.repeat(300), 'x/'.repeat(3000))
    for (const path of paths) assertError(await ask({ path }), 400, 'validation_error', ['path'])
    assert.deepEqual(inventory(library), before)
    assert.ok(namesIn(folder).includes('file.jpg'))
  })

  it('is told by both paths, without links, when it lies elsewhere', async () => {
    const { body } = await ask({ path: '..' })
    assert.equal(
      body.message,
      `path: must be in the import folder: "${library.folder}" is outside of "${folder}", and only that ` +
        'folder and what is in it is imported; the setting IMPORT_PATH names another',
    )
  })

  it('never holds the files of the library, whatever the import folder links to', async () => {
    const link = join(library.folder, 'link')
    symlinkSync(library.folder, link)
    const config = { ...library.deps.config, importPath: link }
    const refused = { code: 'validation_error' }
    for (const path of [undefined, 'files', 'files/00', 'thumbnails']) {
      await assert.rejects(openImportFolder(config, path), refused, path)
    }
    assert.equal(await pathOf(config, 'import/inner'), join(folder, 'inner'))
  })

  it('is none that only begins with the same name', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'tagstead-import-'))
    const config = { ...library.deps.config, importPath: join(elsewhere, 'in') }
    for (const name of ['in', 'in2', 'in/ner']) mkdirSync(join(elsewhere, name))
    await assert.rejects(openImportFolder(config, '../in2'), { code: 'validation_error' })
    assert.equal(await pathOf(config, 'ner'), join(elsewhere, 'in/ner'))
    rmSync(elsewhere, { recursive: true })
  })

  it('must be there when it is the configured one', async () => {
    const config = { ...library.deps.config, importPath: join(library.folder, 'nowhere') }
    await assert.rejects(openImportFolder(config, undefined), { code: 'validation_error' })
  })
})

describe('an import', () => {
  it('is for admins', async () => {
    const { token } = await library.join('uma', { can_create: true })
    const body = { path: 7 }
    assertError(await library.call('POST', '/files/import', { token, body }), 403, 'forbidden')
    assertError(await library.call('POST', '/files/import', { body }), 401, 'unauthorized')
  })

  it('takes a JSON object with a text as path', async () => {
    for (const path of [7, null, [], {}]) {
      assertError(await ask({ path }), 400, 'validation_error', ['path'])
    }
    for (const body of ['{', '[]', '"inner"', 'null']) {
      assertError(await ask(body), 400, 'validation_error', ['body'])
    }
    const plain = { 'Content-Type': 'text/plain' }
    assertError(await ask('{"path":"inner"}', plain), 400, 'validation_error', ['body'])
  })

  it('is refused while another runs', async () => {
    const lock = lockImports(library.deps.config)
    assertError(await ask({}), 409, 'conflict')
    assertError(await ask({ path: '..' }), 400, 'validation_error', ['path'])
    lock.release()
    assert.equal((await ask({ path: 'inner' })).status, 200)
  })

  it('is refused when it is turned off', async () => {
    const off = await openLibrary({ IMPORT_PATH: '' })
    const { token } = await off.join('ada', { is_admin: true })
    const refused = await off.call('POST', '/files/import', { token })
    assertError(refused, 409, 'conflict')
    await off.close()
  })
})

describe('an import folder that breaks while it is opened', () => {
  const descriptors = '/proc/self/fd'
  const skip = existsSync(descriptors) ? false : 'the system shows no descriptors'

  it('stays open nowhere', { skip }, async () => {
    const handle = await open(folder)
    const prototype = Object.getPrototypeOf(handle) as FileHandle
    await handle.close()
    const { stat } = prototype
    const held = () =>
      readdirSync(descriptors).flatMap((name) => {
        try {
          const path = readlinkSync(join(descriptors, name))
          return path === folder || path.startsWith(`${folder}/`) ? [path] : []
        } catch {
          return []
        }
      })
    const before = held()
    // Each look at a folder on the way may be the one that fails.
    for (let good = 0; ; good++) {
      let looks = 0
      prototype.stat = async function (this: FileHandle, options?: StatOptions) {
        if (looks++ === good) throw Object.assign(new Error('a broken disk'), { code: 'EIO' })
        return stat.call(this, options)
      } as typeof stat
      try {
        const opened = await openImportFolder(library.deps.config, 'inner')
        await opened.close()
        assert.ok(good > 2, `${good} looks`)
        break
      } catch (error) {
        assert.match(String(error), /a broken disk/)
        assert.deepEqual(held(), before, `after ${good} looks`)
      } finally {
        prototype.stat = stat
      }
    }
  })
})
