import { closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary, picture } from './harness.ts'
import { putFile, runImport } from './imports.ts'

// Uploads and imports a picture while the process has no file descriptor left, from the moment on in which its bytes
// have come; then again. Writes what became of it as one object. It is started with a low limit.

const library = await openLibrary()
const { deps, folder } = library
const { token } = await library.join('Ann', { is_admin: true })
const imports = join(folder, 'import')
mkdirSync(imports, { recursive: true })
const source = putFile(imports, 'one.jpg', await picture(1))

const taken: number[] = []
function takeAll() {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    // There is none left.
  }
}
const giveBack = () => {
  for (const file of taken.splice(0)) closeSync(file)
}

const { createTemporary } = deps.storage
deps.storage.createTemporary = async (size) => {
  const temporary = await createTemporary(size)
  const finish = async () => {
    const finished = await temporary.finish()
    takeAll()
    return finished
  }
  return { ...temporary, finish }
}
const upload = async () => {
  const { status, body } = await library.upload(token, await picture(2), 'two.jpg')
  return { status, code: body.code }
}
const importOne = async () => {
  const [, { status, reason }] = (await runImport(library, token)) as [unknown, Told]
  return { status, reason, isSourceThere: existsSync(source) }
}
interface Told {
  status: string
  reason?: string
}
const left = () => ({
  files: deps.db.get<{ count: number }>('SELECT count(*) AS count FROM files')!.count,
  temporary: readdirSync(join(folder, 'tmp')).filter((name) => name !== 'decode'),
})
const told: Record<string, unknown> = { upload: await upload() }
giveBack()
told.import = await importOne()
giveBack()
told.left = left()
deps.storage.createTemporary = createTemporary
told.again = [await upload(), await importOne()]
await library.close()
process.stdout.write(`${JSON.stringify(told)}\n`)
