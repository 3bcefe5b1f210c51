import { randomBytes } from 'node:crypto'
import type { ObjectType } from '../enums.ts'
import type { Db } from './client.ts'
import { blobToUuid } from './columns.ts'

/** The table of each kind of object. */
export const OBJECT_TABLES = {
  file: 'files',
  tag: 'tags',
  category: 'categories',
  pool: 'pools',
} as const satisfies Record<ObjectType, string>
export type ObjectTable = (typeof OBJECT_TABLES)[ObjectType]

/**
 * Returns a UUID v7 (RFC 9562) for a row that is about to be inserted. It is greater than the id of
 * the table's last row, so that ids are in the order of creation even if the clock steps back or
 * another process writes. Call it inside the write that inserts the row. `now` is in milliseconds.
 */
export function newId(db: Db, table: ObjectTable, now: number): string {
  const last = db.get<{ id: Uint8Array }>(`SELECT id FROM ${table} ORDER BY rid DESC LIMIT 1`)
  const fresh = uuidV7(now)
  if (!last || Buffer.compare(fresh, last.id) > 0) return blobToUuid(fresh)
  return blobToUuid(successor(last.id))
}

/** Returns the time in a UUID v7, in milliseconds since 1970-01-01 UTC. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

function uuidV7(now: number): Buffer {
  const id = randomBytes(16)
  id.writeUIntBE(now, 0, 6)
  id[6] = 0x70 | (id[6]! & 0x0f)
  id[8] = 0x80 | (id[8]! & 0x3f)
  return id
}

/** Returns an id of the same time with its 62 random bits counted up or, past those, a later id. */
function successor(last: Uint8Array): Buffer {
  const id = Buffer.from(last)
  const tail =
    (id.readBigUInt64BE(8) & 0x3fffffffffffffffn) + BigInt(1 + randomBytes(2).readUInt16BE())
  if (tail > 0x3fffffffffffffffn) return uuidV7(id.readUIntBE(0, 6) + 1)
  id.writeBigUInt64BE(tail | 0x8000000000000000n, 8)
  return id
}
