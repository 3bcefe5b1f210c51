import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** The source of the settings. */
export interface Environment {
  values: Record<string, string | undefined>
  /** The names whose values come from the `.env` file. */
  ofFile: Set<string>
  /** Descriptions of the errors in that file. */
  problems: string[]
}

// How many letters a misspelt name may differ by, and what part of it.
const SLIPS = 2
const SLIPS_PART = 1 / 4

/**
 * Returns the environment with what a `.env` file in `folder` adds to it; the environment takes precedence. A line
 * there without `=`, and a name that is nearly one of `names`, is a problem: otherwise the intended setting would
 * silently have its default. Throws a readable error when the file exists but can't be read, or when it or its folder
 * belongs to neither root nor this account: its owner could choose programs and folders.
 */
export function readEnvironment(
  env: Record<string, string | undefined>,
  folder: string,
  names: string[],
  uid = process.getuid?.(),
): Environment {
  const path = resolve(folder, '.env')
  if (!existsSync(path)) return { values: env, ofFile: new Set(), problems: [] }
  requireTrusted(path, uid)
  const text = readText(path)
  const given = parseEnv(text)
  const ofFile = new Set(Object.keys(given).filter((name) => env[name] === undefined))
  return { values: { ...given, ...env }, ofFile, problems: problemsOf(text, names) }
}

function requireTrusted(path: string, uid: number | undefined): void {
  if (uid === undefined) return
  const stranger = [dirname(path), path].find((one) => ![0, uid].includes(statSync(one).uid))
  if (stranger === undefined) return
  throw new Error(
    `${path} is not read: ${stranger} belongs to neither root nor this account. Start Tagstead in another folder`,
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll(/\r\n?/g, '\n')
  } catch (error) {
    throw new Error(`${path} can't be read: ${(error as Error).message}`)
  }
}

function problemsOf(text: string, names: string[]): string[] {
  const { entries, unclosed } = entriesOf(text)
  const problems = entries.flatMap(({ line, name, isAssigned }) => {
    const nearest = nearestOf(name, names)
    const hint = nearest ? `: is it ${nearest}${isAssigned ? '' : '=…'}?` : ''
    if (!isAssigned) return [`.env, line ${line}, has no "="${hint}`]
    if (names.includes(name) || !nearest) return []
    return [`.env, line ${line}: ${name} is no setting${hint}`]
  })
  // The lines after an unclosed quote might or might not be read as settings without anybody noticing.
  if (unclosed)
    problems.push(`.env, line ${unclosed.line}: the quote ${unclosed.quote} is not closed`)
  return problems
}

// Returns the lines that are neither empty nor comments nor in the middle of a quoted value, and where a quote begins
// that doesn't end.
function entriesOf(text: string) {
  const found: { line: number; name: string; isAssigned: boolean }[] = []
  let quote = ''
  let opened = 0
  for (const [n, content] of text.split('\n').entries()) {
    if (quote !== '') {
      if (content.includes(quote)) quote = ''
      continue
    }
    if (/^\s*(#|$)/.test(content)) continue
    const [, name, value] = /^\s*(?:export\s+)?([^=]*?)\s*=\s*(.*)$/.exec(content) ?? []
    const first = /^\s*(?:export\s+)?(\S*)/.exec(content)![1]!
    found.push({ line: n + 1, name: name ?? first, isAssigned: name !== undefined })
    const [opening] = /^["'`]/.exec(value ?? '') ?? []
    if (!opening || value!.slice(1).includes(opening)) continue
    quote = opening
    opened = n + 1
  }
  return { entries: found, unclosed: quote === '' ? null : { line: opened, quote } }
}

// The nearest name may be `name` itself; null when none is near.
function nearestOf(name: string, names: string[]): string | null {
  const given = name.toUpperCase().replaceAll('-', '_')
  let nearest: string | null = null
  let least = Math.min(SLIPS, Math.max(1, Math.floor(name.length * SLIPS_PART)))
  for (const known of names) {
    const apart = distance(given, known)
    if (apart > least || (apart === least && nearest !== null)) continue
    nearest = known
    least = apart
  }
  return nearest
}

// Counts letters to insert, delete, change or swap with the next.
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS) return SLIPS + 1
  const rows = [Array.from({ length: b.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        row[j - 1]! + 1,
        rows[i - 1]![j]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
