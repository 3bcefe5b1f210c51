import { looksOnly } from '../../base/session.ts'
import { language } from '../../base/text.ts'
import { type Tag, tagIndex } from '../../tag-box/index.ts'
import { findTags, indexTags, type Match } from '../../tag-box/match.ts'
import { PHRASES } from '../../text/phrases.ts'
import { printFilter, readFilter, type Step, withSteps } from '../edit.ts'
import { LEADS, type Named, type Names, notesToken, OF_WORK } from './conditions.ts'
import { type Open, readLine } from './line.ts'
import { folded, rowsOf } from './list.ts'
import { areNamesThere, idOf, knownNow, nameOf, names, prepareNames } from './names.ts'
import { rangeWords, wordsOf } from './say.ts'

/** A line of the list under the box: what is searched for in names, or else what will be asked. */
export interface Line {
  key: string
  search?: string
  steps: Step[]
  /** For a single tag: the parts of its name that were typed. */
  match?: Match<Tag>
  /** What may be typed for it instead. */
  code?: string
}

const TAGS = 8
const OTHERS = 4
const QUOTED = /^"(.+?)"?$/
const SIGNED = /^[\s|!-]/

/** Returns the possible meanings of a text in the bar, the likeliest first. */
function linesOf(typed: string): Line[] {
  const quoted = QUOTED.exec(typed)?.[1]
  if (quoted !== undefined) return [searchLine(quoted)]
  if (typed === '') return conditionLines({ steps: [], joint: NO_JOINT, text: '' })
  const { steps, open } = readLine(typed, knownNow())
  const lines = open.flatMap(linesFor)
  if (steps) {
    const understood = lineOf(steps)
    // What is known of its match is shown.
    lines.unshift(lines.find(({ key }) => key === understood.key) ?? understood)
  }
  if (!SIGNED.test(typed)) lines.push(searchLine(typed), ...(steps ? [] : notesLines(typed)))
  const keys = lines.map(({ key }) => key)
  return lines.filter(({ key }, place) => keys.indexOf(key) === place)
}

/** Whether all lines of a text are there, so that Enter takes the right one. */
function isReadyFor(typed: string): boolean {
  return areNamesThere.value || linesOf(typed.trim())[0]?.search === undefined || QUOTED.test(typed)
}

const NO_JOINT = { or: false, negated: false }

function lineOf(steps: Step[]): Line {
  return { key: (steps[0]?.or ? '|' : '') + printFilter(withSteps(null, steps)), steps }
}

function searchLine(search: string): Line {
  return { key: 'search', search, steps: [] }
}

function notesLines(typed: string): Line[] {
  return linesWith({ steps: [], joint: NO_JOINT, text: typed }, notesToken(typed))
}

/** Returns the line for a token at the end of others; none for a token that isn't one. */
function linesWith({ steps, joint }: Open, token: string): Line[] {
  const { expression: item } = readFilter(`{${token}}`)
  return item ? [lineOf([...steps, { ...joint, item }])] : []
}

/** Returns the lines for what has a name that begins with the end of a text. */
function linesFor(open: Open): Line[] {
  const [rest, kinds] = leadOf(open.text)
  const tags = [open.text, ...(kinds.includes('tags') ? [rest] : [])].flatMap((text) =>
    findTags(tagIndex.value, text, TAGS).flatMap((match) =>
      linesWith(open, `t=${match.tag.id}`).map((line) => ({
        ...line,
        ...(open.steps.length === 0 && { match }),
      })),
    ),
  )
  const others = kinds
    .filter((kind) => kind !== 'tags')
    .flatMap((kind) => namedLike(names.value[kind], rest))
  return [
    ...tags,
    ...conditionLines(open),
    ...others.flatMap(({ token }) => linesWith(open, token)),
  ]
}

/** Returns a text without the words before a name, and what that name may be of. */
function leadOf(text: string): [string, readonly (keyof Names)[]] {
  for (const [pattern, kinds] of LEADS) {
    const rest = pattern.exec(folded(text))?.[1]
    if (rest !== undefined) return [rest, kinds]
  }
  return [text, ['tags', 'albums', 'places', 'cameras', 'categories', 'people']]
}

function namedLike(list: readonly Named[], text: string): Named[] {
  const tags = list.map(({ name, token }) => ({ id: token, name }))
  const age = new Map(tags.map(({ id }, place) => [id, -place]))
  const index = indexTags(tags, (id) => age.get(id)!)
  return findTags(index, text, OTHERS).map(({ tag }) => ({ name: tag.name, token: tag.id }))
}

/** Returns the lines of conditions with words of their own that begin with a text; those with a code for an empty one. */
function conditionLines(open: Open): Line[] {
  const wanted = folded(open.text)
  const isMeant = (word: string) =>
    wanted === ''
      ? word.includes(':')
      : word.startsWith(wanted) || word.slice(word.indexOf(':') + 1).startsWith(wanted)
  const tokens = rowsOf('conditions')
    .filter(([token]) => !looksOnly() || !OF_WORK.includes(token))
    .filter(([, ...words]) => words.map(folded).some(isMeant))
    .map(([token]) => token)
  return [...new Set(tokens)].flatMap((token) =>
    linesWith(open, token).map((line) => ({ ...line, ...codeOf(token, open) })),
  )
}

function codeOf(token: string, { steps }: Open): Pick<Line, 'code'> {
  const row = PHRASES[language.value].conditions.find(([one]) => one === token)
  const code = steps.length === 0 ? row?.find((word) => /^\p{L}+:/u.test(word)) : undefined
  return code === undefined ? {} : { code }
}

/** What understands words, and says tokens in words; it is loaded on demand. */
export const spokenWords = {
  ...{ idOf, nameOf, prepareNames, rangeWords, wordsOf },
  ...{ linesOf, isReadyFor },
}
