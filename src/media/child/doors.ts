import { createSocket } from 'node:dgram'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import type { Tries } from '../walls/enclosure.ts'
import { runProgram } from './program.ts'

// Names a program that the kernel runs as root, outside of all walls.
const KERNEL = '/proc/sys/kernel/core_pattern'
// An address that nobody has (RFC 5737); nothing is sent there.
const NOBODY = { port: 9, address: '192.0.2.1' }
// In milliseconds.
const CALL_LIMIT = 1000
const FFMPEG_LIMITS = { seconds: 10, output: 100_000 }

/**
 * Tries what this process must not be able to do, and returns what it can do all the same: the names of secret files,
 * `its input`, `the kernel`, or `network`; and `no ffmpeg` when ffmpeg doesn't run.
 */
export async function tryDoors({ secrets, input, ffmpeg, server }: Tries): Promise<string[]> {
  const found = secrets.filter((path) => opens(path, 'r')).map((path) => basename(path))
  if (opens(input, 'r+') || opens(join(dirname(input), 'new'), 'w')) found.push('its input')
  if (opens(KERNEL, 'r+')) found.push('the kernel')
  if ((await hasWayOut()) || (server && (await answers(server)))) found.push('network')
  if (ffmpeg !== null && !(await runs(ffmpeg))) found.push('no ffmpeg')
  return found
}

function opens(path: string, flags: string): boolean {
  try {
    closeSync(openSync(path, flags))
    return true
  } catch {
    return false
  }
}

function hasWayOut(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    const end = (isThere: boolean) => {
      socket.close()
      resolve(isThere)
    }
    socket.on('error', () => end(false))
    socket.connect(NOBODY.port, NOBODY.address, (error?: Error) => end(!error))
  })
}

function answers({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CALL_LIMIT })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })
}

async function runs(ffmpeg: string): Promise<boolean> {
  return runProgram(ffmpeg, ['-version'], FFMPEG_LIMITS).then(
    () => true,
    () => false,
  )
}
