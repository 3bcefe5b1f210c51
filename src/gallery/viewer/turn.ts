import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { act, api, asOneChange } from '../base/api.ts'
import { mediaUrl } from '../base/media.ts'
import { filmOf } from '../base/pairs.ts'
import type { Resource } from '../base/resource.ts'
import type { Files } from '../grid/index.ts'
import { complain, toast } from '../parts/toast.tsx'
import { viewer } from '../text/viewer.ts'
import { along } from './along.ts'

type File = Schemas['File']
type Rotation = File['rotation']

/** How the files are to be turned whose turns the server has not answered. */
const wanted = signal<ReadonlyMap<string, Rotation>>(new Map())

function want(id: string, rotation: Rotation | null): void {
  const next = new Map(wanted.peek())
  if (rotation === null) next.delete(id)
  else next.set(id, rotation)
  wanted.value = next
}

/** Returns by how many degrees a file is still to be turned clockwise from where the server has it. */
export function turnLeft({ id, rotation }: File): number {
  return ((wanted.value.get(id) ?? rotation) - rotation + 360) % 360
}

let queue: Promise<unknown> = Promise.resolve()

/** Turns an open file by a quarter: at once on the screen, and back if the server refuses. */
export async function turn(
  files: Files,
  loaded: Resource<File>,
  id: string,
  by: 90 | 270,
): Promise<void> {
  const data = loaded.data
  // There is a button for it before the file has been read.
  if (data.peek()?.id !== id) await loaded.reload()
  const file = data.peek()
  if (file?.id !== id) return
  const rotation = (((wanted.peek().get(id) ?? file.rotation) + by) % 360) as Rotation
  want(id, rotation)
  // While it waits for others it is a change already, which an undo and the page's end wait for.
  const sent = asOneChange(queue.then(() => send(id, rotation, by)))
  queue = sent
  const turned = await sent
  // If it refuses, an earlier turn may not have been shown as the server has it.
  await (turned ? show(files, loaded, turned) : loaded.reload())
}

/** Resolves to the turned file, whose film turns along; to null if the server refuses. */
async function send(id: string, rotation: Rotation, by: 90 | 270): Promise<File | null> {
  try {
    const params = { path: { file_id: id } }
    const call = api.PATCH('/api/v1/files/{file_id}', { params, body: { rotation } })
    const { data, operation } = await act(call)
    const done = operation === null ? [] : [operation]
    const film = filmOf(id)
    if (film !== undefined) {
      const body = { file_ids: [film], turn: by }
      await along(done, api.POST('/api/v1/files/bulk/update', { body }))
    }
    toast({ text: viewer().turned, operation: done[0] ? done : null })
    return data
  } catch (error) {
    complain(error)
    want(id, null)
    return null
  }
}

async function show(files: Files, loaded: Resource<File>, turned: File): Promise<void> {
  const { id, rotation } = turned
  const isLast = () => wanted.peek().get(id) === rotation
  files.renew([id]).catch(complain)
  await isThere(turned)
  if (!isLast()) return
  // It may have been changed again meanwhile.
  if (loaded.data.peek()?.id === id) await loaded.reload()
  if (isLast()) want(id, null)
}

// Until then, the former picture is turned in its place.
async function isThere({ id, version }: File): Promise<void> {
  const image = new Image()
  image.src = mediaUrl(id, 'preview', { v: version })
  await image.decode().catch(() => {})
}
