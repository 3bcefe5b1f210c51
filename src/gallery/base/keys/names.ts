type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Returns the name of the key that was pressed, with its modifiers: `Ctrl+Shift+ArrowUp`, `t`, `?`,
 * `Space`. The Mac's command key counts as Ctrl. Shift is included for letters and for keys that write
 * nothing; other characters need it on some keyboards only.
 */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key
  const isCharacter = [...name].length === 1
  const isLetter = isCharacter && name.toLowerCase() !== name.toUpperCase()
  const parts = [
    (ctrlKey || metaKey) && 'Ctrl',
    altKey && 'Alt',
    shiftKey && (isLetter || !isCharacter) && 'Shift',
    isLetter ? letter(name, ctrlKey || metaKey || altKey || shiftKey) : name,
  ]
  return parts.filter(Boolean).join('+')
}

/** A letter is lower case alone and upper case after a modifier, as is usual in print. */
function letter(name: string, isModified: boolean): string {
  return isModified ? name.toUpperCase() : name.toLowerCase()
}

/** Whether a key writes a character into a text. */
export function isSingle(key: string): boolean {
  if (key.startsWith('Ctrl+') || key.startsWith('Alt+')) return false
  return key === 'Space' || [...key.replace(/^Shift\+/, '')].length === 1
}

/** Whether a key repeats while it is held: it moves, and changes nothing. */
export function isHeldOn(key: string): boolean {
  return /(^|\+)(Arrow\w+|Page\w+|[+-])$/.test(key)
}
