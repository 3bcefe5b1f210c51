import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/** As exiftool takes them; a number sign is for values that are numbers. */
const TAGS = [
  ...['Make=Sony', 'Model=DSC-HX5V', 'Software=v1', 'Artist=Zoe Z', 'ImageDescription=A party'],
  ...['Copyright=Me', 'Orientation#=1', 'ModifyDate=2011:07:08 09:10:11', 'Rating=4'],
  ...['DateTimeOriginal=2011:07:08 09:10:11', 'CreateDate=2011:07:08 09:10:12'],
  ...['OffsetTimeOriginal=+02:00', 'SubSecTimeOriginal=05', 'ExposureTime=1/125', 'FNumber=5.6'],
  ...['ISO=200', 'ExposureProgram#=2', 'ShutterSpeedValue=1/125', 'ApertureValue=5.6'],
  ...['BrightnessValue=3.2', 'ExposureCompensation=-0.7', 'MaxApertureValue=3.5'],
  ...['MeteringMode#=5', 'LightSource#=0', 'Flash#=16', 'FocalLength=4.2'],
  ...['FocalLengthIn35mmFormat=25', 'SceneCaptureType#=0', 'Contrast#=0', 'ExposureMode#=0'],
  ...['UserComment=hello there', 'LensInfo=4.2 42 3.5 5.6', 'LensModel=Sony 4-42'],
  ...['DigitalZoomRatio=1', 'ColorSpace#=1', 'SerialNumber=12345', 'XPTitle=A title'],
  ...['GPSLatitude=47.5', 'GPSLatitudeRef=S', 'GPSLongitude=8.25', 'GPSLongitudeRef=W'],
  ...['GPSAltitude=420', 'GPSAltitudeRef#=0', 'GPSDateStamp=2011:07:08', 'GPSTimeStamp=07:10:11'],
  ...['GPSImgDirection=120.5', 'GPSImgDirectionRef=T', 'GPSMapDatum=WGS-84'],
]

/** Writes a picture into a folder and returns it, with EXIF of all kinds of values in a byte order. */
export async function pictureWithExif(folder: string, order: 'II' | 'MM'): Promise<Buffer> {
  const path = join(folder, `${order}.jpg`)
  const create = { width: 16, height: 16, channels: 3, background: '#335577' } as const
  await sharp({ create }).jpeg().toFile(path)
  const given = TAGS.map((tag) => `-EXIF:${tag}`)
  execFileSync('exiftool', ['-q', '-overwrite_original', `-ExifByteOrder=${order}`, ...given, path])
  return readFileSync(path)
}

/** Returns a picture of which one to four bytes of its EXIF, behind the head, are others. */
export function damaged(picture: Buffer, random: (n: number) => number): Buffer {
  const start = picture.indexOf('Exif\0\0') + 6
  // The length of the segment counts itself and the six letters.
  const length = picture.readUInt16BE(start - 8) - 8
  const bad = Buffer.from(picture)
  for (let left = 1 + random(4); left > 0; left--) {
    const at = start + 8 + random(length - 8)
    const values = [random(256), bad[at]! ^ (1 << random(8)), 0, 255]
    bad[at] = values[random(values.length)]!
  }
  return bad
}
