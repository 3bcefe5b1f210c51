import { signal } from '@preact/signals'

/** The modals that are open, the topmost last. */
export const open = signal<HTMLDialogElement[]>([])

/** Whether a modal is open above the page. */
export function isModalOpen(): boolean {
  return open.value.length > 0
}
