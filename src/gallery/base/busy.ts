/** What goes on that a reload would end. */
const holds = new Set<{ goesOn(): boolean }>()

/**
 * Keeps the page from loading itself anew while `goesOn` says so, until the returned function is
 * called.
 */
export function beBusy(goesOn: () => boolean = () => true): () => void {
  const hold = { goesOn }
  holds.add(hold)
  return () => {
    holds.delete(hold)
  }
}

/** Whether a reload now would lose something: a change on its way, or a text that is typed. */
export function isBusy(): boolean {
  return [...holds].some(({ goesOn }) => goesOn()) || hasTypedText()
}

function hasTypedText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>(
    'input[type=text], input:not([type]), input[type=password], textarea',
  )
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue)
}
