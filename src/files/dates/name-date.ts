interface NamedDate {
  /** The clock's time, in milliseconds as if it were UTC; for a day alone, its beginning. */
  clock: number
  hasTime: boolean
  /** Whether that clock showed UTC. */
  isUtc: boolean
}

/** A form of names, and the programs that write it or a page that says so. */
interface Form {
  shape: RegExp
  source: string
}

/** Behind a number that is the name, or the end of it: a further copy, and the ending. */
const END = String.raw`(?:[ _~-]\d{1,2}| ?\(\d{1,2}\))?(?:\.\w+)?$`

const counted = (shape: string, source: string): Form => ({
  shape: new RegExp(`^${shape}${END}`, 'i'),
  source,
})

/** Names that count seconds or milliseconds since 1970. */
const COUNTED: Form[] = [
  counted(String.raw`mmexport(\d{10}|\d{13})`, 'WeChat: github.com/FossifyOrg/Gallery/issues/1028'),
  counted(
    String.raw`wx_camera_(\d{10}|\d{13})`,
    'WeChat: github.com/gymgle/gnotes, Python/rename_with_unix_time.py',
  ),
  counted(
    String.raw`microMsg\.(\d{10}|\d{13})`,
    'WeChat: github.com/FossifyOrg/Gallery/issues/1028',
  ),
  counted(String.raw`FB_IMG_(\d{10}|\d{13})`, 'Facebook for Android'),
  counted(String.raw`LINE_MOVIE_(\d{13})`, 'LINE for Android'),
  counted(String.raw`KakaoTalk_(\d{13})`, 'KakaoTalk for Android'),
  {
    shape: /^(?:IMG|VID)_(\d{13})\.\w+$/i,
    source: 'apps by developer.android.com/reference/java/lang/System#currentTimeMillis()',
  },
  counted(String.raw`(\d{13})`, 'WeChat for Android: github.com/gymgle/gnotes; 4chan.org'),
  counted(
    String.raw`(\d{10})-camera_\w+`,
    'Nest in Home Assistant: github.com/markaggar/ha-media-card/pull/75',
  ),
]

const DAY_OF_NAME = /(?<!\d)(\d{4})([-_.]?)(\d\d)\2(\d\d)/g

/** What may follow the day of a name; without any, the day is known alone, as in WhatsApp's `IMG-20180703-WA0001`. */
const TIMES: Form[] = [
  {
    // `18-30-00`, perhaps with milliseconds, or `6.30.00 PM`
    shape:
      /^(?:[-_ T.]| at |, )(?<hours>\d{1,2})(?<apart>[-_.:])(?<minutes>\d\d)\k<apart>(?<seconds>\d\d)(?:[-_.](?<fraction>\d{3}))?(?!\d)(?:\s?(?<half>[AP])M\b)?/i,
    source:
      'support.apple.com/102646 (Screenshot 2018-07-03 at 6.30.00 PM), Telegram Desktop, Dropbox, ' +
      'WhatsApp for the web, the camera of Windows, MIUI',
  },
  {
    // `183000`, perhaps with milliseconds, right after the day or after a separator
    shape: /^[-_ T.]?(?<hours>\d\d)(?<minutes>\d\d)(?<seconds>\d\d)(?<fraction>\d{3})?(?!\d)/,
    source: 'the cameras and screenshots of Android, Samsung and Huawei; Signal',
  },
]

/** Names whose clock shows UTC. */
const IN_UTC: Form = { shape: /^PXL_/i, source: 'Google Camera on Pixel phones' }
/** Behind a time that is UTC (ISO 8601). */
const ZULU = /^Z(?![a-z\d])/i

// No phone had such names before, and other numbers are smaller.
const FIRST_EPOCH = Date.UTC(2000, 0, 1)
// Numbers of books and goods are larger.
const LAST_EPOCH = Date.UTC(2070, 0, 1)

/**
 * Returns the first valid date in a file's name, in the forms that phones and messengers write, or null when there is
 * none.
 */
export function dateInName(name: string): NamedDate | null {
  const epoch = epochOf(name)
  if (epoch !== null) return { clock: epoch, hasTime: true, isUtc: true }
  const isInUtc = IN_UTC.shape.test(name)
  for (const match of name.matchAll(DAY_OF_NAME)) {
    const [text, year, , month, day] = match
    const rest = name.slice(match.index + text.length)
    const start = clockOf(Number(year), Number(month), Number(day))
    if (start === null) continue
    const time = timeAtStart(rest)
    if (time !== null) {
      return { clock: start + time.ms, hasTime: true, isUtc: isInUtc || time.isUtc }
    }
    if (!/^\d/.test(rest)) return { clock: start, hasTime: false, isUtc: false }
  }
  return null
}

function epochOf(name: string): number | null {
  for (const { shape } of COUNTED) {
    const [, digits] = shape.exec(name) ?? []
    if (digits === undefined) continue
    const time = Number(digits) * (digits.length === 10 ? 1000 : 1)
    if (time >= FIRST_EPOCH && time <= LAST_EPOCH) return time
  }
  return null
}

function clockOf(year: number, month: number, day: number): number | null {
  const clock = Date.UTC(year, month - 1, day)
  const date = new Date(clock)
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
  return isDay && date.getUTCDate() === day ? clock : null
}

function timeAtStart(text: string): { ms: number; isUtc: boolean } | null {
  for (const { shape } of TIMES) {
    const match = shape.exec(text)
    if (!match) continue
    const { hours, minutes, seconds, fraction = 0, half } = match.groups!
    const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours)
    if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
    const ms = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction)
    return { ms, isUtc: ZULU.test(text.slice(match[0].length)) }
  }
  return null
}
