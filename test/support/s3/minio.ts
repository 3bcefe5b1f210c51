import { join } from 'node:path'
import { without } from '../media/media.ts'
import { startDaemon } from './daemon.ts'
import type { Kind } from './kind.ts'

/** One process on one folder, whose administrator is the only user. */
export const MINIO: Kind = {
  region: 'us-east-1',
  isConditional: true,
  listsUploads: false,
  missing: () => without('minio', '--version'),
  async prepare() {},
  async start({ folder, port, inner, accessKey, secretKey }, started) {
    const addresses = [`--address=127.0.0.1:${port}`, `--console-address=127.0.0.1:${inner}`]
    const certificates = `--certs-dir=${join(folder, 'certificates')}`
    const env = {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    }
    const args = ['server', certificates, ...addresses, join(folder, 'data')]
    started(startDaemon('minio', args, env))
  },
}
