import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { WALLS, type WallLevel } from './enums.ts'
import { type Environment, readEnvironment } from './env-file.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts'
import {
  address,
  content,
  duration,
  durationOrNone,
  integer,
  LARGEST,
  list,
  memory,
  origin,
  path,
  size,
  timeZone,
} from './setting-values.ts'
import {
  ACCESS_KEY,
  accessOf,
  endpoint,
  KEY_HANDED,
  place,
  type StoreAccess,
  type StoreSettings,
  storeOf,
  storeProblems,
} from './store-settings.ts'
import { isCredential, NO_CREDENTIAL, NOTHING_SHOWN, nfc, showsSomething } from './text.ts'
import { DAY } from './time.ts'

const AdminPassword = z
  .string()
  .max(256, 'must have at most 256 characters')
  .refine(isCredential, NO_CREDENTIAL)
const JwtSecret = z.string().min(32, 'must have at least 32 characters')

// The content of a file that an empty setting doesn't name.
const secretFile = (schema: z.ZodType<string, string>) =>
  z.preprocess((path) => (path === '' ? undefined : path), content.pipe(schema).optional())

const AccessKey = z.string().regex(ACCESS_KEY, 'must be the access key alone, without spaces')

// A retention time of at least `least` milliseconds; 0 is for ever.
const retention = (least: number, words: string) =>
  durationOrNone('30d').refine((ms) => ms === 0 || ms >= least, {
    message: `must be 0 or at least ${words}`,
  })

const Settings = z.object({
  HOST: z.string().min(1, 'must not be empty').prefault('127.0.0.1'),
  PORT: integer(0, 65535).prefault('3000'),
  DATA_DIR: path.min(1, 'must not be empty').prefault('./data'),
  CONTENTS: place.prefault('local'),
  CONTENTS_CACHE: size('10GiB').prefault('10GiB'),
  S3_ENDPOINT: endpoint.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a region')
    .prefault('us-east-1'),
  S3_PATH_STYLE: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  S3_VERIFY: z.enum(['read', 'off'], { error: 'must be read or off' }).prefault('off'),
  S3_ACCESS_KEY_FILE: secretFile(AccessKey.min(1, 'must not be empty')),
  S3_SECRET_KEY_FILE: secretFile(z.string().min(1, 'must not be empty')),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  IMPORT_PATH: path.optional(),
  IMPORT_SETTLE: durationOrNone('5s').prefault('5s'),
  ADMIN_USERNAME: z
    .string()
    .refine(isCredential, NO_CREDENTIAL)
    .transform((name) => nfc(name).trim())
    .refine((name) => name !== '' && [...name].length <= 32, 'must have 1 to 32 characters')
    .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters')
    .refine((name) => name === '' || showsSomething(name), NOTHING_SHOWN)
    .prefault('admin'),
  ADMIN_PASSWORD: AdminPassword.optional(),
  ADMIN_PASSWORD_FILE: path.optional(),
  JWT_SECRET: JwtSecret.optional(),
  JWT_SECRET_FILE: secretFile(JwtSecret),
  ACCESS_TOKEN_TTL: duration.prefault('15m'),
  REFRESH_TOKEN_TTL: duration.prefault('30d'),
  CONTENT_TOKEN_TTL: duration.prefault('6h'),
  AUTH_RATE_LIMIT: integer(0, 1_000_000).prefault('10'),
  CLIENT_REQUESTS: integer(0, 1_000_000).prefault('64'),
  TRUSTED_PROXIES: list.pipe(z.array(address)).prefault(''),
  MAX_UPLOAD_SIZE: size('2GiB', LARGEST)
    .refine((bytes) => bytes > 0, 'must be more than 0')
    .prefault('2GiB'),
  DISK_RESERVE: size('512MiB').optional(),
  USER_QUOTA: size('50GiB').prefault('0'),
  USER_CHANGES: size('1GiB').prefault('256MiB'),
  TRASH_KEEP: retention(DAY, 'a day').prefault('0'),
  AUDIT_KEEP: retention(2 * DAY, 'two days, which an undo needs').prefault('0'),
  THUMBNAIL_CACHE: size('20GiB')
    .refine((bytes) => bytes > 0, 'must be more than 0')
    .prefault('20GiB'),
  CACHE_SIZE: memory.prefault('64MiB'),
  SETS_SIZE: memory.optional(),
  BACKUP_DIR: path.optional(),
  BACKUP_INTERVAL: duration.prefault('24h'),
  SCRUB_INTERVAL: durationOrNone('30d').prefault('30d'),
  SCRUB_STORE: z.enum(['list', 'read'], { error: 'must be list or read' }).prefault('list'),
  DUPLICATE_HASH_THRESHOLD: integer(0, 64).prefault('8'),
  TIME_ZONE: timeZone.optional(),
  DUPLICATE_RESCAN_INTERVAL: durationOrNone('24h').prefault('24h'),
  DECODER_TIME: duration.optional(),
  DECODER_WALLS: z
    .enum(WALLS, { error: 'must be namespaces, landlock, user or environment' })
    .prefault('namespaces'),
  FFMPEG_PATH: path.prefault('ffmpeg'),
  PASSWORD_MIN_LENGTH: integer(1, 256).prefault('1'),
  CONFIRM_PASSWORD: z.enum(['on', 'off'], { error: 'must be on or off' }).prefault('off'),
  CORS_ORIGINS: list.pipe(z.array(origin)).prefault(''),
  PUBLIC_URL: origin.optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, {
      error: 'must be debug, info, warn, error or silent',
    })
    .prefault('info'),
  LOG_FORMAT: z.enum(LOG_FORMATS, { error: 'must be auto, text or json' }).prefault('auto'),
})

