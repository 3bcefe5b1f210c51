/** Shows the first letter of a name in a circle, in the person's own colour if given. */
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
