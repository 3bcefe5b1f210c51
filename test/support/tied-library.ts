import { type FileSeed, insertFiles, sees, tiedFiles } from './file-rows.ts'
import { type Library, openLibrary } from './harness.ts'

interface Person {
  id: number
  token: string
}

/** A library of files that are alike in what they are sorted by, with an admin and a user. */
export interface TiedLibrary {
  library: Library
  root: Person
  ann: Person
  files: FileSeed[]
}

/** Opens a library whose files are of the user Ann and of somebody else. */
export async function openTiedLibrary(): Promise<TiedLibrary> {
  const library = await openLibrary()
  const root = await library.join('Root', { is_admin: true })
  const ann = await library.join('Ann')
  const files = tiedFiles([ann.id, await library.addUser('Bob')])
  insertFiles(library.deps.db, files)
  return { library, root, ann, files }
}

/** Yields the people of such a library with the files that each may see. */
export function* viewersOf({ root, ann, files }: TiedLibrary) {
  yield { name: 'an admin', token: root.token, list: files.filter((file) => !file.trashed) }
  const list = files.filter((file) => !file.trashed && sees(ann.id, file))
  yield { name: 'a user', token: ann.token, list }
}
