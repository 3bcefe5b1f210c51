import { useRef } from 'preact/hooks'
import { oneFile, Tagging, TagKeys, useTagger } from '../tagging/index.ts'

/** Shows the tags of the open file, to be changed by the keyboard. */
export function FileTags({ id }: { id: string }) {
  const tagger = useTagger(oneFile(id))
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <TagKeys tagger={tagger} more={{ t: () => input.current?.focus() }} />
      <Tagging tagger={tagger} input={input} sharesKeys="all" />
    </>
  )
}
