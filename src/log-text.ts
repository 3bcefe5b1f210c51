/** An entry of the log: when, how severe and what, and then its fields. */
interface Entry {
  time?: unknown
  level?: unknown
  message?: unknown
  [field: string]: unknown
}

/** What could move the cursor of a terminal, or hide and turn around what stands there. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const PLAIN = /^[\p{L}\p{N}\p{P}\p{S}]+$/u

/** Returns an entry of the log as people read it, in the time of this machine; a stack takes lines of its own. */
export function textOf({ time, level, message, ...fields }: Entry): string {
  const at = new Date(String(time)).toTimeString().slice(0, 8)
  const grade = level === 'info' ? '' : `${level} `
  if (message === 'request') return `${at} ${grade}${requestOf(fields)}`
  const stacks: string[] = []
  const others = Object.entries(fields).filter(([, value]) => {
    const isStack = typeof value === 'string' && /\n {4}at /.test(value)
    if (isStack) stacks.push(...value.split('\n').map((line) => `\n  ${visible(line)}`))
    return !isStack
  })
  return `${at} ${grade}${[message, ...others.map(fieldOf)].join(' ')}${stacks.join('')}`
}

function requestOf({ method, path, status, ms, user_id }: Entry): string {
  const user = user_id === undefined ? '' : ` user ${user_id}`
  return `${method} ${visible(String(path))} ${status} ${ms} ms${user}`
}

function fieldOf([name, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = typeof value !== 'string' || (PLAIN.test(value) && !value.includes('"'))
  return `${name}=${visible(isPlain ? text : JSON.stringify(text))}`
}

/** What strangers wrote, such as a name that somebody tried to sign in with, must not look like more than it is. */
function visible(text: string): string {
  return text.replace(UNSEEN, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}
