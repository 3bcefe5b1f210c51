/** A name with the parts in bold that were asked for. */
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
