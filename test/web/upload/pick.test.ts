import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { droppedFiles } from '../../../src/gallery/upload/pick.ts'

/** A file of a folder as a browser tells it; null is one that can't be read. */
function entryOf(file: File | null): FileSystemEntry {
  const read = (tell: (file: File) => void, fail: () => void) => (file ? tell(file) : fail())
  return { isFile: true, file: read } as unknown as FileSystemEntry
}

/** A folder as a browser tells it: in two parts and an empty one. */
function folder(entries: FileSystemEntry[], name = 'folder'): FileSystemEntry {
  const createReader = () => {
    const half = Math.ceil(entries.length / 2)
    const parts = [entries.slice(0, half), entries.slice(half)]
    return {
      readEntries: (tell: (part: FileSystemEntry[]) => void) => tell(parts.shift() ?? []),
    }
  }
  return { isFile: false, name, createReader } as unknown as FileSystemEntry
}

/** A file, as one of a folder that was chosen in a dialog tells its path from there. */
const file = (name: string, webkitRelativePath = '') =>
  Object.defineProperty(new File([], name), 'webkitRelativePath', { value: webkitRelativePath })
const drop = (...entries: (File | FileSystemEntry)[]) => droppedFiles(entries)

describe('what is dropped', () => {
  it('is files, and those of folders in folders, without what nobody means', async () => {
    const inner = folder([entryOf(file('c.jpg')), entryOf(null), entryOf(file('.DS_Store'))])
    const outer = folder([entryOf(file('b.jpg')), inner, entryOf(file('Thumbs.db'))])
    const names = (await drop(file('a.jpg'), outer, file('desktop.ini'))).map(
      (one) => one.file.name,
    )
    assert.deepEqual(names, ['a.jpg', 'b.jpg', 'c.jpg'])
  })

  it('tells the folders that lead to each file, from the one that was chosen', async () => {
    const forum = folder([entryOf(file('c.jpg'))], 'Forum')
    const rome = folder([entryOf(file('b.jpg')), forum], 'Rome')
    const chosen = file('d.jpg', 'Trip/Oslo/d.jpg')
    const found = await drop(file('a.jpg'), rome, chosen)
    assert.deepEqual(
      found.map((one) => [one.file.name, ...one.folders]),
      [['a.jpg'], ['b.jpg', 'Rome'], ['c.jpg', 'Rome', 'Forum'], ['d.jpg', 'Trip', 'Oslo']],
    )
  })

  it('may be folders of any size', async () => {
    const many = Array<FileSystemEntry>(200_000).fill(entryOf(file('a.jpg')))
    assert.equal((await drop(folder([folder(many)]))).length, 200_000)
  })
})
