import { networkInterfaces } from 'node:os'
import type { Config } from '../base/config.ts'
import { VERSION } from '../base/version.ts'

// With a lower minimum, the banner says that new passwords may be short.
const GOOD_LENGTH = 8

interface Started {
  config: Pick<
    Config,
    'authRateLimit' | 'backupDir' | 'dataDir' | 'ffmpegPath' | 'host' | 'passwordMinLength'
  >
  port: number
  /** The number of files in the library; null when it was created just now. */
  files: number | null
  hasFfmpeg: boolean
}

/**
 * Returns what a terminal shows about a server: its version, its addresses on this machine and the network, its
 * library, and what is missing or weak.
 */
export function bannerOf({ config, port, files, hasFfmpeg }: Started): string {
  const { host, dataDir } = config
  const { here, outside } = addressesOf(host)
  const url = (name: string) => `http://${name}:${port}`
  const library = files === null ? 'new' : `${files.toLocaleString('en')} files`
  const lines = [
    `Tagstead ${VERSION} is at ${url(here)}`,
    isLocal(host)
      ? '  others      cannot reach it: set HOST=0.0.0.0 to let in phones in the house'
      : `  others      can reach it at ${outside.map(url).join(', ') || 'no address: there is no network'}`,
    `  library     ${dataDir}, ${library}`,
    ...missing(config, hasFfmpeg).map((what) => `  missing     ${what}`),
    ...weak(config).map((what) => `  weak        ${what}`),
  ]
  return `${lines.join('\n')}\n`
}

function missing({ ffmpegPath, backupDir }: Started['config'], hasFfmpeg: boolean): string[] {
  const found: string[] = []
  if (ffmpegPath !== null && !hasFfmpeg)
    found.push('ffmpeg: videos get a placeholder until it is installed')
  if (backupDir === null) found.push('backups: set BACKUP_DIR to a folder on another disk')
  return found
}

function weak({
  host,
  passwordMinLength,
  authRateLimit,
}: Pick<Config, 'authRateLimit' | 'host' | 'passwordMinLength'>): string[] {
  const found: string[] = []
  if (process.getuid?.() === 0) found.push('it runs as root (uid 0): give it an account of its own')
  if (authRateLimit === 0)
    found.push('AUTH_RATE_LIMIT is 0: passwords can be guessed without limit')
  if (isLocal(host)) return found
  if (passwordMinLength < GOOD_LENGTH)
    found.push(`PASSWORD_MIN_LENGTH is ${passwordMinLength}: 12 is better`)
  found.push('plain HTTP: outside the house, put a proxy with TLS in front of it')
  return found
}

function isLocal(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host)
}

// Host names as in URLs: for this machine, and for others.
function addressesOf(host: string): { here: string; outside: string[] } {
  const named = host.includes(':') ? `[${host}]` : host
  if (host !== '0.0.0.0' && host !== '::') return { here: named, outside: [named] }
  const families = host === '::' ? ['IPv4', 'IPv6'] : ['IPv4']
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => !internal && families.includes(family))
    // A link-local address would need a zone, which browsers don't accept.
    .filter(({ address }) => !/^fe80:/i.test(address))
    .map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address))
  return { here: '127.0.0.1', outside }
}
