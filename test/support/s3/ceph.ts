import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { without } from '../media/media.ts'
import { startDaemon } from './daemon.ts'
import type { Kind, Place } from './kind.ts'

const run = promisify(execFile)

/** One monitor, one OSD and a gateway, with neither a manager nor keys among themselves. */
export const CEPH: Kind = {
  region: 'default',
  isConditional: true,
  listsUploads: true,
  missing: () =>
    ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'].reduce<string | false>(
      (found, program) => found || without(program, '--version'),
      false,
    ),
  async prepare(place) {
    const { folder, inner } = place
    for (const name of ['mon', 'osd', 'rgw', 'run']) await mkdir(join(folder, name))
    const cluster = randomUUID()
    const monitor = `[v2:127.0.0.1:${inner}/0]`
    await writeFile(join(folder, 'ceph.conf'), settingsFor(place, { cluster, monitor }))
    const map = join(folder, 'monmap')
    const its = ['--create', '--fsid', cluster, '--addv', 'a', monitor]
    await run('monmaptool', [...by(place), ...its, map])
    await run('ceph-mon', [...by(place), '--mkfs', '-i', 'a', '--monmap', map])
  },
  async start(place, started) {
    const ask = (...args: string[]) => run('ceph', [...by(place), '--connect-timeout=60', ...args])
    started(startDaemon('ceph-mon', ['-f', '-i', 'a', ...by(place)]))
    const { stdout } = await ask('osd', 'ls')
    if (!stdout.trim()) {
      const uuid = randomUUID()
      await ask('osd', 'new', uuid)
      await run('ceph-osd', [...by(place), '-i', '0', '--mkfs', '--osd-uuid', uuid])
    }
    started(startDaemon('ceph-osd', ['-f', '-i', '0', ...by(place)]))
    // A gateway that asks the OSD earlier tries the address of before the kill for ten seconds.
    const status = ['--admin-daemon', join(place.folder, 'run', 'osd.0.asok'), 'status']
    await eventually(async () => {
      const answer = await run('ceph', status).catch(() => null)
      return answer?.stdout.includes('"state": "active"')
    })
    started(startDaemon('radosgw', ['-f', '-n', 'client.admin', ...by(place)]))
  },
  async makeKey(place) {
    const user = ['--uid=tagstead', '--display-name=Tagstead']
    const keys = [`--access-key=${place.accessKey}`, `--secret-key=${place.secretKey}`]
    await run('radosgw-admin', [...by(place), 'user', 'create', ...user, ...keys])
  },
}

function by({ folder }: Place): string[] {
  return ['-c', join(folder, 'ceph.conf')]
}

// The disk is a file that grows; what would wait for a cluster's other nodes doesn't.
function settingsFor(
  { folder, port }: Place,
  { cluster, monitor }: { cluster: string; monitor: string },
): string {
  return `[global]
fsid = ${cluster}
mon_host = ${monitor}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# A gateway insists on encryption, which needs keys, and says nothing while it has none.
ms_mon_client_mode = crc
mon_allow_pool_size_one = true
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_class_load_list = *
osd_class_default_list = *
paxos_propose_interval = 0.05
mon_data = ${folder}/mon
osd_data = ${folder}/osd
osd_objectstore = bluestore
bluestore_block_size = 17179869184
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
rgw_data = ${folder}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_enable_apis = s3
rgw_thread_pool_size = 32
rgw_num_control_oids = 1
rgw_gc_max_objs = 1
rgw_lc_max_objs = 1
run_dir = ${folder}/run
admin_socket =
pid_file =
log_file = ${folder}/$name.log

[osd]
admin_socket = ${folder}/run/$name.asok
`
}
