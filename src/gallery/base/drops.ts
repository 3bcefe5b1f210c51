import { effect, signal } from '@preact/signals'
import { isTyping } from './keys/keys.ts'
import { holdPage } from './leaving.ts'
import { isResumed, mayCreate } from './session.ts'

/** What somebody dropped, pasted or chose at once. */
interface Drop {
  /** Files, and folders that are still to be read. */
  entries: (File | FileSystemEntry)[]
  /** The tag that it fell on, by its id; null for none. */
  tagId: string | null
}

/** What was taken and waits for the script that sends it, which comes later than the page. */
export const drops = signal<Drop[]>([])
/** Whether files are held over the page. */
export const isFileOver = signal(false)

/** Whether what is dragged comes from this page: a picture of it would seem to be a file. */
let isOwn = false

/** Takes files that are dropped anywhere on the page, or pasted; else the browser would open them. */
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
    // Of text with a picture of it, as from a table, a text field takes the text.
    if (isTyping(event) && types.includes('text/plain')) return
    takeFiles([...files])
  })
  effect(() => {
    // Whoever signs in next has not dropped them, and who may not add any never sends them.
    if (isResumed.value && !mayCreate()) drops.value = []
  })
  holdPage(() => drops.peek().length > 0)
}

/** Takes the files of a drop that fell on a tag, by its id, or on none. */
export function takeDrop(event: DragEvent, tagId: string | null): void {
  event.preventDefault()
  // The list is emptied when the event is over, so all entries are taken at once.
  const items = [...event.dataTransfer!.items].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => {
    const entry = item.webkitGetAsEntry()
    return entry?.isDirectory ? entry : item.getAsFile()
  })
  add({ entries: entries.filter((entry) => entry !== null), tagId })
}

/** Takes files that somebody chose. */
export function takeFiles(files: File[]): void {
  add({ entries: files, tagId: null })
}

function add(drop: Drop): void {
  if (drop.entries.length > 0 && mayAdd()) drops.value = [...drops.peek(), drop]
}

/** Whether files of this device are dragged, and not something of a page. */
export function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return !isOwn && (dataTransfer?.types.includes('Files') ?? false)
}

/** Whether the one who is signed in may add files; while nobody knows who that is, too. */
export function mayAdd(): boolean {
  return mayCreate() ?? !isResumed.peek()
}
