import assert from 'node:assert/strict'
import sharp from 'sharp'
import { form, openLibrary } from '../../support/harness.ts'
import { filmBytes } from '../../support/media/film.ts'
import { beginningWith, box, dated, nikonEntry, withMore } from '../../support/media/iso-film.ts'
import { without } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'

/** The date of what a server answers an upload with. */
const dateOf = (file: Record<string, unknown>) => [
  file.content_datetime,
  file.content_offset,
  file.date_source,
]

const photographAt = (clock: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    .withExif({ IFD2: { DateTimeOriginal: clock } })
    .jpeg()
    .toBuffer()

describe('a film and a photograph of one minute', { skip: without('ffmpeg', '-version') }, () => {
  const film = (time: string): Promise<Buffer> => {
    const options = ['-c:v', 'mpeg4', '-metadata', `creation_time=${time}`]
    return filmBytes('film.mp4', options, 'testsrc=duration=1:size=32x32:rate=5')
  }

  it('stand side by side, wherever the server is', async () => {
    // What clocks show there at half past eight in the evening of UTC, and the minutes of the zone.
    const clocks: [string, string, string, number][] = [
      ['Europe/Berlin', '2024-01-15T20:30:10Z', '2024:01:15 21:30', 60],
      ['Europe/Berlin', '2024-07-15T20:30:10Z', '2024:07:15 22:30', 120],
      ['Asia/Kathmandu', '2024-01-15T20:30:10Z', '2024:01:16 02:15', 345],
      ['Asia/Kathmandu', '2024-07-15T20:30:10Z', '2024:07:16 02:15', 345],
      ['UTC', '2024-01-15T20:30:10Z', '2024:01:15 20:30', 0],
      ['UTC', '2024-07-15T20:30:10Z', '2024:07:15 20:30', 0],
    ]
    for (const [TIME_ZONE, time, clock, offset] of clocks) {
      const party = await openLibrary({ TIME_ZONE })
      try {
        const { token } = await party.join('Ann', { is_admin: true })
        const send = async (bytes: Buffer, name: string) => {
          const answer = await party.upload(token, bytes, name)
          assert.equal(answer.status, 201, answer.text)
          return dateOf(answer.body)
        }
        const photograph = async (seconds: string) => {
          return send(await photographAt(`${clock}:${seconds}`), `${seconds}.jpg`)
        }
        const minute = time.slice(0, 17)
        assert.deepEqual(await photograph('00'), [`${minute}00.000Z`, offset, 'exif'])
        assert.deepEqual(await photograph('20'), [`${minute}20.000Z`, offset, 'exif'])
        assert.deepEqual(await send(await film(time), '10.mp4'), [`${minute}10.000Z`, 0, 'video'])
        const { body } = await party.call('GET', '/files?sort=content_datetime', { token })
        const names = body.items.map((file: { original_name: string }) => file.original_name)
        assert.deepEqual(names, ['20.jpg', '10.mp4', '00.jpg'], TIME_ZONE)
      } finally {
        await party.close()
      }
    }
  })

  it('stand side by side where nobody says where the server is but its machine', async () => {
    const server = await spawnServer({ env: { FFMPEG_PATH: '', TZ: 'Asia/Kathmandu' } })
    try {
      const send = async (
        path: string,
        body: FormData | string,
        headers: Record<string, string>,
      ) => {
        const answer = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body })
        return (await answer.json()) as Record<string, unknown>
      }
      const login = JSON.stringify({ name: 'admin', password: server.adminPassword })
      const { access_token } = await send('/auth/login', login, {
        'Content-Type': 'application/json',
      })
      const headers = { Authorization: `Bearer ${access_token}` }
      const upload = async (bytes: Buffer, name: string) =>
        dateOf(await send('/files', form(bytes, name), headers))
      const photograph = await photographAt('2024:01:16 02:15:20')
      const taken = ['2024-01-15T20:30:20.000Z', 345, 'exif']
      assert.deepEqual(await upload(photograph, '20.jpg'), taken)
      const filmed = ['2024-01-15T20:30:10.000Z', 0, 'video']
      assert.deepEqual(await upload(await film('2024-01-15T20:30:10Z'), '10.mp4'), filmed)
    } finally {
      await server.stop()
    }
  })
})

describe('a film of a camera', { skip: without('ffmpeg', '-version') }, () => {
  const CLOCK = Date.UTC(2025, 2, 29, 20, 14, 32)
  const zone = Buffer.from([1, 480 - 256])
  const clock = Buffer.from('2025:03:29 20:14:32\0')
  const notes = box('udta', [
    box('NCDT', box('NCTG', [nikonEntry(0x12, 2, 20, clock), nikonEntry(0x19, 8, 1, zone)])),
  ])

  it('has the moment of its clock and zone, and a header alone is in UTC', async () => {
    const plain = await filmBytes('plain.mov', ['-c:v', 'mpeg4'], 'testsrc=s=32x32:d=1:r=5')
    const film = dated(plain, CLOCK)
    const preview = box('pnot', Buffer.alloc(12))
    const party = await openLibrary({ TIME_ZONE: 'Asia/Kathmandu' })
    try {
      const { token } = await party.join('Ann', { is_admin: true })
      const kinds: [string, Buffer, unknown[]][] = [
        ['nikon.mov', withMore(film, notes), ['2025-03-29T12:14:32.000Z', 480, 'video']],
        ['plain.mov', film, ['2025-03-29T20:14:32.000Z', 0, 'video']],
        ['old.mov', beginningWith(film, preview), ['2025-03-29T20:14:32.000Z', 0, 'video']],
        ['unix.mov', dated(plain, CLOCK, true), ['2025-03-29T20:14:32.000Z', 0, 'video']],
      ]
      for (const [name, bytes, date] of kinds) {
        const { status, body, text } = await party.upload(token, bytes, name)
        assert.equal(status, 201, text)
        assert.deepEqual(dateOf(body), date, name)
        const { exif, mime_type } = body
        assert.deepEqual([mime_type, exif.duration, exif.width], ['video/quicktime', 1, 32], name)
      }
    } finally {
      await party.close()
    }
  })
})