/** The names of all settings, in the order of the documentation. */
export const SETTINGS = Object.keys(Settings.shape)

/** Returns the text of a setting's default, null when it has none of its own. */
export function defaultOf(name: string): string | null {
  const { def } = Settings.shape[name as keyof typeof Settings.shape]
  return 'defaultValue' in def ? String(def.defaultValue) : null
}

export interface Config {
  host: string
  port: number
  /** Absolute. */
  dataDir: string
  /** Where the contents are; null when they are in the data folder. */
  store: StoreSettings | null
  /** How a store is reached, which may be one that contents are moved from. */
  access: StoreAccess
  /**
   * A second place of contents, while they are moved from it: a store, or null for the data folder. The settings never
   * have one, but a library records it.
   */
  oldPlace: { store: StoreSettings | null } | null
  /** Bytes that local copies of contents in a store may have. */
  contentsCache: number
  /** Absolute; null when import is turned off. */
  importPath: string | null
  /** Milliseconds for which a source must have stayed unchanged. */
  importSettle: number
  adminUsername: string
  adminPassword: string | null
  /** A file with the password instead, which may be missing once there is a user. */
  adminPasswordFile: string | null
  jwtSecret: string | null
  /** Lifetimes and intervals are in milliseconds. */
  accessTokenTtl: number
  refreshTokenTtl: number
  contentTokenTtl: number
  /** Failed attempts per minute; 0 means no limit. */
  authRateLimit: number
  /** Requests under way for one client; 0 means no limit. */
  clientRequests: number
  /** Addresses or CIDR blocks. */
  trustedProxies: string[]
  /** Bytes. */
  maxUploadSize: number
  /** Bytes of the disk that are to stay free; null for the default, which depends on its size. */
  diskReserve: number | null
  /** Bytes that the contents of one creator may have together; 0 means no limit. */
  userQuota: number
  /** Bytes that a user's changes may write into the log in a day; 0 means no limit. */
  userChanges: number
  /** Milliseconds after which a file in the trash is purged, and an entry of the audit log deleted; 0 for never. */
  trashKeep: number
  auditKeep: number
  /** Bytes that larger thumbnails and full pictures may have, which are made again when missing. */
  thumbnailCache: number
  /** Bytes of the database's pages that stay in memory. */
  cacheSize: number
  /** Settings of older versions that no longer have an effect. */
  formerSettings: string[]
  /** Absolute; null when the server makes no backups. */
  backupDir: string | null
  backupInterval: number
  /** How often all contents are read and compared; 0 is never. */
  scrubInterval: number
  /** Whether contents in a store are read then; otherwise their list is. */
  isScrubReading: boolean
  duplicateHashThreshold: number
  /** An IANA name. */
  timeZone: string
  /** 0 means never. */
  duplicateRescanInterval: number
  /** Processor time for one file; null for what its size and pixels need. */
  decoderTime: number | null
  /** What to try first to isolate the decoder. */
  decoderWalls: WallLevel
  /** The program; null when it is turned off. */
  ffmpegPath: string | null
  passwordMinLength: number
  /** Whether setting a new password requires the current one. */
  confirmPassword: boolean
  corsOrigins: string[]
  /** The origin under which people reach the server; null when it isn't named. */
  publicUrl: string | null
  logLevel: LogLevel
  logFormat: LogFormat
}

