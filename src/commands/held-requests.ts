import type { AppEnv } from '../http/env.ts'

type Fetch = (request: Request, bindings: AppEnv['Bindings']) => Response | Promise<Response>

// Requests wait until it is certain whether the server starts.
interface Held {
  fetch: Fetch
  open(): void
  /** Answers them with 503, in the Error shape. */
  refuse(): void
}

/** Returns the application with its requests held until `open` or `refuse` is called. */
export function holdRequests(app: { fetch: Fetch }): Held {
  let isOpen = false
  let decide = (_isOpen: boolean) => {}
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve
  })
  const wait: Fetch = async (request, bindings) =>
    (await decided) ? app.fetch(request, bindings) : refusal()
  return {
    fetch: (request, bindings) => (isOpen ? app.fetch(request, bindings) : wait(request, bindings)),
    open() {
      isOpen = true
      decide(true)
    },
    refuse: () => decide(false),
  }
}

function refusal(): Response {
  return Response.json(
    { code: 'busy', message: 'The server does not start' },
    { status: 503, headers: { 'Retry-After': '1' } },
  )
}
