const PAGE = 200

/** Returns all items of a paged list, each once. Throws what `read` throws. */
export async function allPages<One extends { id: string | number }>(
  read: (page: { limit: number; offset: number }) => Promise<{ items: One[]; total: number }>,
): Promise<One[]> {
  const first = await read({ limit: PAGE, offset: 0 })
  const others = Array.from({ length: Math.ceil(first.total / PAGE) - 1 }, (_, number) =>
    read({ limit: PAGE, offset: (number + 1) * PAGE }),
  )
  const pages = [first, ...(await Promise.all(others))]
  // An item that was created or renamed meanwhile may have moved to another page.
  return [...new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one])).values()]
}
