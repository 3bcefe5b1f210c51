import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { signIn } from '../support/backups.ts'
import { addManyFiles } from '../support/many-files.ts'
import { type Runtime, spawnServer } from '../support/spawn.ts'
import { printTable, resident } from './measure.ts'

const FILES = 1000
const ANSWERS = 20
const PATH = '/api/v1/files/duplicates?limit=1'

/**
 * Prints how much memory 20 answers take that nobody reads, each a cluster of half a million pairs, 51 MB:
 * while the system's buffers fill, and then.
 */
export async function bench(): Promise<void> {
  if (!existsSync('/proc/self/status')) {
    process.stdout.write('\nunread: needs the /proc of Linux\n')
    return
  }
  printTable(`${ANSWERS} unread clusters of ${FILES} files, in MiB: at most 60 in the end`, [
    await rowOf('bun'),
    await rowOf('node'),
  ])
}

async function rowOf(runtime: Runtime) {
  const server = await spawnServer({ runtime })
  const { pid } = server.process
  try {
    addCluster(join(server.dataDir, 'tagstead.sqlite'))
    const { access_token: token } = await signIn(server)
    const headers = { authorization: `Bearer ${token}` }
    let bytes = 0
    // The first ones make the heap as large as it stays.
    for (let n = 0; n < 3; n++) {
      bytes = (await (await fetch(server.url + PATH, { headers })).arrayBuffer()).byteLength
    }
    await delay(5000)
    const idle = resident(pid, 'VmRSS')
    const { port, hostname } = new URL(server.url)
    const sockets = []
    for (let n = 0; n < ANSWERS; n++) {
      const socket = connect(Number(port), hostname).pause()
      await once(socket, 'connect')
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
      sockets.push(socket)
    }
    let most = 0
    for (let n = 0; n < 50; n++) {
      await delay(100)
      most = Math.max(most, resident(pid, 'VmRSS'))
    }
    const last = resident(pid, 'VmRSS')
    for (const socket of sockets) socket.destroy()
    return { runtime, bytes, idle, most: most - idle, 'in the end': last - idle }
  } finally {
    await server.stop()
  }
}

/** Files of which each looks like each other. */
function addCluster(database: string): void {
  const db = openDatabase(database)
  write(db, { now: 0 }, () => {
    addManyFiles(db, FILES, { owner: 1 })
    db.run('UPDATE files SET phash = rid')
    db.run(
      'INSERT INTO duplicate_scans (id, threshold, started_at, is_current) VALUES (1, 8, 0, 1)',
    )
    db.run('INSERT INTO duplicate_members SELECT 1, rid, rid, rid FROM files')
    db.run(
      `INSERT INTO duplicate_pairs SELECT 1, a.rid, b.rid, 5 FROM files a JOIN files b ON a.rid < b.rid`,
    )
  })
  db.close()
}
