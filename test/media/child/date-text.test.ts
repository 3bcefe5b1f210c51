import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { parseOffset, readDateText } from '../../../src/media/child/date-text.ts'
import { without } from '../../support/media/media.ts'
import { fc } from '../../support/property.ts'

const told = (text: unknown) => {
  const read = readDateText(text)
  if (read === null) return null
  const local = new Date(read.clock).toISOString().replace('.000Z', '').replace(/Z$/, '')
  const zone = read.offset === null ? '' : ` ${read.offset}`
  return `${local}${zone}${read.precision === null ? '' : ` (${read.precision})`}`
}

const TEXTS: Record<string, string> = {
  // As EXIF writes it, and as cameras do that mean the same.
  '2024:05:06 07:08:09': '2024-05-06T07:08:09',
  '2024:05:06 07:08:09\0': '2024-05-06T07:08:09',
  '  2024-05-06T07:08:09  ': '2024-05-06T07:08:09',
  '2007/06/30 18:45:17': '2007-06-30T18:45:17',
  '2004.05.06 03.04.05': '2004-05-06T03:04:05',
  '2004 05 06 03 04 05': '2004-05-06T03:04:05',
  '2004:05:06:03:04:05': '2004-05-06T03:04:05',
  '2003: 5: 7  9: 3: 1': '2003-05-07T09:03:01',
  '2016:10:28 14:36': '2016-10-28T14:36:00',
  '2001/ 1/27  1:42PM': '2001-01-27T13:42:00',
  '2024-05-06 12:01:02 am': '2024-05-06T00:01:02',
  '2005/11/28/ 09:19': '2005-11-28T09:19:00',
  'Mon Mar 10 15:04:43 2003': '2003-03-10T15:04:43',
  '20240506T070809': '2024-05-06T07:08:09',
  '0050:05:06 01:02:03': '0050-05-06T01:02:03',
  // Android's first hour.
  '2016:02:02 24:28:33': '2016-02-02T00:28:33',
  '2016:02:02 24:00:00': '2016-02-02T00:00:00',
  // A leap second is the first of the next day.
  '2016:12:31 23:59:60': '2017-01-01T00:00:00',
  // Fractions and zones.
  '2024:05:06 07:08:09.25': '2024-05-06T07:08:09.250',
  '2024-05-06T07:08:09,5Z': '2024-05-06T07:08:09.500 0',
  '2024-05-06T07:08:09.25+02:00': '2024-05-06T07:08:09.250 120',
  '2024-05-06T07:08-03:30': '2024-05-06T07:08:00 -210',
  '2024:05:06 07:08:09 +0900': '2024-05-06T07:08:09 540',
  '20240506T070809+0200': '2024-05-06T07:08:09 120',
  '2024-05-06T07:08-05': '2024-05-06T07:08:00 -300',
  '2024:05:06 07:08:09 UTC': '2024-05-06T07:08:09 0',
  'Mon, 10 Mar 2003 15:04:43 GMT': '2003-03-10T15:04:43 0',
  '10 March 2003 3:04 PM -0800': '2003-03-10T15:04:00 -480',
  'Mon 10 Mar 2003 03:04:43 PM CET': '2003-03-10T15:04:43',
  '10 Mar 2003': '2003-03-10T12:00:00 (day)',
  // With more behind it.
  '2012:05:05 20:05:23下午': '2012-05-05T20:05:23',
  '2024/05/06 07:08:09 local': '2024-05-06T07:08:09',
  '2024:05:06 07:08:09 CET': '2024-05-06T07:08:09',
  '2024:05:06 07:08:09\xff': '2024-05-06T07:08:09',
  // Known in part.
  '1987:06:05': '1987-06-05T12:00:00 (day)',
  '1987:06:05   :  :  ': '1987-06-05T12:00:00 (day)',
  '1987:06:05 14:  :  ': '1987-06-05T12:00:00 (day)',
  '1987:06:05 14': '1987-06-05T12:00:00 (day)',
  '19870605': '1987-06-05T12:00:00 (day)',
  '1987-06': '1987-06-15T12:00:00 (month)',
  '1987:06:00 00:00:00': '1987-06-15T12:00:00 (month)',
  '1987:06:     :  :  ': '1987-06-15T12:00:00 (month)',
  '19870600': '1987-06-15T12:00:00 (month)',
  '1987': '1987-07-02T12:00:00 (year)',
  '1987:00:00 00:00:00': '1987-07-02T12:00:00 (year)',
  '1987:  :     :  :  ': '1987-07-02T12:00:00 (year)',
  '19870000': '1987-07-02T12:00:00 (year)',
}

