import type { Db } from '../../src/db/client.ts'

const DAY = Date.UTC(2019, 6, 14)

/** Gives the files of a library shapes, hashes and zones, and takes three of ten on one day. */
export function addLooks(db: Db): void {
  db.run(
    `INSERT INTO file_looks (file_rid, width, height, thumbhash, decoder)
     SELECT rid, 1000 + rid % 3000, 1000 + rid % 2000, randomblob(21), '1' FROM files`,
  )
  db.run('UPDATE files SET content_offset = (rid % 3) * 60')
  db.run('UPDATE files SET content_datetime = ? + rid * 7919 % 80000000 WHERE rid % 10 < 3', DAY)
}
