import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { ApiError, errorOf } from '../base/error.ts'
import type { Send } from './queue.ts'
import { transmit } from './transmit.ts'

/** Files of this size go in parts of it, in bytes: proxies often refuse a request of more than 100 MB. */
export const PART = 50_000_000

const TUS = { 'Tus-Resumable': '1.0.0' }

// The uploads that have begun, with their fields; another attempt goes on with them.
const begun = new WeakMap<File, { id: string; metadata: string; tagIds: string[] }>()

/**
 * Returns the ids of the tags with which the upload of a large file has begun; undefined if it has not. Other tags would
 * be another upload, so another attempt needs the same ones.
 */
export function tagsBegun(file: File): string[] | undefined {
  return begun.get(file)?.tagIds
}

/**
 * Uploads a large file in parts, by tus, and returns the server's file; null if the server takes no more such uploads.
 * An upload that was stopped before goes on, and so does one whose connection breaks while it makes progress. Throws as
 * `transmit` does.
 */
export async function sendInParts(
  file: File,
  fields: Record<string, string>,
  watch: Parameters<Send>[1],
): Promise<{ file: Schemas['File']; isNew: boolean } | null> {
  const metadata = metadataOf({ ...fields, filename: file.name })
  if (begun.get(file)?.metadata !== metadata) await giveUp(file)
  const before = begun.get(file)
  let at = before ? await find(before.id, watch) : null
  if (!at) {
    begun.delete(file)
    const headers = { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata }
    const { response, body } = await transmit(
      { method: 'POST', path: '/api/v1/uploads', headers },
      watch,
    )
    // Too many have begun, or too many tags for the head of a request.
    if (response.status === 409 || response.status === 431) return null
    if (response.status !== 201) throw errorOf(response, body)
    const id = response.headers.get('location')!.split('/').at(-1)!
    begun.set(file, { id, metadata, tagIds: fields.tag_ids?.split(',') ?? [] })
    at = { offset: 0, stored: null }
  }
  const { id } = begun.get(file)!
  while (!at.stored) at = await sendPart(file, { id, offset: at.offset }, watch)
  begun.delete(file)
  const params = { path: { file_id: at.stored.id } }
  const stored = await ask(api.GET('/api/v1/files/{file_id}', { params }))
  return { file: stored, isNew: at.stored.isNew }
}

/**
 * Has the server forget what has come of a file, which counts for the user's quota. Without an answer, it does so by
 * itself in a day.
 */
export async function giveUp(file: File): Promise<void> {
  const before = begun.get(file)
  if (!before) return
  begun.delete(file)
  try {
    const params = { path: { upload_id: before.id } }
    await ask(api.DELETE('/api/v1/uploads/{upload_id}', { params }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

interface Place {
  offset: number
  stored: { id: string; isNew: boolean } | null
}

async function sendPart(
  file: File,
  { id, offset }: { id: string; offset: number },
  { signal, onProgress }: Parameters<Send>[1],
): Promise<Place> {
  const watch = { signal, onProgress: (bytes: number) => onProgress(offset + bytes) }
  const headers = {
    ...TUS,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(offset),
  }
  const path = `/api/v1/uploads/${id}`
  const body = file.slice(offset, offset + PART)
  try {
    const { response, body: said } = await transmit({ method: 'PATCH', path, headers, body }, watch)
    if (response.status === 204) return placeOf(response)
    throw errorOf(response, said)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const at = await find(id, watch)
    // The next attempt begins anew.
    if (!at) begun.delete(file)
    // Without progress, another attempt is for later.
    const isOn = at && (at.offset > offset || at.stored)
    if (error.code !== 'no_connection' || !isOn) throw error
    return at
  }
}

/** Returns how far an upload is; null when it is gone. */
async function find(id: string, { signal }: Parameters<Send>[1]): Promise<Place | null> {
  const watch = { signal, onProgress: () => {} }
  const path = `/api/v1/uploads/${id}`
  const { response } = await transmit({ method: 'HEAD', path, headers: TUS }, watch)
  if (response.status === 404) return null
  if (!response.ok) throw errorOf(response, null)
  return placeOf(response)
}

function placeOf({ headers }: Response): Place {
  const id = headers.get('upload-file-id')
  return {
    offset: Number(headers.get('upload-offset')),
    stored: id === null ? null : { id, isNew: headers.get('upload-file-is-new') === 'true' },
  }
}

function metadataOf(fields: Record<string, string>): string {
  const base64 = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join()
}
