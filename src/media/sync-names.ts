import { syncFolder } from './durable.ts'

// The codes of file systems that can't sync folders, such as those of Windows shares.
const NO_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES', 'EPERM', 'EISDIR', 'EBADF'])

/** Resolves once the names in a folder are safe on the disk, as far as its file system can promise that. */
export async function syncNames(folder: string): Promise<void> {
  try {
    await syncFolder(folder)
  } catch (error) {
    if (!NO_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
