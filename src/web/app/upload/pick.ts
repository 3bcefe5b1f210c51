/** Files that a system leaves in folders, and that nobody means. */
const LEFTOVERS = /^(\.|Thumbs\.db$|desktop\.ini$)/

/** Returns the files that were dropped, those of folders too, however deep. */
export async function droppedFiles(entries: (File | FileSystemEntry)[]): Promise<File[]> {
  const files = await Promise.all(
    entries.map((entry) => (entry instanceof File ? [entry] : filesOf(entry))),
  )
  return files.flat().filter(({ name }) => !LEFTOVERS.test(name))
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return new Promise((resolve) => {
      // A file that can't be read is left out: a folder may hold dead links.
      ;(entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      )
    })
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    // A folder is told in parts, of which the last one is empty.
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (part.length === 0) return files
    for (const inner of part) {
      // One by one: a folder may hold more than a call takes as arguments.
      for (const file of await filesOf(inner)) files.push(file)
    }
  }
}
