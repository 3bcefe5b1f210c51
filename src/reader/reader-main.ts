import { onLine } from '../base/child-process.ts'
import { AppError } from '../base/errors.ts'
import { keepMemoryPrivate } from '../base/private-memory.ts'
import { openToRead } from '../db/client.ts'
import type { Answer, Asked, Begun } from './messages.ts'
import { QUESTIONS } from './questions.ts'

// The process that answers questions about the library: it reads them line by line, and writes the answers. Its
// arguments are the path of the database and how many bytes of its pages it may cache.

const answers = new Map(QUESTIONS.map(({ name, answer }) => [name, answer]))

function tell(line: Begun | Answer): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function answerTo(line: string): Answer {
  const { name, given }: Asked = JSON.parse(line)
  try {
    return { answer: answers.get(name)!(db, given) }
  } catch (error) {
    if (!(error instanceof AppError)) return { failed: String((error as Error).stack) }
    const { code, message, details, headers } = error
    return { error: { code, message, details, headers } }
  }
}

function open() {
  const [path, cacheSize] = process.argv.slice(2)
  try {
    return openToRead(path!, { cacheSize: Number(cacheSize) })
  } catch (error) {
    tell({ ready: false, why: String(error) })
    throw error
  }
}

await keepMemoryPrivate()
const db = open()
tell({ ready: true })
onLine(process.stdin, (line) => tell(answerTo(line)))
// The end of its input ends the process.
process.stdin.on('end', () => process.exit())
