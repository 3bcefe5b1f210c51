import { endOf } from '../outcome.ts'
import { type Room, RoomLost } from '../walls/room.ts'
import { isAnswer } from './answers.ts'
import type { Allowed, Message } from './messages.ts'
import type { Request } from './request.ts'

interface Sides {
  room: Room
  onMessage: (message: Message) => void
  write: (value: object) => void
  offend: (what: string) => void
  /** Called when the room is gone; `hasServed` says whether any job was done there. */
  onLost: (hasServed: boolean) => void
}

/** Returns what lends a child what its jobs read, and takes back what they have made. */
export function createExchange({ room, write, onMessage, offend, onLost }: Sides) {
  let hasServed = false
  let isClosed = false
  const given = new Map<number, Request['op']>()
  const moving = new Set<Promise<void>>()
  const move = (moved: Promise<void>) => {
    const whole = moved.finally(() => moving.delete(whole))
    moving.add(whole)
  }
  const hear = async (message: Message) => {
    if ('waiting' in message || 'limit' in message) return onMessage(message)
    const { id } = message
    const op = given.get(id)
    if (op === undefined) return
    given.delete(id)
    if ('result' in message && !isAnswer(op, message.result)) {
      return offend('said what no decoder says')
    }
    const taken = await room.takeBack(id, 'result' in message).catch(endOf)
    if (taken === 'lost') return onLost(hasServed)
    if (taken === 'closed') return offend('closed its folder')
    hasServed = true
    if (taken === 'done') onMessage(message)
    else if (taken !== 'odd') onMessage({ id, ...taken })
    else onMessage({ id, failed: 'the decoder made something that is no picture' })
  }
  const give = async (id: number, request: Request, allowed: Allowed) => {
    try {
      const seen = await room.lend(id, request)
      given.set(id, request.op)
      write({ id, ...seen, ...allowed })
    } catch (error) {
      // The next child gets it.
      if (isClosed) return
      if (error instanceof RoomLost) onLost(hasServed)
      else onMessage({ id, ...endOf(error) })
    }
  }
  return {
    hear: (message: Message) => move(hear(message)),
    give: (id: number, request: Request, allowed: Allowed) => move(give(id, request, allowed)),
    /** Returns false when it was closed before. */
    close(): boolean {
      const wasOpen = !isClosed
      isClosed = true
      return wasOpen
    },
    settled: () => Promise.allSettled(moving),
  }
}
