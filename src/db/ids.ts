import { randomBytes } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { MINUTE } from '../base/time.ts'
import { blobToUuid, uuidToBlob } from './columns.ts'
import { prepared } from './prepared.ts'
import { reading } from './reading.ts'
import { files } from './schema/files.ts'
import { pools } from './schema/pools.ts'
import { categories, tags } from './schema/tags.ts'
import type { Tx } from './write.ts'

type ObjectTable = typeof files | typeof tags | typeof categories | typeof pools

const lastId = (table: ObjectTable) =>
  prepared({}, (db) =>
    reading({ id: table.id }, (fields) =>
      db.select(fields).from(table).orderBy(desc(table.rid)).limit(1),
    ),
  )
const LAST_IDS = {
  files: lastId(files),
  tags: lastId(tags),
  categories: lastId(categories),
  pools: lastId(pools),
}

/**
 * Returns a UUID v7 (RFC 9562) for a row that is about to be inserted. It is greater than the id of the table's last
 * row, so that ids are in the order of creation even if the clock steps back a little or another process writes. If
 * that row is far in the future, its clock was wrong, and ids start again from the present.
 */
export function newId(tx: Tx, table: keyof typeof LAST_IDS): string {
  const last = LAST_IDS[table].get(tx, {})
  const fresh = blobToUuid(uuidV7(tx.now))
  if (!last || fresh > last.id || idTime(last.id) > tx.now + MINUTE) return fresh
  return blobToUuid(successor(uuidToBlob(last.id)))
}

/** Returns the time in a UUID v7, in milliseconds since 1970-01-01 UTC. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

// A UUID v7 has 48 bits for the milliseconds since 1970.
const LAST_ID_TIME = 2 ** 48 - 1

/** Returns the first id of a time, which no row has. */
export function firstIdAt(time: number): Uint8Array {
  const id = Buffer.alloc(16)
  id.writeUIntBE(Math.min(Math.max(time, 0), LAST_ID_TIME), 0, 6)
  return id
}

function uuidV7(now: number): Buffer {
  const id = randomBytes(16)
  id.writeUIntBE(now, 0, 6)
  id[6] = 0x70 | (id[6]! & 0x0f)
  id[8] = 0x80 | (id[8]! & 0x3f)
  return id
}

// Counts up the 62 random bits at the same time or, past those, returns a later id.
function successor(last: Uint8Array): Buffer {
  const id = Buffer.from(last)
  const tail =
    (id.readBigUInt64BE(8) & 0x3fffffffffffffffn) + BigInt(1 + randomBytes(2).readUInt16BE())
  if (tail > 0x3fffffffffffffffn) return uuidV7(id.readUIntBE(0, 6) + 1)
  id.writeBigUInt64BE(tail | 0x8000000000000000n, 8)
  return id
}
