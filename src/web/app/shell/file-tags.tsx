import { useRef } from 'preact/hooks'
import { oneFile, Tagging, useTagger, useTagKeys } from '../tagging/index.ts'

/** The tags of the file that is open, to be changed by the keyboard. */
export function FileTags({ id }: { id: string }) {
  const tagger = useTagger(oneFile(id))
  const input = useRef<HTMLInputElement>(null)
  useTagKeys(tagger, { t: () => input.current?.focus() })
  return <Tagging tagger={tagger} input={input} sharesKeys="all" />
}
