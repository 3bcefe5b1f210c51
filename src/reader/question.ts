import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import { isWriting, read, type Synchronous } from '../db/write.ts'

/** What a question is about: a page, which somebody waits for, or an overview of many files. */
export type Subject = 'page' | 'overview'

/** The input of a question, with the user who asks it. */
export type Input = { viewer: User } | { list: { viewer: User } }

/** Answers questions in another process. */
export interface Reader {
  /**
   * Returns the answer, or null where there is no reader, so that the caller has to answer by itself. Throws what
   * answering throws, and busy when it takes too long or too many questions wait.
   */
  ask(subject: Subject, name: string, given: Input): Promise<{ answer: unknown } | null>
  /** Returns how many processes answer, or wait for questions. */
  running(): number
}

// Runs in a reader where there is one; input and answer are JSON.
interface Question<Given, Answer> {
  (db: Db, given: Given): Promise<Answer>
  question: Answering
}

/** How a reader answers a question. */
export interface Answering {
  name: string
  answer(db: Db, given: unknown): unknown
}

const readerOf = perConnection((): { current: Reader | null } => ({ current: null }))

/** Makes a reader answer the questions of a connection. */
export function setReader(db: Db, reader: Reader): void {
  readerOf(db).current = reader
}

/** Returns how many processes answer the questions of a connection now. */
export function runningReaders(db: Db): number {
  return readerOf(db).current?.running() ?? 0
}

/**
 * Makes a question of a function that only reads: a reader answers it, so that it delays no other requests however long
 * it takes. Without a reader, as in a command, it is answered at once. It sees one state of the library, which is not
 * older than the question. It can't be asked within a write.
 */
export function question<Given extends Input, Answer>(
  subject: Subject,
  name: string,
  answer: (db: Db, given: Given) => Synchronous<Answer>,
): Question<Given, Answer> {
  const answerNow = (db: Db, given: unknown) => read(db, () => answer(db, given as Given))
  const ask = async (db: Db, given: Given): Promise<Answer> => {
    if (isWriting(db)) throw new Error(`${name} is asked for within a write`)
    const reply = await readerOf(db).current?.ask(subject, name, given)
    return reply ? (reply.answer as Answer) : (answerNow(db, given) as Answer)
  }
  return Object.assign(ask, { question: { name, answer: answerNow } })
}
