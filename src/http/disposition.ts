import { cleanLine, showsSomething } from '../base/text.ts'

const NAME_LENGTH = 255
const EXTENSION_LENGTH = 32

/**
 * Returns a file's name as it is stored: without directories, control characters and more than 30 combining marks in a
 * row, cut to 255 characters with its extension preserved; null when nothing visible is left.
 */
export function cleanFilename(name: string): string | null {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const printable = [...cleanLine(base.toWellFormed())]
  const text = printable.join('')
  if (/^\.{0,2}$/.test(text) || !showsSomething(text)) return null
  if (printable.length <= NAME_LENGTH) return text
  const dot = printable.lastIndexOf('.')
  const extension = printable.length - dot <= EXTENSION_LENGTH ? printable.slice(dot) : []
  return [...printable.slice(0, NAME_LENGTH - extension.length), ...extension].join('')
}

/** Returns a Content-Disposition (RFC 6266) for any filename, encoded by RFC 8187 where needed. */
export function contentDisposition(type: 'inline' | 'attachment', filename: string): string {
  const wellFormed = filename.toWellFormed()
  // Some browsers decode percent signs, so the plain form has none.
  const plain = wellFormed.replace(/[^\x20-\x7e]|["\\%;/]/gu, '_')
  if (plain === wellFormed) return `${type}; filename="${plain}"`
  return `${type}; filename="${plain}"; filename*=UTF-8''${encode(wellFormed)}`
}

// RFC 8187 doesn't allow four characters that encodeURIComponent leaves as they are.
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
