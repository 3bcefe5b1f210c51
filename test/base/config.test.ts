import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { parseEnv } from 'node:util'
import {
  type Config,
  ConfigError,
  defaultOf,
  parseConfig,
  readAdminPassword,
  SETTINGS,
} from '../../src/base/config.ts'
import { readEnvironment } from '../../src/base/env-file.ts'

const problems = (env: Record<string, string>, use: (config: Config) => unknown = () => {}) => {
  try {
    use(parseConfig(env))
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

/** Returns what is wrong when the password of the first admin is read. */
const unread = (env: Record<string, string>) => problems(env, readAdminPassword)

describe('the settings', () => {
  it('have the defaults of the documentation', () => {
    assert.deepEqual(parseConfig({}), {
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('data'),
      store: null,
      access: {
        endpoint: 'https://s3.us-east-1.amazonaws.com',
        region: 'us-east-1',
        isPathStyle: false,
        isReadBack: false,
        accessKey: '',
        secretKey: '',
      },
      oldPlace: null,
      contentsCache: 10 * 2 ** 30,
      importPath: resolve('data/import'),
      importSettle: 5000,
      adminUsername: 'admin',
      adminPassword: null,
      adminPasswordFile: null,
      jwtSecret: null,
      accessTokenTtl: 15 * 60_000,
      refreshTokenTtl: 30 * 86_400_000,
      contentTokenTtl: 6 * 3_600_000,
      authRateLimit: 10,
      clientRequests: 64,
      trustedProxies: [],
      maxUploadSize: 2 * 2 ** 30,
      diskReserve: null,
      userQuota: 0,
      userChanges: 256 * 1024 * 1024,
      trashKeep: 0,
      auditKeep: 0,
      thumbnailCache: 20 * 2 ** 30,
      cacheSize: 64 * 2 ** 20,
      formerSettings: [],
      backupDir: null,
      backupInterval: 86_400_000,
      scrubInterval: 30 * 86_400_000,
      isScrubReading: false,
      duplicateHashThreshold: 8,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      duplicateRescanInterval: 86_400_000,
      decoderTime: null,
      decoderWalls: 'namespaces',
      ffmpegPath: 'ffmpeg',
      passwordMinLength: 1,
      confirmPassword: false,
      corsOrigins: [],
      publicUrl: null,
      logLevel: 'info',
      logFormat: 'auto',
    })
  })

  it('are read with their units and lists', () => {
    const config = parseConfig({
      DATA_DIR: '/srv/photos',
      IMPORT_PATH: '/srv/incoming',
      MAX_UPLOAD_SIZE: '500MiB',
      DISK_RESERVE: '0',
      USER_QUOTA: '20GiB',
      ACCESS_TOKEN_TTL: '90s',
      REFRESH_TOKEN_TTL: '7d',
      TIME_ZONE: 'America/St_Johns',
      DUPLICATE_RESCAN_INTERVAL: '0',
      BACKUP_DIR: '/mnt/usb',
      BACKUP_INTERVAL: '12h',
      SCRUB_INTERVAL: '0',
      SCRUB_STORE: 'read',
      TRUSTED_PROXIES: '127.0.0.1, ::1,10.0.0.0/8',
      CORS_ORIGINS: 'https://a.example, http://localhost:5173',
      PUBLIC_URL: 'https://Photos.example.org/',
      FFMPEG_PATH: '',
      ADMIN_USERNAME: '  Zoe\u0308 ',
      ADMIN_PASSWORD: '',
    })
    assert.equal(config.dataDir, '/srv/photos')
    assert.equal(config.importPath, '/srv/incoming')
    assert.equal(config.maxUploadSize, 500 * 2 ** 20)
    assert.equal(config.diskReserve, 0)
    assert.equal(config.userQuota, 20 * 2 ** 30)
    assert.equal(config.accessTokenTtl, 90_000)
    assert.equal(config.refreshTokenTtl, 7 * 86_400_000)
    assert.equal(config.timeZone, 'America/St_Johns')
    assert.equal(config.duplicateRescanInterval, 0)
    assert.deepEqual([config.backupDir, config.backupInterval], ['/mnt/usb', 12 * 3_600_000])
    assert.deepEqual([config.scrubInterval, config.isScrubReading], [0, true])
    assert.deepEqual(config.trustedProxies, ['127.0.0.1', '::1', '10.0.0.0/8'])
    assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://localhost:5173'])
    assert.equal(config.publicUrl, 'https://photos.example.org')
    assert.equal(config.ffmpegPath, null)
    assert.equal(config.adminUsername, 'Zo\u00eb')
    assert.equal(config.adminPassword, null)
  })

  it('may be one of an older version, which is of no effect', () => {
    assert.deepEqual(parseConfig({ SETS_SIZE: '64MiB' }).formerSettings, ['SETS_SIZE'])
  })

  it('may be as large as a hundred years, and some terabytes', () => {
    const config = parseConfig({ REFRESH_TOKEN_TTL: '36500d', MAX_UPLOAD_SIZE: '2900GiB' })
    assert.equal(config.refreshTokenTtl, 36_500 * 86_400_000)
    assert.equal(config.maxUploadSize, 2900 * 2 ** 30)
    // An answer must be able to tell when it ends.
    assert.ok(new Date(Date.now() + config.refreshTokenTtl).getUTCFullYear() < 9999)
  })

  it('may be as large as any disk, where they are no upload', () => {
    const most = parseConfig({ USER_QUOTA: '4000GiB', DISK_RESERVE: '8388607GiB' })
    assert.equal(most.userQuota, 4000 * 2 ** 30)
    assert.equal(most.diskReserve, 2 ** 53 - 2 ** 30)
  })

  it('have sizes as people write them', () => {
    const sizes = { '4GiB': 2 ** 32, '4G': 2 ** 32, '4GB': 4e9, '1TiB': 2 ** 40, '5kB': 5000 }
    for (const [text, bytes] of Object.entries(sizes)) {
      assert.equal(parseConfig({ USER_QUOTA: text }).userQuota, bytes, text)
    }
  })

  it('have origins as browsers send them', () => {
    const text = 'https://Photos.Example.org/, http://[::1]:8080/,https://a.example:443'
    assert.deepEqual(parseConfig({ CORS_ORIGINS: text }).corsOrigins, [
      'https://photos.example.org',
      'http://[::1]:8080',
      'https://a.example',
    ])
  })

  it('turn import off by an empty path', () => {
    assert.equal(parseConfig({ IMPORT_PATH: '' }).importPath, null)
  })

  const wrong: Record<string, string[]> = {
    HOST: [''],
    PORT: ['', '-1', '65536', '3000x', '3.5', '0x10'],
    DATA_DIR: ['', '~/photos', '~'],
    CONTENTS: ['s3://', 's3://A', 's3://family/../x', 's3://family/a b', 's3:/family', '/mnt'],
    CONTENTS_CACHE: ['', '10'],
    S3_ENDPOINT: [
      '',
      's3.example.org',
      'http://s3.example.org',
      'http://8.8.8.8',
      'https://key@s3.example.org',
      'https://s3.example.org/x',
    ],
    S3_REGION: ['', 'a b'],
    S3_PATH_STYLE: ['', 'auto'],
    S3_VERIFY: ['', 'on'],
    S3_ACCESS_KEY_FILE: ['/nowhere'],
    S3_SECRET_KEY_FILE: ['~/key'],
    IMPORT_PATH: ['~/incoming'],
    BACKUP_DIR: ['~ann/backup'],
    FFMPEG_PATH: ['~/bin/ffmpeg'],
    ADMIN_PASSWORD_FILE: ['~/password'],
    ADMIN_USERNAME: ['', ' ', 'x'.repeat(33), `x${'\u0301'.repeat(31)}`, ' '.repeat(1025)],
    ADMIN_PASSWORD: ['x'.repeat(257), '\u0301'.repeat(31)],
    JWT_SECRET: ['', 'x'.repeat(31)],
    JWT_SECRET_FILE: ['/nowhere', '/'],
    ACCESS_TOKEN_TTL: ['', '0', '0s', '15', '-1m', '1.5h', '15M', '36501d', '999999999d'],
    REFRESH_TOKEN_TTL: ['forever', '876001h'],
    CONTENT_TOKEN_TTL: ['6 h'],
    AUTH_RATE_LIMIT: ['-1', 'off'],
    TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', '1.2.3'],
    THUMBNAIL_CACHE: ['', '0', '0B', '2gB', '2', '-1GiB'],
    CACHE_SIZE: ['', '0', '64', '1023KiB', '1025GiB'],
    SETS_SIZE: ['', '0', '-1MiB', '1B', '2048GiB'],
    MAX_UPLOAD_SIZE: ['', '0', '0B', '2 GB', '2', '2gib', '3000GiB', '999999999GiB'],
    DISK_RESERVE: ['', '2%', '-1', '500mb', '8388608GiB'],
    USER_QUOTA: ['', 'none', '1.5GiB', '8388608GiB'],
    DUPLICATE_HASH_THRESHOLD: ['65', '-1', ''],
    DECODER_TIME: ['', '0', '0s', '15', 'long'],
    TIME_ZONE: ['', 'Mars/Olympus', '+02:00', 'local'],
    DUPLICATE_RESCAN_INTERVAL: ['1', '1w', '36501d'],
    PASSWORD_MIN_LENGTH: ['0', '257'],
    DECODER_WALLS: ['', 'on', 'Namespaces'],
    CONFIRM_PASSWORD: ['', 'true', 'ON'],
    CORS_ORIGINS: [
      '*',
      'https://a.example/x',
      'a.example',
      'null',
      'ftp://a.example',
      'https://u@a.example',
    ],
    PUBLIC_URL: ['', 'photos.example.org', 'https://photos.example.org/tagstead'],
    BACKUP_INTERVAL: ['', '0', '1w'],
    SCRUB_INTERVAL: ['', '30', '1w', '36501d'],
    SCRUB_STORE: ['', 'on'],
    LOG_LEVEL: ['', 'verbose'],
    LOG_FORMAT: ['', 'xml'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    it(`name ${name} when it is wrong`, () => {
      for (const value of values) {
        const found = problems({ [name]: value })
        assert.ok(found.length > 0, `${JSON.stringify(value)} was taken`)
        for (const problem of found) assert.match(problem, new RegExp(`^${name} \\S`))
      }
    })
  }

  it('name every wrong one at once', () => {
    const env = Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value!]))
    const named = new Set(problems(env).map((problem) => problem.split(' ')[0]))
    assert.deepEqual([...named].sort(), Object.keys(wrong).sort())
  })

  it('must not contradict each other', () => {
    assert.match(
      problems({ ADMIN_PASSWORD: 'short', PASSWORD_MIN_LENGTH: '12' }).join(),
      /^ADMIN_PASSWORD must have at least 12/,
    )
    const dataDir = '/srv/photos'
    const path = (IMPORT_PATH: string) => problems({ DATA_DIR: dataDir, IMPORT_PATH }).join()
    assert.match(path('/srv/photos/files'), /must not be in DATA_DIR/)
    assert.match(path('/srv'), /must not contain DATA_DIR/)
    assert.match(path('/'), /must not contain DATA_DIR/)
    assert.match(path(dataDir), /IMPORT_PATH/)
    const backups = (BACKUP_DIR: string) => problems({ DATA_DIR: dataDir, BACKUP_DIR })
    for (const within of [dataDir, `${dataDir}/backups`, '/srv', '/']) {
      assert.deepEqual(backups(within), ['BACKUP_DIR must not be in DATA_DIR or contain it'])
    }
    assert.deepEqual(backups('/srv/photos-backup'), [])
    const beside = (BACKUP_DIR: string) =>
      problems({ DATA_DIR: dataDir, IMPORT_PATH: '/mnt/usb', BACKUP_DIR })
    for (const within of ['/mnt/usb', '/mnt/usb/backups']) {
      assert.deepEqual(beside(within), ['BACKUP_DIR must not be in IMPORT_PATH'])
    }
    for (const outside of ['/mnt', '/mnt/usb-backup']) assert.deepEqual(beside(outside), [])
    assert.equal(path('/srv/photos/import'), '')
    assert.equal(path('/srv/photos-incoming'), '')
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-secrets-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = (text: string) => {
    const path = join(folder, 'secret')
    writeFileSync(path, text)
    return path
  }
  const SECRET = 'x'.repeat(32)

  it("is its content without one line's end", () => {
    const secret = (text: string) => parseConfig({ JWT_SECRET_FILE: file(text) }).jwtSecret
    assert.equal(secret(SECRET), SECRET)
    assert.equal(secret(`${SECRET}\n`), SECRET)
    assert.equal(secret(`${SECRET}\r\n`), SECRET)
    assert.equal(secret(` ${SECRET} \n\n`), ` ${SECRET} \n`)
    const password = (text: string) =>
      readAdminPassword(parseConfig({ ADMIN_PASSWORD_FILE: file(text) }))
    assert.equal(password('p\u00e4ss wort\n'), 'p\u00e4ss wort')
  })

  it('must be as long as it would have to be in the environment', () => {
    assert.deepEqual(problems({ JWT_SECRET_FILE: file(`${'x'.repeat(31)}\n`) }), [
      'JWT_SECRET_FILE must have at least 32 characters',
    ])
    assert.deepEqual(unread({ ADMIN_PASSWORD_FILE: file('\n') }), [
      'ADMIN_PASSWORD_FILE must not be empty',
    ])
    assert.deepEqual(unread({ ADMIN_PASSWORD_FILE: file('x'.repeat(257)) }), [
      'ADMIN_PASSWORD_FILE must have at most 256 characters',
    ])
    const env = { ADMIN_PASSWORD_FILE: file('short\n'), PASSWORD_MIN_LENGTH: '6' }
    assert.deepEqual(unread(env), ['ADMIN_PASSWORD_FILE must have at least 6 characters'])
  })

  it('must not stand in the environment too', () => {
    const path = file(SECRET)
    const env = { JWT_SECRET: SECRET, JWT_SECRET_FILE: path }
    assert.deepEqual(problems(env), ['JWT_SECRET_FILE must not be set beside JWT_SECRET'])
    assert.deepEqual(problems({ ADMIN_PASSWORD: 'x', ADMIN_PASSWORD_FILE: path }), [
      'ADMIN_PASSWORD_FILE must not be set beside ADMIN_PASSWORD',
    ])
    // An empty one stands for none.
    const empty = parseConfig({ ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: path })
    assert.equal(readAdminPassword(empty), SECRET)
    const none = parseConfig({ ADMIN_PASSWORD: 'x', ADMIN_PASSWORD_FILE: '', JWT_SECRET_FILE: '' })
    assert.deepEqual([readAdminPassword(none), none.jwtSecret], ['x', null])
  })
})

describe('the store of the contents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-keys-'))
  after(() => rmSync(folder, { recursive: true }))
  const KEY = { AWS_ACCESS_KEY_ID: 'AKEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret' }
  const store = (env: Record<string, string>) => parseConfig({ ...KEY, ...env }).store

  it('is a bucket, and how the names of its objects begin', () => {
    assert.equal(store({}), null)
    assert.equal(store({ CONTENTS: 'local' }), null)
    assert.deepEqual(store({ CONTENTS: 's3://family' }), {
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      bucket: 'family',
      prefix: '',
      isPathStyle: false,
      isReadBack: false,
      accessKey: 'AKEXAMPLE',
      secretKey: 'the secret',
    })
    const garage = { S3_ENDPOINT: 'http://garage:3900/', S3_REGION: 'garage' }
    const { endpoint, region, prefix, isPathStyle } = store({
      CONTENTS: 's3://family/our/photos/',
      ...garage,
    })!
    assert.deepEqual(
      { endpoint, region, prefix, isPathStyle },
      {
        endpoint: 'http://garage:3900',
        region: 'garage',
        prefix: 'our/photos/',
        isPathStyle: true,
      },
    )
    assert.equal(
      store({ CONTENTS: 's3://family', ...garage, S3_PATH_STYLE: 'off' })?.isPathStyle,
      false,
    )
    assert.equal(store({ CONTENTS: 's3://family', S3_VERIFY: 'read' })?.isReadBack, true)
    for (const host of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '[fd00::1]',
      '172.16.0.9',
      '192.168.1.2',
    ]) {
      assert.deepEqual(problems({ S3_ENDPOINT: `http://${host}:9000` }), [], host)
    }
  })

  it('needs a key, which may be in files', () => {
    assert.deepEqual(problems({ CONTENTS: 's3://family' }), [
      'S3_ACCESS_KEY_FILE or AWS_ACCESS_KEY_ID must be set for CONTENTS',
      'S3_SECRET_KEY_FILE or AWS_SECRET_ACCESS_KEY must be set for CONTENTS',
    ])
    const path = join(folder, 'secret')
    writeFileSync(path, 'another secret\n')
    const { accessKey, secretKey } = store({ CONTENTS: 's3://family', S3_SECRET_KEY_FILE: path })!
    assert.deepEqual([accessKey, secretKey], ['AKEXAMPLE', 'another secret'])
  })

  it('has an access key alone in its file, which is not told otherwise', () => {
    const path = join(folder, 'credentials')
    writeFileSync(path, '[default]\naws_access_key_id=AKEXAMPLE\naws_secret_access_key=hush\n')
    assert.deepEqual(problems({ CONTENTS: 's3://family', S3_ACCESS_KEY_FILE: path, ...KEY }), [
      'S3_ACCESS_KEY_FILE must be the access key alone, without spaces',
    ])
    const env = { ...KEY, AWS_ACCESS_KEY_ID: 'AK EXAMPLE' }
    assert.deepEqual(problems({ CONTENTS: 's3://family', ...env }), [
      'AWS_ACCESS_KEY_ID must be the access key alone, without spaces',
    ])
    assert.deepEqual(problems(env), [])
  })
})

