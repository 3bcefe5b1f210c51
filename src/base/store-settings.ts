import { z } from 'zod'

/** Where the contents are, if they are objects in a store that others run, and with which key they are reached. */
export interface StoreSettings {
  /** The origin of the service, without a path. */
  endpoint: string
  region: string
  bucket: string
  /** How the names of all objects begin: empty, or with a slash at the end. */
  prefix: string
  /** Whether the bucket is the first part of the path; otherwise it is a part of the host's name. */
  isPathStyle: boolean
  /** Whether an object counts as stored only once it was read again and has its digest. */
  isReadBack: boolean
  accessKey: string
  secretKey: string
}

type Place = Pick<StoreSettings, 'bucket' | 'prefix'>
/** How a store is reached, whatever is looked for in it. */
export type StoreAccess = Omit<StoreSettings, keyof Place>

const PLACE = 'must be local, or a bucket and a prefix like s3://family/photos'

/** The place of the contents: null for the data folder. */
export const place = z.string().transform((text, context): Place | null => {
  if (text === '' || text === 'local') return null
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(text) ?? []
  const parts = path.split('/').slice(1)
  if (bucket !== undefined && !parts.some((part) => /^\.+$/.test(part))) {
    return { bucket, prefix: parts.map((part) => `${part}/`).join('') }
  }
  context.addIssue({ code: 'custom', message: PLACE })
  return z.NEVER
})

/** Returns a place as CONTENTS names it, always in the same way. */
export function placeText(place: Place | null): string {
  return place ? `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, '') : 'local'
}

// What is sent unencrypted stays in the house: to this machine, to a private address, or to a name without a domain.
const NEAR =
  /^(localhost|[^.:]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[(::1|f[cd].*)\])$/

/** The origin of a service. */
export const endpoint = z.string().transform((text, context) => {
  if (/^https?:\/\/[^/?#@\\]+\/?$/i.test(text) && URL.canParse(text)) {
    const { protocol, hostname, origin } = new URL(text)
    if (protocol === 'https:' || NEAR.test(hostname)) return origin
  }
  context.addIssue({
    code: 'custom',
    message: 'must be like https://s3.example.org; http only for an address of the home network',
  })
  return z.NEVER
})

interface Given {
  CONTENTS: Place | null
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_PATH_STYLE?: 'on' | 'off' | undefined
  S3_VERIFY: 'read' | 'off'
  S3_ACCESS_KEY_FILE?: string | undefined
  S3_SECRET_KEY_FILE?: string | undefined
  AWS_ACCESS_KEY_ID?: string | undefined
  AWS_SECRET_ACCESS_KEY?: string | undefined
}

/** Returns the store of the settings, or null when the contents are in the data folder. */
export function storeOf(given: Given): StoreSettings | null {
  return given.CONTENTS && { ...given.CONTENTS, ...accessOf(given) }
}

/** Returns how a store of the settings is reached; its keys are empty when there are none. */
export function accessOf(given: Given): StoreAccess {
  const { S3_REGION: region, S3_PATH_STYLE: style } = given
  const endpoint = given.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`
  return {
    ...{ endpoint, region },
    isPathStyle: style === undefined ? !endpoint.endsWith('.amazonaws.com') : style === 'on',
    isReadBack: given.S3_VERIFY === 'read',
    accessKey: given.S3_ACCESS_KEY_FILE ?? given.AWS_ACCESS_KEY_ID ?? '',
    secretKey: given.S3_SECRET_KEY_FILE ?? given.AWS_SECRET_ACCESS_KEY ?? '',
  }
}

/** An access key. It is sent as it is, and a runtime that can't send it would tell it with the error. */
export const ACCESS_KEY = /^[!-~]*$/

/** Returns what is missing for the store of the settings. */
export function storeProblems(given: Given): string[] {
  const store = storeOf(given)
  if (!store) return []
  const problems: string[] = []
  if (!store.accessKey) {
    problems.push('S3_ACCESS_KEY_FILE or AWS_ACCESS_KEY_ID must be set for CONTENTS')
  }
  if (!ACCESS_KEY.test(store.accessKey)) {
    problems.push('AWS_ACCESS_KEY_ID must be the access key alone, without spaces')
  }
  if (!store.secretKey) {
    problems.push('S3_SECRET_KEY_FILE or AWS_SECRET_ACCESS_KEY must be set for CONTENTS')
  }
  return problems
}

/** Tells a process of one's own that its standard input holds a key. */
export const KEY_HANDED = 'TAGSTEAD_KEY_HANDED'

/**
 * Returns the settings of the stores for a process of one's own, and apart from them its key, which must not stand in the
 * environment.
 */
export function settingsOfStore(
  store: StoreSettings | null,
  oldStore: StoreSettings | null = null,
): {
  settings: NodeJS.ProcessEnv
  key: NodeJS.ProcessEnv
} {
  const reached = store ?? oldStore
  if (!reached) return { settings: {}, key: {} }
  const { accessKey, secretKey, endpoint, region, isPathStyle, isReadBack } = reached
  return {
    settings: {
      [KEY_HANDED]: '',
      CONTENTS: placeText(store),
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_PATH_STYLE: isPathStyle ? 'on' : 'off',
      S3_VERIFY: isReadBack ? 'read' : 'off',
    },
    key: { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey },
  }
}