/** The error that names every wrong setting. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Returns the settings in `env`, with defaults for those that are missing. Throws a ConfigError that names every wrong
 * one.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const parsed = Settings.safeParse(env)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  const settings = parsed.data
  if (settings) problems.push(...contradictions(settings))
  if (!settings || problems.length > 0) throw new ConfigError([...new Set(problems)])

  const dataDir = resolve(settings.DATA_DIR)
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    store: storeOf(settings),
    access: accessOf(settings),
    oldPlace: null,
    contentsCache: settings.CONTENTS_CACHE,
    importPath: importPath(settings.IMPORT_PATH, dataDir),
    importSettle: settings.IMPORT_SETTLE,
    adminUsername: settings.ADMIN_USERNAME,
    adminPassword: settings.ADMIN_PASSWORD || null,
    adminPasswordFile: settings.ADMIN_PASSWORD_FILE || null,
    jwtSecret: settings.JWT_SECRET_FILE ?? settings.JWT_SECRET ?? null,
    accessTokenTtl: settings.ACCESS_TOKEN_TTL,
    refreshTokenTtl: settings.REFRESH_TOKEN_TTL,
    contentTokenTtl: settings.CONTENT_TOKEN_TTL,
    authRateLimit: settings.AUTH_RATE_LIMIT,
    clientRequests: settings.CLIENT_REQUESTS,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxUploadSize: settings.MAX_UPLOAD_SIZE,
    diskReserve: settings.DISK_RESERVE ?? null,
    userQuota: settings.USER_QUOTA,
    userChanges: settings.USER_CHANGES,
    trashKeep: settings.TRASH_KEEP,
    auditKeep: settings.AUDIT_KEEP,
    thumbnailCache: settings.THUMBNAIL_CACHE,
    cacheSize: settings.CACHE_SIZE,
    formerSettings: settings.SETS_SIZE === undefined ? [] : ['SETS_SIZE'],
    backupDir: settings.BACKUP_DIR ? resolve(settings.BACKUP_DIR) : null,
    backupInterval: settings.BACKUP_INTERVAL,
    scrubInterval: settings.SCRUB_INTERVAL,
    isScrubReading: settings.SCRUB_STORE === 'read',
    duplicateHashThreshold: settings.DUPLICATE_HASH_THRESHOLD,
    timeZone: settings.TIME_ZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    duplicateRescanInterval: settings.DUPLICATE_RESCAN_INTERVAL,
    decoderTime: settings.DECODER_TIME ?? null,
    decoderWalls: settings.DECODER_WALLS,
    ffmpegPath: settings.FFMPEG_PATH || null,
    passwordMinLength: settings.PASSWORD_MIN_LENGTH,
    confirmPassword: settings.CONFIRM_PASSWORD === 'on',
    corsOrigins: settings.CORS_ORIGINS,
    publicUrl: settings.PUBLIC_URL ?? null,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
  }
}

/**
 * Returns the first admin's password from the settings, or null when they have none. Throws a ConfigError when its file
 * can't be read or holds no valid password.
 */
