import { createApp } from '../../../src/app.ts'
import type { Library } from '../../support/harness.ts'
import { type Hold, measureHold } from './meter.ts'

/** The longest hold of an operation, and the request that it was. */
export interface Longest extends Hold {
  /** The status, who asked if it is known, the path and the body. */
  request: string
  /** How many requests there were. */
  count: number
}

/** The longest holds by the id of the operation. */
export type Holds = Map<string, Longest>

const RESCAN = '/api/v1/files/duplicates/rescan'
const BODILESS = [204, 205, 304]
/** Characters. */
const SHOWN = 160

/**
 * Returns the library with requests whose holds are noted instead of checked against the document.
 * A rescan is let through only when `X-Rescan` asks for it, since each takes seconds of a process
 * of its own.
 */
export function watchHolds(library: Library, holds: Holds): Library {
  const app = createApp(library.deps)
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const asked = new Headers(init.headers)
    if (path.startsWith(RESCAN) && !asked.has('X-Rescan')) return new Response()
    let response = new Response()
    let bytes = new ArrayBuffer(0)
    const hold = await measureHold(async () => {
      response = await app.request(path, init)
      bytes = await response.arrayBuffer()
    })
    const { status, headers } = response
    const method = init.method ?? 'GET'
    const id = library.contract.operationOf(method, path)?.id
    if (id !== undefined) {
      const body = typeof init.body === 'string' ? init.body.slice(0, SHOWN) : ''
      const undoes = asked.has('X-Undoes') ? `of ${asked.get('X-Undoes')}` : ''
      const place = path.replace('/api/v1', '')
      const parts = [status, asked.get('X-Asked-By'), method, place, undoes, body]
      const shown = parts.filter((part) => part).join(' ')
      note(holds, id, { ...hold, request: shown.slice(0, SHOWN) })
    }
    return new Response(BODILESS.includes(status) ? null : bytes, { status, headers })
  }
  return { ...library, request, contract: { ...library.contract, check: () => {} } }
}

function note(holds: Holds, id: string, found: Omit<Longest, 'count'>): void {
  const before = holds.get(id)
  const longest = before && before.held >= found.held ? before : found
  holds.set(id, { ...longest, count: (before?.count ?? 0) + 1 })
}
