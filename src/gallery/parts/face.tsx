/** The first letter of a name in a circle, of a person's own colour where that is given. */
export function Face({ name, color }: { name: string; color?: string }) {
  return (
    <span
      class="face"
      aria-hidden="true"
      style={color === undefined ? undefined : { '--f': color }}
    >
      {[...name][0]!.toUpperCase()}
    </span>
  )
}