export function readAdminPassword({
  adminPassword,
  adminPasswordFile,
  passwordMinLength: least,
}: Pick<Config, 'adminPassword' | 'adminPasswordFile' | 'passwordMinLength'>): string | null {
  if (adminPasswordFile === null) return adminPassword
  const parsed = content
    .pipe(
      AdminPassword.refine((text) => text !== '', {
        error: 'must not be empty',
        abort: true,
      }).refine((text) => !isShorter(text, least), tooShort(least)),
    )
    .safeParse(adminPasswordFile)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map(({ message }) => `ADMIN_PASSWORD_FILE ${message}`))
}

function isShorter(password: string, least: number): boolean {
  return [...password].length < least
}

function tooShort(least: number): string {
  return `must have at least ${least} characters`
}

function importPath(setting: string | undefined, dataDir: string): string | null {
  if (setting === '') return null
  return setting === undefined ? defaultImportPath(dataDir) : resolve(setting)
}

/** Returns the folder that files are imported from unless IMPORT_PATH names another. */
export function defaultImportPath(dataDir: string): string {
  return resolve(dataDir, 'import')
}

function contradictions(settings: z.output<typeof Settings>): string[] {
  const problems = storeProblems(settings)
  const { ADMIN_PASSWORD: password, PASSWORD_MIN_LENGTH: least } = settings
  if (password && isShorter(password, least)) problems.push(`ADMIN_PASSWORD ${tooShort(least)}`)
  for (const name of ['ADMIN_PASSWORD', 'JWT_SECRET'] as const) {
    const file = `${name}_FILE` as const
    if (settings[name] && settings[file]) problems.push(`${file} must not be set beside ${name}`)
  }
  const dataDir = resolve(settings.DATA_DIR)
  const folder = importPath(settings.IMPORT_PATH, dataDir)
  const within = (inner: string, outer: string) => !/^\.\.(\/|$)/.test(relative(outer, inner))
  const backupDir = settings.BACKUP_DIR && resolve(settings.BACKUP_DIR)
  if (backupDir && (within(backupDir, dataDir) || within(dataDir, backupDir))) {
    problems.push('BACKUP_DIR must not be in DATA_DIR or contain it')
  }
  if (folder && folder !== defaultImportPath(dataDir)) {
    if (within(folder, dataDir)) problems.push('IMPORT_PATH must not be in DATA_DIR')
    if (within(dataDir, folder)) problems.push('IMPORT_PATH must not contain DATA_DIR')
    // An import removes the files that it has imported.
    if (backupDir && within(backupDir, folder)) {
      problems.push('BACKUP_DIR must not be in IMPORT_PATH')
    }
  }
  return problems
}

/**
 * Returns the settings of this process, from its environment and the `.env` file in its folder. Throws as `parseConfig`
 * does, and for errors in that file.
 */
export function readConfig(): Config {
  const { values, problems } = readSettings()
  try {
    const config = parseConfig(values)
    if (problems.length === 0) return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
  }
  throw new ConfigError(problems)
}

/** Returns the text of the settings in the environment of this process and the `.env` file in its folder. */
export function readSettings(): Environment {
  return readEnvironment({ ...process.env, ...handedKey() }, process.cwd(), SETTINGS)
}

let handed: Record<string, string> | null = null

// A server hands the key of its store to its own processes by their standard input.
function handedKey(): Record<string, string> {
  if (process.env[KEY_HANDED] === undefined) return {}
  handed ??= JSON.parse(readFileSync(0, 'utf8')) as Record<string, string>
  return handed
}
