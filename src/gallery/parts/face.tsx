/** Colours with enough contrast to white, by person. */
const FACES = [
  '#a2521c',
  '#2b6a9e',
  '#6a4a94',
  '#3f7048',
  '#9a3b52',
  '#1f7272',
  '#7a6210',
  '#5c5c5c',
]

/** Shows the first letter of a person's name in a circle of the person's own colour. */
export function Face({ id, name }: { id: number; name: string }) {
  return (
    <span class="face" aria-hidden="true" style={{ '--f': FACES[id % FACES.length]! }}>
      {[...name][0]!.toUpperCase()}
    </span>
  )
}
