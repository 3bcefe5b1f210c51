import { effect, signal } from '@preact/signals'
import { isTyping } from './keys.ts'
import { holdPage } from './leaving.ts'
import { isResumed, mayCreate } from './session.ts'

interface Drop {
  /** Files, and folders that are still to be read. */
  entries: (File | FileSystemEntry)[]
  /** The id of the tag that it was dropped on; null for none. */
  tagId: string | null
}

/** Drops waiting for the script that uploads them, which loads after the page. */
export const drops = signal<Drop[]>([])
/** Whether files are being dragged over the page. */
export const isFileOver = signal(false)

/** Whether the drag began on this page: a picture dragged from it would look like a file. */
let isOwn = false

/**
 * Accepts files that are dropped anywhere on the page, or pasted; otherwise the browser would open
 * them.
 */
export function watchDrops(): void {
  let depth = 0
  const count = (by: number) => (event: DragEvent) => {
    if (!holdsFiles(event)) return
    depth += by
    isFileOver.value = depth > 0 && mayAdd()
  }
  addEventListener('dragstart', ({ defaultPrevented }) => {
    isOwn = !defaultPrevented
  })
  addEventListener('dragend', () => {
    isOwn = false
  })
  addEventListener('dragenter', count(1))
  addEventListener('dragleave', count(-1))
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = mayAdd() ? 'copy' : 'none'
  })
  addEventListener('drop', (event) => {
    depth = 0
    isFileOver.value = false
    if (!event.defaultPrevented && holdsFiles(event)) takeDrop(event, null)
  })
  addEventListener('paste', (event) => {
    const { files = [], types = [] } = event.clipboardData ?? {}
    // When text is pasted along with a picture of it, as from a spreadsheet, a text field takes the
    // text.
    if (isTyping(event) && types.includes('text/plain')) return
    takeFiles([...files])
  })
  effect(() => {
    // Another user that signs in must not send them, and a user without the right never can.
    if (isResumed.value && !mayCreate()) drops.value = []
  })
  holdPage(() => drops.peek().length > 0)
}

/** Accepts the files of a drop on a tag, by its id, or on none. */
export function takeDrop(event: DragEvent, tagId: string | null): void {
  event.preventDefault()
  // The browser empties the list after the event, so all entries are taken at once.
  const items = [...event.dataTransfer!.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => {
    const entry = item.webkitGetAsEntry()
    return entry?.isDirectory ? entry : item.getAsFile()
  })
  add({ entries: entries.filter((entry) => entry !== null), tagId })
}

/** Accepts files that the user chose. */
export function takeFiles(files: File[]): void {
  add({ entries: files, tagId: null })
}

function add(drop: Drop): void {
  if (drop.entries.length > 0 && mayAdd()) drops.value = [...drops.peek(), drop]
}

/** Whether files of this device are dragged, and not something from a page. */
export function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return !isOwn && (dataTransfer?.types.includes('Files') ?? false)
}

/** Whether the user may add files; true also until it is clear who is signed in. */
export function mayAdd(): boolean {
  return mayCreate() ?? !isResumed.peek()
}
