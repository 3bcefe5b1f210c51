import { after, before } from 'node:test'
import { type Library, openLibrary } from '../harness.ts'

/** A library in Rome, and its admin. */
export interface InRome {
  library: Library
  ann: { id: number; token: string }
  /** Asks as Ann. */
  call(method: string, path: string, body?: unknown): ReturnType<Library['call']>
}

/** Opens a library in Rome for the tests of a file. */
export function useLibraryInRome(): InRome {
  const rome = {
    call: (method, path, body) => rome.library.call(method, path, { token: rome.ann.token, body }),
  } as InRome
  before(async () => {
    rome.library = await openLibrary({ TIME_ZONE: 'Europe/Rome' })
    rome.ann = await rome.library.join('Ann', { is_admin: true })
  })
  after(() => rome.library.close())
  return rome
}
