interface NamedDate {
  /** The clock's time, in milliseconds as if it were UTC; for a day alone, its beginning. */
  clock: number
  hasTime: boolean
  /** Whether that clock showed UTC. */
  isUtc: boolean
}

const DAY_OF_NAME = /(?<!\d)(\d{4})([-_.]?)(\d\d)\2(\d\d)/g
/** As `183000`, perhaps with milliseconds, right after the day or after a separator. */
const SHORT_TIME = /^[-_ T.]?(\d\d)(\d\d)(\d\d)(\d{3})?(?!\d)/
/** As `18-30-00`, perhaps with milliseconds, or `6.30.00 PM`. */
const LONG_TIME =
  /^(?:[-_ T.]| at |, )(\d{1,2})([-_.:])(\d\d)\2(\d\d)(?:[-_.](\d{3}))?(?!\d)(?:\s?([AP])M\b)?/i

/**
 * Milliseconds since 1970: names of WeChat (`mmexport`, `wx_camera_`, `microMsg.`; FossifyOrg/Gallery#1028), of
 * Facebook (`FB_IMG_`), and those of a number alone, perhaps of a further copy.
 */
const EPOCH =
  /^(?:mmexport|wx_camera_|microMsg\.|FB_IMG_)?(\d{13})(?:[ _~-]\d{1,2}| ?\(\d{1,2}\))?(?:\.\w+)?$/i
// No phone had such names before, and other numbers are smaller.
const FIRST_EPOCH = Date.UTC(2000, 0, 1)
// Numbers of books and goods are larger.
const LAST_EPOCH = Date.UTC(2070, 0, 1)
/** Google's Pixel phones, whose names are in UTC. */
const IN_UTC = /^PXL_/i

/**
 * Returns the first valid date in a file's name, in the forms that phones and messengers write, or null when there is
 * none.
 */
export function dateInName(name: string): NamedDate | null {
  const epoch = epochOf(name)
  if (epoch !== null) return { clock: epoch, hasTime: true, isUtc: true }
  const isUtc = IN_UTC.test(name)
  for (const match of name.matchAll(DAY_OF_NAME)) {
    const [text, year, , month, day] = match
    const rest = name.slice(match.index + text.length)
    const start = clockOf(Number(year), Number(month), Number(day))
    if (start === null) continue
    const time = timeAtStart(rest)
    if (time !== null) return { clock: start + time, hasTime: true, isUtc }
    if (!/^\d/.test(rest)) return { clock: start, hasTime: false, isUtc: false }
  }
  return null
}

function epochOf(name: string): number | null {
  const [, digits] = EPOCH.exec(name) ?? []
  if (digits === undefined) return null
  const time = Number(digits)
  return time < FIRST_EPOCH || time > LAST_EPOCH ? null : time
}

function clockOf(year: number, month: number, day: number): number | null {
  const clock = Date.UTC(year, month - 1, day)
  const date = new Date(clock)
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
  return isDay && date.getUTCDate() === day ? clock : null
}

/** In milliseconds. */
function timeAtStart(text: string): number | null {
  const long = LONG_TIME.exec(text)
  if (long) {
    const [, hours, , minutes, seconds, fraction, half] = long
    return timeOf(inDay(Number(hours), half), Number(minutes), Number(seconds), fraction)
  }
  const short = SHORT_TIME.exec(text)
  if (!short) return null
  const [, hours, minutes, seconds, fraction] = short
  return timeOf(Number(hours), Number(minutes), Number(seconds), fraction)
}

function inDay(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
}

function timeOf(
  hours: number,
  minutes: number,
  seconds: number,
  fraction: string | undefined,
): number | null {
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(fraction ?? 0)
}