describe('the .env file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-env-'))
  after(() => rmSync(folder, { recursive: true }))

  const read = (text: string, env: Record<string, string> = {}) => {
    writeFileSync(join(folder, '.env'), text)
    return readEnvironment(env, folder, SETTINGS)
  }

  it('adds to the environment, which wins', () => {
    assert.deepEqual(readEnvironment({ PORT: '1' }, folder, SETTINGS), {
      values: { PORT: '1' },
      ofFile: new Set(),
      problems: [],
    })
    const text = '\ufeff# a comment\r\nPORT=2\r\nADMIN_PASSWORD="with # and spaces"\r\n'
    assert.deepEqual(read(text, { PORT: '1' }), {
      values: { PORT: '1', ADMIN_PASSWORD: 'with # and spaces' },
      ofFile: new Set(['ADMIN_PASSWORD']),
      problems: [],
    })
  })

  it('may hold what is for other programs', () => {
    const text = [
      'COMPOSE_PROJECT_NAME=photos',
      'TZ=Europe/Rome',
      'export LOG_LEVEL = warn',
      'NOTE="two',
      'lines" # of which the second is no name',
      "LANG='C'",
    ].join('\n')
    assert.deepEqual(read(text).problems, [])
  })

  it('has a name that is nearly a setting, or a line without a value, told with the nearest name', () => {
    const text = [
      'ADMIN_PASWORD=secret',
      'PROT=8080',
      'data_dir=/srv/photos',
      'PORT 8080',
      '',
      'BACKUP-DIR: /mnt/usb',
      'hello',
    ].join('\n')
    assert.deepEqual(read(text).problems, [
      '.env, line 1: ADMIN_PASWORD is no setting: is it ADMIN_PASSWORD?',
      '.env, line 2: PROT is no setting: is it PORT?',
      '.env, line 3: data_dir is no setting: is it DATA_DIR?',
      '.env, line 4, has no "=": is it PORT=…?',
      '.env, line 6, has no "=": is it BACKUP_DIR=…?',
      '.env, line 7, has no "="',
    ])
  })

  it('has a quote told that is not closed, behind which nothing is looked at', () => {
    const text = ['PORT=8080', "ADMIN_PASSWORD='it", 'DATA_DIRR=/srv/photos'].join('\n')
    assert.deepEqual(read(text).problems, [".env, line 2: the quote ' is not closed"])
  })
})

describe('.env.example', () => {
  it('has every setting, with the default that it has', () => {
    const text = readFileSync('.env.example', 'utf8')
    const lines = [...text.matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)]
    assert.deepEqual(
      lines.map(([, name]) => name),
      SETTINGS,
    )
    for (const [, name, value] of lines) {
      const standard = defaultOf(name!)
      if (standard !== null) assert.equal(value, standard, name)
    }
    // As it is, it changes nothing.
    assert.deepEqual(parseEnv(text), {})
  })
})
