import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateInName } from '../../src/files/dates/name-date.ts'

const shown = (name: string) => {
  const date = dateInName(name)
  if (!date) return null
  const text = new Date(date.clock).toISOString().slice(0, -1)
  return date.hasTime ? `${text}${date.isUtc ? 'Z' : ''}` : text.slice(0, 10)
}

describe('the date in a name', () => {
  it('is read as phones and messengers write it', () => {
    const names: Record<string, string> = {
      'IMG-20180703-WA0001.jpg': '2018-07-03',
      'VID-20180703-WA0012.mp4': '2018-07-03',
      'PXL_20180703_183000123.jpg': '2018-07-03T18:30:00.123Z',
      'PXL_20180703_183000123.MP~2.jpg': '2018-07-03T18:30:00.123Z',
      'PXL_20180703.jpg': '2018-07-03',
      'IMG_20180703_183000.jpg': '2018-07-03T18:30:00.000',
      'IMG20180703183000.jpg': '2018-07-03T18:30:00.000',
      '20180703_183000(1).jpg': '2018-07-03T18:30:00.000',
      '20180703_183000_HDR.jpg': '2018-07-03T18:30:00.000',
      'WIN_20180703_18_30_00_Pro.jpg': '2018-07-03T18:30:00.000',
      'Screenshot_2018-07-03-18-30-00-123_com.example.png': '2018-07-03T18:30:00.123',
      'Screenshot_20180703-183000.png': '2018-07-03T18:30:00.000',
      'Screenshot_2018-07-03-.png': '2018-07-03',
      'Screenshot 2018-07-03 at 18.30.00.png': '2018-07-03T18:30:00.000',
      'Screen Shot 2018-07-03 at 6.30.00 PM.png': '2018-07-03T18:30:00.000',
      'Screen Shot 2018-07-03 at 12.30.00 AM.png': '2018-07-03T00:30:00.000',
      'signal-2018-07-03-183000.jpg': '2018-07-03T18:30:00.000',
      'signal-2018-07-03-18-30-00-123.jpg': '2018-07-03T18:30:00.123',
      'photo_2018-07-03_18-30-00.jpg': '2018-07-03T18:30:00.000',
      'WhatsApp Image 2018-07-03 at 18.30.00.jpeg': '2018-07-03T18:30:00.000',
      '2018-07-03 18.30.00-2.jpg': '2018-07-03T18:30:00.000',
      'IMG_20180703_0001.jpg': '2018-07-03',
      '2018.07.03 birthday.jpg': '2018-07-03',
      'mmexport1530642600123.jpg': '2018-07-03T18:30:00.123Z',
      'wx_camera_1530642600123.mp4': '2018-07-03T18:30:00.123Z',
      'microMsg.1530642600123.jpg': '2018-07-03T18:30:00.123Z',
      'FB_IMG_1530642600123.jpg': '2018-07-03T18:30:00.123Z',
      'FB_IMG_1530642600123 (2).jpg': '2018-07-03T18:30:00.123Z',
      'mmexport1530642600.jpg': '2018-07-03T18:30:00.000Z',
      'FB_IMG_1530642600.jpg': '2018-07-03T18:30:00.000Z',
      '1530642600-camera_person.mp4': '2018-07-03T18:30:00.000Z',
      'LINE_MOVIE_1530642600123.mp4': '2018-07-03T18:30:00.123Z',
      'KakaoTalk_1530642600123.MOV': '2018-07-03T18:30:00.123Z',
      'IMG_1530642600123.jpg': '2018-07-03T18:30:00.123Z',
      'KakaoTalk_20180703_183000123.jpg': '2018-07-03T18:30:00.123',
      '20180703T183000Z.jpg': '2018-07-03T18:30:00.000Z',
      '2018-07-03T18-30-00.123Z.jpg': '2018-07-03T18:30:00.123Z',
      '20180703_183000zoo.jpg': '2018-07-03T18:30:00.000',
      '1530642600123.jpg': '2018-07-03T18:30:00.123Z',
      '1530642600123~2.jpg': '2018-07-03T18:30:00.123Z',
    }
    const found = Object.fromEntries(Object.keys(names).map((name) => [name, shown(name)]))
    assert.deepEqual(found, names)
  })

  it('has no time where there is none of that day', () => {
    assert.equal(shown('IMG_20180703_256199.jpg'), '2018-07-03')
    assert.equal(shown('IMG_2018-07-03-24-00-00.jpg'), '2018-07-03')
    assert.equal(shown('IMG_20180703_1830001234.jpg'), '2018-07-03')
  })

  it('is none in other numbers', () => {
    for (const name of [
      'DSC01234.jpg',
      'IMG_20181303_183000.jpg',
      'IMG_20180230_183000.jpg',
      '120180703.jpg',
      '201807031.jpg',
      '2018-0703.jpg',
      '2018-07-031.jpg',
      '00000000_000000.jpg',
      'holiday 2018.jpg',
      'IMG_0123456789.jpg',
      '0123456789.jpg',
      '0530642600123.jpg',
      '153064260012.jpg',
      '15306426001234.jpg',
      '1553012345_0a1b2c3d4e_o.jpg',
      '1530642600123456.jpg',
      'received_1530642600123.jpeg',
      'IMG_1530642600123_4.jpg',
      'photo1530642600123.jpg',
      '+491530642600.jpg',
      '1530642600123abc.jpg',
      '946684799.jpg',
      '0946684799.jpg',
      'invoice 1530642600.pdf.jpg',
      '100_0001.jpg',
      '20.07.2018.jpg',
      '2018.jpg',
      '2018-07.jpg',
      '1920x1080.jpg',
      '3840-21-60.jpg',
      'P1000123.JPG',
      'GOPR2018.MP4',
      'GX012018.MP4',
      'MVI_20180.avi',
      '12345678.jpg',
      '99999999.jpg',
      '2018-13-01.jpg',
      '2018_02_29.jpg',
      '2018-7-3.jpg',
      'v2018.0703.1.jpg',
      'ISBN 9783161484100.jpg',
      '9783161484100.jpg',
      '4006381333931.jpg',
      '1491950358.jpg',
      '1530642600.jpg',
      'part-20180-703.jpg',
      'a20180732b.jpg',
      'Rechnung 20183006.jpg',
      '20180631.jpg',
      'mmexport0530642600.jpg',
      'mmexport153064260012.jpg',
      'FB_IMG_9530642600.jpg',
      'LINE_MOVIE_1530642600.mp4',
      'IMG_1530642600.jpg',
      'VID_0530642600123.mp4',
      '1530642600-1.jpg',
      'KakaoTalk_9783161484100.jpg',
      'Snapchat-1530642600.jpg',
      '',
    ]) {
      assert.equal(shown(name), null, name)
    }
    assert.equal(shown('20181399 20180703.jpg'), '2018-07-03')
  })
})