/** Moments as texts that mean them without a doubt, and what they mean. */
const moments = fc
  .record({
    time: fc.date({
      min: new Date('1826-01-01'),
      max: new Date('2999-12-31'),
      noInvalidDate: true,
    }),
    separator: fc.constantFrom(':', '-', '/', '.', ' '),
    gap: fc.constantFrom(' ', '  ', 'T', ':'),
    ofTime: fc.constantFrom(':', '.', ' '),
    pad: fc.constantFrom('0', ' '),
    hasSeconds: fc.boolean(),
    fraction: fc.constantFrom('', '', '.5', ',25', '.123456789'),
    zone: fc.constantFrom('', '', 'Z', '+02:00', '-03:30', ' +0900', ' +14', ' GMT'),
    before: fc.constantFrom('', ' ', '\0'),
    after: fc.constantFrom('', ' ', '\0', '\0\0garbage'),
  })
  .map(({ time, separator, gap, ofTime, pad, hasSeconds, fraction, zone, before, after }) => {
    const two = (value: number) => String(value).padStart(2, pad)
    const days = [time.getUTCFullYear(), two(time.getUTCMonth() + 1), two(time.getUTCDate())]
    const times = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two)
    const shown = times.slice(0, hasSeconds ? 3 : 2).join(ofTime)
    // ExifTool takes any number behind minutes for seconds.
    const rest = hasSeconds ? `${fraction}${zone}` : zone.replace(/ .*/, '')
    return { text: `${days.join(separator)}${gap}${shown}${rest}`, before, after }
  })

describe('a text that is a date', () => {
  it('is read in each shape that programs write', () => {
    for (const [text, expected] of Object.entries(TEXTS)) assert.equal(told(text), expected, text)
  })

  it('means what ExifTool reads', { skip: without('exiftool', '-ver') }, () => {
    const texts = fc.sample(moments, 10_000)
    const script = `my $tool = Image::ExifTool->new;
      $tool->Options(DateFormat => '%Y-%m-%dT%H:%M:%S');
      while (<STDIN>) { chomp; print $tool->ConvertDateTime($_), "\\n"; }`
    const { stdout, stderr } = spawnSync('perl', ['-MImage::ExifTool', '-e', script], {
      input: texts.map(({ text }) => text).join('\n'),
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    })
    const answers = stdout.trimEnd().split('\n')
    assert.equal(answers.length, texts.length, stderr)
    for (const [n, { text, before, after }] of texts.entries()) {
      const read = told(`${before}${text}${after}`)
      // ExifTool drops the fraction.
      assert.equal(read?.replace(/ .*/, '').replace(/\.\d+$/, ''), answers[n], text)
    }
  })

  it('is none where there is no such time', () => {
    for (const text of [
      '0000:00:00 00:00:00',
      '0000',
      '2024:13:01 00:00:00',
      '2024:13',
      '2024:02:30 00:00:00',
      '2023:02:29',
      '2024:01:01 25:00:00',
      '2024:01:01 24:  :  ',
      '2024:01:01   :05:  ',
      '2024:01:01 00:60:00',
      '2024:01:01 00:00:61',
      '    :  :     :  :  ',
      'Mon Foo 10 15:04:43 2003',
      'IDIT',
      '12',
      '1:2:3',
      '',
      null,
      undefined,
    ]) {
      assert.equal(readDateText(text), null, String(text))
    }
    assert.equal(told('2024:02:29 23:59:58'), '2024-02-29T23:59:58')
  })
})

describe('an offset', () => {
  it('is read as EXIF writes it, and ignored where it is implausible', () => {
    for (const offset of ['+25:00', '+01:99', '   :  ', 'CET', 120, null, undefined]) {
      assert.equal(parseOffset(offset), null)
    }
    assert.deepEqual(['Z', '+02:30', '-0930', '-00:00'].map(parseOffset), [0, 150, -570, 0])
  })
})
