/** How many things go on that a reload would end. */
let holds = 0

/** Keeps the page from loading itself anew until the returned function is called. */
export function beBusy(): () => void {
  holds++
  let isHeld = true
  return () => {
    if (isHeld) holds--
    isHeld = false
  }
}

/** Whether a reload now would lose something: a change on its way, or a text that is typed. */
export function isBusy(): boolean {
  return holds > 0 || hasTypedText()
}

function hasTypedText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>(
    'input[type=text], input:not([type]), input[type=password], textarea',
  )
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue)
}
