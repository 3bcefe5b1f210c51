/** Files that operating systems leave in folders. */
const LEFTOVERS = /^(\.|Thumbs\.db$|desktop\.ini$)/

/** A file that the user chose. */
export interface Picked {
  file: File
  /** The names of the folders that lead to it, from the chosen one on. */
  folders: string[]
}

/** Returns the dropped files, including those in folders at any depth. */
export async function droppedFiles(entries: (File | FileSystemEntry)[]): Promise<Picked[]> {
  const files = await Promise.all(
    entries.map((entry) => (entry instanceof File ? [picked(entry)] : filesOf(entry, []))),
  )
  return files.flat().filter(({ file }) => !LEFTOVERS.test(file.name))
}

/** A file of a folder that was chosen in a dialog has its path from there. */
function picked(file: File): Picked {
  return { file, folders: file.webkitRelativePath.split('/').slice(0, -1) }
}

async function filesOf(entry: FileSystemEntry, folders: string[]): Promise<Picked[]> {
  if (entry.isFile) {
    return new Promise((resolve) => {
      // A file that can't be read is left out: a folder may contain dead links.
      ;(entry as FileSystemFileEntry).file(
        (file) => resolve([{ file, folders }]),
        () => resolve([]),
      )
    })
  }
  const inner = [...folders, entry.name]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: Picked[] = []
  for (;;) {
    // A folder is returned in parts, of which the last one is empty.
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (part.length === 0) return files
    for (const one of part) {
      // One by one: a folder may contain more files than a call takes as arguments.
      for (const file of await filesOf(one, inner)) files.push(file)
    }
  }
}
