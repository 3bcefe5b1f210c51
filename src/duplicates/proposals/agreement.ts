import type { DateSource } from '../../base/enums.ts'
import type { Dismissed } from '../queries.ts'

/** Sources of dates that any better date replaces, as if there were none. */
export const STAND_INS: DateSource[] = ['upload', 'mtime', 'name']

/** What people said of a file, and where they may contradict each other. */
export interface Statements {
  notes: string | null
  /** JSON text. */
  metadata: string | null
  /**
   * The date that a person gave it, as what is known of its day and, for a moment, the instant; and the zone of a
   * moment.
   */
  given: string | null
  zone: string | null
  /** Its date, in the same form, where that was read from its content. */
  read: string | null
  /** The date in its EXIF; null where it doesn't count. */
  taken: string | null
  /** Degrees by which people turned it; null if it is upright, or where that doesn't count. */
  rotation: string | null
}

export const NO_STATEMENTS: Statements = {
  notes: null,
  metadata: null,
  given: null,
  zone: null,
  read: null,
  taken: null,
  rotation: null,
}

/** When more files than these show the same, or have statements of people, a person chooses. */
export const CROWD = 50

// Files that can be merged without a loss, and of which no two were dismissed as a pair.
interface Agreement {
  files: number[]
  /** Adds a file, and returns true, if nothing of it contradicts the files already added. */
  admit(file: number, compared: Compared): boolean
}

/** Returns an agreement of no files yet. */
export function createAgreement(dismissed: Dismissed): Agreement {
  const files: number[] = []
  const known = new Set<number>()
  const texts = new Map<string, string>()
  const dates = { given: new Set<string>(), read: new Set<string>(), taken: new Set<string>() }
  const stand = (date: string | null, others: Set<string>) =>
    date === null || [...others].every((other) => areOneDate(date, other))
  return {
    files,
    admit(file, compared) {
      for (const other of dismissed.get(file) ?? []) if (known.has(other)) return false
      if (compared.texts.some(([name, text]) => (texts.get(name) ?? text) !== text)) return false
      // A given date is a correction of the one that was read.
      const { given, read, taken } = compared
      if (!stand(given, dates.given) || !stand(given, dates.read)) return false
      if (!stand(read, dates.given) || !stand(taken, dates.taken)) return false
      for (const [name, text] of compared.texts) texts.set(name, text)
      if (given !== null) dates.given.add(given)
      if (read !== null) dates.read.add(read)
      if (taken !== null) dates.taken.add(taken)
      files.push(file)
      known.add(file)
      return true
    },
  }
}

// A date known in part is that of each moment within it.
function areOneDate(one: string, other: string): boolean {
  const [day = '', otherDay = ''] = [one, other].map((date) => date.split('|', 1)[0])
  const [moment, otherMoment] = [one.slice(day.length), other.slice(otherDay.length)]
  if (moment && otherMoment) return moment === otherMoment
  return day.startsWith(otherDay) || otherDay.startsWith(day)
}

interface Compared extends Pick<Statements, 'given' | 'read' | 'taken'> {
  /** Texts that other ones of the same name contradict. */
  texts: [name: string, text: string][]
}

/** Returns what an agreement compares of a file, which takes long for much metadata. */
export function comparedOf({ metadata, given, read, taken, ...others }: Statements): Compared {
  const texts = Object.entries(others).flatMap(([name, text]): [string, string][] =>
    text === null ? [] : [[name, text]],
  )
  for (const [key, value] of Object.entries(metadata === null ? {} : JSON.parse(metadata))) {
    texts.push([`metadata ${key}`, JSON.stringify(value)])
  }
  return { texts, given, read, taken: taken && statedPart(taken) }
}

const KNOWN_DAY = /^\d{4}(?::(?!00)\d\d(?::(?!00)\d\d)?)?/

/** Returns what a date of EXIF says, in the form of the other dates: fields that aren't known are blank or zero. */
function statedPart(taken: string): string {
  const [known = ''] = KNOWN_DAY.exec(taken) ?? []
  // Zeros behind a whole day are midnight.
  const isPart = (known.length === 10 ? /^[ :]*$/ : /^[ :0]*$/).test(taken.slice(known.length))
  return known !== '' && isPart ? known : `${known}|${taken}`
}

// The most agreements that are made of equal files; what fits none is left for a person to decide.
const MOST_AGREEMENTS = 50

/** Returns the files in as many agreements as they need, each file in the first that admits it. */
export function agreeing(
  files: number[],
  said: (file: number) => Statements,
  dismissed: Dismissed,
): number[][] {
  const agreements: Agreement[] = []
  for (const file of files) {
    const compared = comparedOf(said(file))
    if (agreements.some((agreement) => agreement.admit(file, compared))) continue
    if (agreements.length === MOST_AGREEMENTS) continue
    const agreement = createAgreement(dismissed)
    agreement.admit(file, compared)
    agreements.push(agreement)
  }
  return agreements.map((agreement) => agreement.files)
}
