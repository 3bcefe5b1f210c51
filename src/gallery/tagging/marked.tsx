/** Shows a name with the matching parts in bold. */
export function Marked({ name, parts }: { name: string; parts: [number, number][] }) {
  const pieces = parts.map(([start, end], index) => (
    <>
      {name.slice(parts[index - 1]?.[1] ?? 0, start)}
      <b>{name.slice(start, end)}</b>
    </>
  ))
  return (
    <span class="marked">
      {pieces}
      {name.slice(parts.at(-1)?.[1] ?? 0)}
    </span>
  )
}
