import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { programPaths } from '../../base/place.ts'

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
  if (ffmpeg.includes('/')) return isAbsolute(ffmpeg) ? [ffmpeg] : []
  const folders = process.env.PATH?.split(delimiter).filter(isAbsolute) ?? []
  return folders
    .map((folder) => join(folder, ffmpeg))
    .filter((path) => existsSync(path))
    .slice(0, 1)
}
