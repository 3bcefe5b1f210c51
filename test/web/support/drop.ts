import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** A file that is dropped. */
export interface Dropped {
  name: string
  /** By default image/jpeg, with a picture's bytes; of another type, the name is all that is in it. */
  type?: string
  /** How many bytes come after the picture. */
  more?: number
  /** The name of another one whose content it has. */
  like?: string
  /** All of its content. */
  bytes?: Uint8Array
}

/** When dropped files were written, by the disk that they come from. */
export const WRITTEN = Date.UTC(2015, 4, 3, 10, 20, 30)

let picture: Promise<Buffer> | undefined

/**
 * Drops files on what the selector finds, each with a picture's bytes and an end of its own; throws
 * when the browser would open them instead.
 */
export async function drop(page: Page, files: Dropped[], selector = 'body'): Promise<void> {
  const small = { create: { width: 24, height: 16, channels: 3, background: '#4a9d5b' } } as const
  picture ??= sharp(small).jpeg().toBuffer()
  const taken = await page.evaluate(
    ({ files, contents, picture, lastModified, selector }) => {
      const dataTransfer = new DataTransfer()
      for (const [place, { name, type = 'image/jpeg', more = 0, like = name }] of files.entries()) {
        const content = contents[place]
        const made = type === 'image/jpeg' ? [new Uint8Array(picture), like] : [name]
        const parts = content ? [new Uint8Array(content)] : [...made, new Uint8Array(more)]
        const file = new File(parts, name, { type, lastModified })
        dataTransfer.items.add(file)
      }
      const target = document.querySelector(selector)!
      return ['dragover', 'drop'].map((type) => {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        return !target.dispatchEvent(event)
      })
    },
    {
      files: files.map(({ bytes: _, ...file }) => file),
      contents: files.map(({ bytes }) => bytes && [...bytes]),
      picture: [...(await picture)],
      lastModified: WRITTEN,
      selector,
    },
  )
  assert.deepEqual(taken, [true, true])
}
