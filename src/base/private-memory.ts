/** linux/prctl.h */
const PR_SET_DUMPABLE = 4

/**
 * Hides this process's memory, environment and open files from the other processes of its account, as long as it runs:
 * for them, /proc/PID belongs to root, and they can't attach to it (prctl(2)). Works on Linux with glibc under Bun,
 * since only Bun can call the C library; otherwise, does nothing.
 */
export async function keepMemoryPrivate(): Promise<void> {
  if (!('Bun' in globalThis) || process.platform !== 'linux') return
  const { dlopen, FFIType } = await import('bun:ffi')
  const { i32, i64 } = FFIType
  try {
    const { symbols } = dlopen('libc.so.6', { prctl: { args: [i32, i64], returns: i32 } })
    symbols.prctl(PR_SET_DUMPABLE, 0)
  } catch {
    // Another C library.
  }
}
