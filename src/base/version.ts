import { readFileSync } from 'node:fs'
import { PACKAGE_FILE } from './paths.ts'

const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string }

/** The version of the product, which is also that of the API. */
export const VERSION = version
