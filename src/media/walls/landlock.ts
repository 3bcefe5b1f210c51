import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { BUN_ARGUMENTS } from '../../base/child-process.ts'
import { bunProgram, PROGRAM, PROGRAMS, programPaths } from '../../base/paths.ts'
import { ffprobeOf } from '../ffmpeg.ts'

/** What a program may open, by absolute paths of files, or of folders with all that is below them. */
export interface Rules {
  /** To be read, and run. */
  read: string[]
  /** To be listed, without reading files. */
  list: string[]
  /** To be read and written. */
  devices: string[]
  /** Folders in which everything may be done. */
  write: string[]
}

// Programs read their own memory and time here. Landlock itself protects other processes' memory in /proc.
const OF_KERNEL = '/proc'
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

/**
 * Returns the start of a command line that runs what follows behind Landlock: no sockets, and no files but those of the
 * runtime, its program and ffmpeg, which it reads, `in` of its room, which it reads, and `out`. Bun asks the kernel for
 * that, even when the server runs on Node, which can't.
 */
export function behindLandlock({
  room,
  ffmpeg,
}: {
  room: string
  ffmpeg: string | null
}): string[] {
  const rules: Rules = {
    read: [...pathsToRun(ffmpeg), OF_KERNEL, join(room, 'in')],
    // Bun looks here for its packages.
    list: [PROGRAM],
    devices: DEVICES.filter((path) => existsSync(path)),
    write: [join(room, 'out')],
  }
  return [bunProgram() ?? 'bun', ...BUN_ARGUMENTS, PROGRAMS.landlock, JSON.stringify(rules)]
}

// What programs of the system need: themselves, their libraries, and where these are found.
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives'],
]

/** Returns the existing paths of what a decoder needs to run, with this ffmpeg, which is a name or a path. */
export function pathsToRun(ffmpeg: string | null): string[] {
  const paths = [...SYSTEM, ...ofRuntime(), ...ofFfmpeg(ffmpeg)]
  return [...new Set(paths.filter((path) => existsSync(path)))]
}

function ofRuntime(): string[] {
  const libraries = process.env.LD_LIBRARY_PATH?.split(delimiter).filter(isAbsolute) ?? []
  return [process.execPath, ...programPaths(), ...libraries]
}

function ofFfmpeg(ffmpeg: string | null): string[] {
  if (ffmpeg === null) return []
  const programs = [ffmpeg, ffprobeOf(ffmpeg)]
  if (ffmpeg.includes('/')) return programs.filter(isAbsolute)
  const folders = process.env.PATH?.split(delimiter).filter(isAbsolute) ?? []
  return programs.flatMap((program) =>
    folders
      .map((folder) => join(folder, program))
      .filter((path) => existsSync(path))
      .slice(0, 1),
  )
}
