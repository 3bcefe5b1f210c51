import assert from 'node:assert/strict'

/**
 * Returns what reads a stream of events one by one: nothing happens in the server between two reads
 * but what it does anyway. `rest` reads to the end, `leave` hangs up.
 */
export function streamed<Event>(response: Response) {
  assert.equal(response.status, 200)
  const reader = response.body!.getReader()
  const next = async (): Promise<Event | null> => {
    const { done, value } = await reader.read()
    return done ? null : JSON.parse(Buffer.from(value).toString())
  }
  return {
    next,
    async rest(): Promise<Event[]> {
      const events: Event[] = []
      for (let event = await next(); event; event = await next()) events.push(event)
      return events
    },
    leave: () => reader.cancel(),
  }
}
