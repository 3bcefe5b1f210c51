import { isForeign, lookForServer } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { accessToken, renew } from '../base/session.ts'
import type { Send } from './queue.ts'

/** What the server has said, with its JSON or null. */
interface Reply {
  response: Response
  body: unknown
}

interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: FormData | Blob
}

/**
 * Sends a request for the user, reports the bytes that have left this device, and returns the server's reply. Throws an
 * ApiError `no_connection` if another program replied, or none, and the signal's reason when it is aborted.
 */
export async function transmit(asked: Asked, watch: Parameters<Send>[1]): Promise<Reply> {
  const token = await accessToken()
  const reply = await attempt(asked, token, watch)
  return reply.response.status === 401 ? attempt(asked, await renew(token), watch) : reply
}

async function attempt(asked: Asked, token: string, watch: Parameters<Send>[1]): Promise<Reply> {
  const reply = await request(asked, token, watch)
  if (reply && !isForeign(reply.response)) return reply
  // Finds out whether all uploads have to wait, or only this one was cut off.
  await lookForServer()
  throw new ApiError(0, 'no_connection')
}

/** Uses XMLHttpRequest, because fetch reports no progress; returns null without a reply. */
function request(
  { method, path, headers = {}, body }: Asked,
  token: string,
  { signal, onProgress }: Parameters<Send>[1],
): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => resolve(replyOf(request))
    request.onerror = () => resolve(null)
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) reject(signal.reason)
    else request.send(body)
  })
}

const HEARD = [
  'content-type',
  'location',
  'retry-after',
  'upload-file-id',
  'upload-file-is-new',
  'upload-offset',
  'x-request-id',
]

function replyOf(request: XMLHttpRequest): Reply {
  const headers = new Headers()
  for (const name of HEARD) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  const response = new Response(null, { status: request.status, headers })
  try {
    return { response, body: JSON.parse(request.responseText) }
  } catch {
    return { response, body: null }
  }
}
