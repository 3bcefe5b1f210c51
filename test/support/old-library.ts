import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach } from 'node:test'
import sharp from 'sharp'
import { dataFolder } from '../../src/media/data-folder.ts'
import { blobOf } from './files.ts'
import { type Library, openLibrary } from './harness.ts'
import { pathsOf } from './stored-files.ts'

/** A picture of one colour, as a JPEG. */
export const pictureOf = (width: number, height: number, orientation = 1) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .jpeg()
    .withMetadata({ orientation })
    .toBuffer()

/** The thumbnail that the hash is made of is a JPEG, so the hash may differ a little. */
export function assertLike(file: Record<string, unknown>, uploaded: Record<string, unknown>) {
  const { thumbhash, ...rest } = file
  const { thumbhash: ofUpload, ...expected } = uploaded
  assert.deepEqual(rest, expected)
  assert.equal(typeof thumbhash, typeof ofUpload)
  assert.equal(thumbhash === null, ofUpload === null)
}

/** Returns a library for each test of a file, whose files may lack what the background gives them. */
export function eachWithOldLibrary(): OldLibrary {
  const old = new OldLibrary()
  beforeEach(() => old.open())
  afterEach(() => old.close())
  return old
}

class OldLibrary {
  library!: Library
  ann!: { id: number; token: string }

  async open(limits: Parameters<typeof openLibrary>[1] = {}) {
    this.library = await openLibrary({}, limits)
    this.ann = await this.library.join('Ann', { is_admin: true })
  }
  close = () => this.library.close()

  upload = async (bytes: Uint8Array, name = 'x.jpg') =>
    (await this.library.upload(this.ann.token, bytes, name)).body
  get = async (id: string) => (await this.library.call('GET', `/files/${id}`, this.ann)).body
  progress = async () => (await this.library.call('GET', '/status', this.ann)).body.background
  /** Makes the library one from before it was kept how files look. */
  forget = () => this.library.deps.db.run('DELETE FROM file_looks')

  blobOf = (id: string) => blobOf(this.library.deps.db, id)
  thumbnailOf = (id: string) => pathsOf(this.library.deps).derivative('thumbnail', this.blobOf(id))

  /** Notes which contents the decoder looks at, and which it decodes. */
  watchDecoder = () => {
    const { decoder } = this.library.deps
    const asked: string[] = []
    const blobIn = (path: string) => basename(path, '.jpg')
    this.library.deps.decoder = {
      ...decoder,
      look: (input) => {
        asked.push(`look ${blobIn(input.path)}`)
        return decoder.look(input)
      },
      derive: (input) => {
        asked.push(`derive ${blobIn(input.path)}`)
        return decoder.derive(input)
      },
      lookAtThumbnail: (input) => {
        asked.push(`thumbnail ${blobIn(input.path)}`)
        return decoder.lookAtThumbnail(input)
      },
    }
    return asked
  }

  /** Adds files like the first one that lack nothing but their contents. */
  addFiles = (number: number) => {
    const { db } = this.library.deps
    const { contents } = dataFolder(this.library.folder)
    for (let shelf = 0; shelf < 256; shelf++) {
      mkdirSync(join(contents, shelf.toString(16).padStart(2, '0')), { recursive: true })
    }
    const { before } = db.get<{ before: number }>('SELECT count(*) AS before FROM files')!
    // Ids of 2022: the next file's is to be later than all of them, and a time.
    db.run(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${number})
       INSERT INTO files (id, name_key, mime_type, mime_extension, content_datetime, creator_id,
       is_public, is_deleted, needs_review, date_source) SELECT unhex(format('0180000000007000%016x', ${before} + n)), '', mime_type, mime_extension, 0,
       creator_id, 0, 0, 1, 'upload' FROM n, (SELECT * FROM files LIMIT 1)`,
    )
    db.run(
      `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
       SELECT rid, lower(hex(randomblob(16))), 1, zeroblob(32), 0, 'made', '{}' FROM files
       WHERE rid NOT IN (SELECT file_rid FROM file_details)`,
    )
    db.run(
      `INSERT INTO file_looks (file_rid, thumbhash, decoder) SELECT rid, zeroblob(1), 'made up'
       FROM files WHERE rid NOT IN (SELECT file_rid FROM file_looks)`,
    )
  }

  /** Has the system refuse to look at a file so many times. */
  refuse = (id: string, times: number) => {
    const { decoder } = this.library.deps
    const path = pathsOf(this.library.deps).content(this.blobOf(id))
    let left = times
    this.library.deps.decoder = {
      ...decoder,
      look: async (input) => (input.path === path && left-- > 0 ? null : decoder.look(input)),
    }
  }

  /** Resolves when the decoder is asked to look at a file. */
  whenLookedAt = (id: string): Promise<void> => {
    const { decoder } = this.library.deps
    const path = pathsOf(this.library.deps).content(this.blobOf(id))
    return new Promise((resolve) => {
      this.library.deps.decoder = {
        ...decoder,
        look: (input) => {
          if (input.path === path) resolve()
          return decoder.look(input)
        },
      }
    })
  }
}
