import { afterEach, beforeEach } from 'node:test'
import { runBackground } from '../../../src/background/run.ts'
import type { Decoder } from '../../../src/media/decoder/decoder.ts'
import { blobOf } from '../files.ts'
import { type Library, openLibrary } from '../harness.ts'
import { pathsOf } from '../stored-files.ts'
import { jpegWith } from './contents.ts'
import { addFileOf3, type FileOf3 } from './old-files.ts'

/** When the files are created. */
export const CREATED = Date.UTC(2025, 4, 6, 7, 8, 9, 123)
/** What the clock in TAKEN shows, as if it were UTC. */
export const NOON = Date.UTC(2019, 6, 1, 12)
export const HOUR = 3_600_000
export const TAKEN = { DateTimeOriginal: '2019:07:01 12:00:00' }
/** Returns a small JPEG of a camera whose clock shows TAKEN. */
export const takenJpeg = () => jpegWith({ exif: { IFD2: TAKEN } })

export const iso = (ms: number) => new Date(ms).toISOString()
/** The date of what version 3.0.0 dated by its upload. */
export const UPLOADED = [iso(CREATED), null, null]
/** The date of what was taken at NOON in Berlin. */
export const IN_BERLIN = [iso(NOON - 2 * HOUR), 120, 'exif']

/** Returns a library in Berlin for each test of a file, whose files are of version 3.0.0. */
export function eachWithDatedLibrary(): DatedLibrary {
  const dated = new DatedLibrary()
  beforeEach(() => dated.open())
  afterEach(() => dated.library.close())
  return dated
}

type Read = ReturnType<Decoder['read']>

class DatedLibrary {
  library!: Library
  ann!: { id: number; token: string }

  async open() {
    this.library = await openLibrary({ TIME_ZONE: 'Europe/Berlin' })
    this.ann = await this.library.join('Ann', { is_admin: true })
  }

  add = (file: Partial<FileOf3> & Pick<FileOf3, 'bytes'>) => {
    const { deps, folder } = this.library
    return addFileOf3(deps.db, folder, { name: 'x.jpg', created_at: CREATED, ...file })
  }
  call = (method: string, path: string, body?: unknown) =>
    this.library.call(method, path, { token: this.ann.token, body })
  get = async (id: string) => (await this.call('GET', `/files/${id}`)).body
  undo = (operation: unknown) => this.call('POST', `/operations/${operation}/undo`)
  run = () => runBackground(this.library.deps).over

  dateOf = async (id: string) => {
    const { content_datetime, content_offset, date_source } = await this.get(id)
    return [content_datetime, content_offset, date_source]
  }

  pathOf = (id: string) => {
    const { deps } = this.library
    return pathsOf(deps).content(blobOf(deps.db, id))
  }

  /** Has contents read another way, which may go on as before. */
  onRead = (read: (input: Parameters<Decoder['read']>[0], next: Decoder['read']) => Read) => {
    const { decoder } = this.library.deps
    this.library.deps.decoder = { ...decoder, read: (input) => read(input, decoder.read) }
  }

  /** Returns the operations in which the server changed files, and how many. */
  operations = () =>
    this.library.deps.db.all<{ operation: number; files: number }>(
      `SELECT operation, count(*) AS files FROM audit_log WHERE user_id = 0
       AND action = 'file_edit' GROUP BY operation`,
    )
  /** Returns how far the work on dates is. */
  work = () =>
    this.library.deps.db.get<{ place: number | null; looked_at: number; operation: number | null }>(
      "SELECT place, looked_at, operation FROM background_work WHERE name = 'dates'",
    )
}
