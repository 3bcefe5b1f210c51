import type { Db } from '../../src/db/client.ts'

const DAY = Date.UTC(2019, 6, 14)

/**
 * Gives the files of a library shapes, hashes, zones, 60 cameras, two thirds of them 2,000 towns and one of twenty notes,
 * and takes three of ten on one day.
 */
export function addLooks(db: Db): void {
  db.run(
    `INSERT INTO file_looks (file_rid, width, height, thumbhash, decoder)
     SELECT rid, 1000 + rid % 3000, 1000 + rid % 2000, randomblob(21), '1' FROM files`,
  )
  db.run("INSERT INTO cameras SELECT rid, 'Maker model ' || rid FROM files WHERE rid <= 60")
  db.run('INSERT INTO file_cameras SELECT rid, 1 + rid * 7 % min(60, max(rid) OVER ()) FROM files')
  // Half of the positions are in 16 cells of 5 km, the others anywhere.
  const letter = (number: string) =>
    `substr('0123456789bcdefghjkmnpqrstuvwxyz', 1 + (${number}) % 32, 1)`
  const any = Array(8).fill(letter('abs(random())')).join(' || ')
  db.run(`INSERT INTO file_positions SELECT rid,
    CASE rid % 2 WHEN 0 THEN 'u2ed' || ${letter('rid / 2 % 16')} || '000' ELSE ${any} END,
    'FR.' || (rid * 31 % 2000 % 13) || '.Town ' || (rid * 31 % 2000) FROM files WHERE rid % 3 > 0`)
  db.run(
    "INSERT INTO file_notes SELECT rid, 'a day on which we laughed ' || rid FROM files WHERE rid % 20 = 0",
  )
  db.run("UPDATE files SET content_offset = (rid % 3) * 60, date_source = 'exif'")
  db.run('UPDATE files SET content_datetime = ? + rid * 7919 % 80000000 WHERE rid % 10 < 3', DAY)
}

/** Returns EXIF of about 600 bytes. */
export function exifOf(taken: number, random: () => number): string {
  const time = new Date(taken).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')
  return JSON.stringify({
    Make: 'Google',
    Model: 'Pixel 6a',
    Orientation: 1,
    XResolution: 72,
    YResolution: 72,
    ResolutionUnit: 2,
    Software: 'HDR+ 1.0.540104767zdm',
    DateTime: time,
    DateTimeOriginal: time,
    DateTimeDigitized: time,
    OffsetTime: '+02:00',
    OffsetTimeOriginal: '+02:00',
    ExposureTime: 1 / Math.ceil(random() * 4000),
    FNumber: 1.73,
    ExposureProgram: 2,
    PhotographicSensitivity: Math.ceil(random() * 3200),
    ShutterSpeedValue: random() * 12,
    ApertureValue: 1.58,
    SubjectDistance: random() * 10,
    MeteringMode: 2,
    Flash: 16,
    FocalLength: 4.38,
    PixelXDimension: 4032,
    PixelYDimension: 3024,
    latitude: random() * 180 - 90,
    longitude: random() * 360 - 180,
  })
}
