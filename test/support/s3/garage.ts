import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { without } from '../media/media.ts'
import { startDaemon } from './daemon.ts'
import type { Kind } from './kind.ts'

/** One node, which makes its key and its bucket by itself. */
export const GARAGE: Kind = {
  region: 'garage',
  isConditional: false,
  listsUploads: true,
  missing: () => without('garage', '--version'),
  async prepare({ folder, port, inner, secretKey }) {
    const settings = `metadata_dir = "${folder}/meta"
data_dir = "${folder}/data"
db_engine = "lmdb"
metadata_fsync = true
data_fsync = true
replication_factor = 1
rpc_bind_addr = "127.0.0.1:${inner}"
rpc_public_addr = "127.0.0.1:${inner}"
rpc_secret = "${secretKey}"

[s3_api]
api_bind_addr = "127.0.0.1:${port}"
s3_region = "garage"
`
    await writeFile(join(folder, 'garage.toml'), settings, { mode: 0o600 })
  },
  async start({ folder, accessKey, secretKey, bucket }, started) {
    const args = ['-c', join(folder, 'garage.toml'), 'server', '--single-node', '--default-bucket']
    const env = {
      GARAGE_DEFAULT_ACCESS_KEY: accessKey,
      GARAGE_DEFAULT_SECRET_KEY: secretKey,
      GARAGE_DEFAULT_BUCKET: bucket,
    }
    started(startDaemon('garage', args, env))
  },
}
