import { statfs } from 'node:fs/promises'

/** What the system keeps in memory of the files in a folder. */
interface PageCache {
  /**
   * Returns `length` bytes of the file at a path from `start` on, at most LARGEST, where all of them are
   * in memory; null where one isn't, or where that can't be told. Waits for no disk, and doesn't throw.
   */
  read(path: string, start: number, length: number): Uint8Array<ArrayBuffer> | null
}

/** To copy as many bytes holds everybody for about 0.1 ms. */
const LARGEST = 2 ** 20

/**
 * What keeps its files so that neither to open nor to close one asks anybody, by statfs(2): ext2 to 4, XFS,
 * Btrfs and tmpfs. Behind FUSE, a process answers, and behind a network another machine, however long they
 * take.
 */
const LOCAL = [0xef53, 0x58465342, 0x9123683e, 0x01021994]

/** linux/fcntl.h, linux/openat2.h and linux/fs.h; numbers that are the same on x86-64 and arm64. */
const AT_FDCWD = -100
const O_CLOEXEC = 0o2000000n
/** Not even a time of access is written, or the journal might be waited for; it is for who owns the file. */
const O_NOATIME = 0o1000000n
/** A pipe would wait for somebody who writes, what another program leases for that one. */
const O_NONBLOCK = 0o4000n
const RESOLVE_CACHED = 0x20n
const RWF_NOWAIT = 8
const SYS_OPENAT2 = 437
const SIZE_OF_OPEN_HOW = 24

const NONE: PageCache = { read: () => null }

/**
 * Returns the page cache of Linux for the files in a folder, on Bun, which alone can call the C library;
 * one that is always empty on Node, on other systems, on other disks than LOCAL, and where the library
 * isn't glibc's. openat2(2) opens what is known without a look at the disk, and preadv2(2) reads what needs
 * none; a system or a sandbox that refuses them has nothing in memory.
 */
export async function openPageCache(folder: string): Promise<PageCache> {
  if (!('Bun' in globalThis) || process.platform !== 'linux') return NONE
  const { dlopen, FFIType, ptr } = await import('bun:ffi')
  const { i32, i64, pointer } = FFIType
  const openLibrary = () =>
    dlopen('libc.so.6', {
      syscall: { args: [i64, i32, pointer, pointer, i64], returns: i64 },
      preadv2: { args: [i32, pointer, i32, i64, i32], returns: i64 },
      close: { args: [i32], returns: i32 },
    }).symbols
  let libc: ReturnType<typeof openLibrary>
  try {
    if (!LOCAL.includes((await statfs(folder)).type)) return NONE
    libc = openLibrary()
  } catch {
    return NONE
  }
  const how = new BigUint64Array([O_CLOEXEC | O_NONBLOCK | O_NOATIME, 0n, RESOLVE_CACHED])
  const openKnown = (path: string) =>
    Number(libc.syscall(SYS_OPENAT2, AT_FDCWD, Buffer.from(`${path}\0`), how, SIZE_OF_OPEN_HOW))

  return {
    read(path, start, length) {
      if (length === 0 || length > LARGEST) return null
      const descriptor = openKnown(path)
      if (descriptor < 0) return null
      // The buffer has its own memory, not that of a shared pool, since it is handed on.
      const bytes = Buffer.allocUnsafeSlow(length)
      const vector = new BigUint64Array([BigInt(ptr(bytes)), BigInt(length)])
      const read = libc.preadv2(descriptor, vector, 1, start, RWF_NOWAIT)
      libc.close(descriptor)
      return Number(read) === length ? bytes : null
    },
  }
}
