import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describedApp } from './support/contract/own-document.ts'

/** What tells a route from the others: the method, and the parts of its path. */
interface Route {
  method: string
  path: string
  parts: string[]
}

const isParameter = (part: string) => part.startsWith(':')

/** Whether every request for the later route would go to the earlier one. */
function shadows(earlier: Route, later: Route): boolean {
  return (
    earlier.method === later.method &&
    earlier.parts.length === later.parts.length &&
    earlier.parts.every((part, place) => isParameter(part) || part === later.parts[place])
  )
}

/** The routes that no request reaches, each with the earlier one that takes its requests. */
function hidden(routes: Route[]): string[] {
  return routes.flatMap((later, place) =>
    routes
      .slice(0, place)
      .filter((earlier) => shadows(earlier, later))
      .map((earlier) => `${later.method} ${later.path} behind ${earlier.path}`),
  )
}

describe('the routes of the application', () => {
  const handlers = describedApp().routes.filter((route) => route.method !== 'ALL')
  const paths = new Set(handlers.map(({ method, path }) => `${method} ${path}`))
  const routes = [...paths].map((text): Route => {
    const [method, path] = text.split(' ') as [string, string]
    return { method, path, parts: path.split('/') }
  })

  it('stand in an order in which none hides another', () => {
    assert.deepEqual(hidden(routes), [])
  })

  it('would hide words behind parameters in another order', () => {
    const found = hidden(routes.toReversed())
    assert.ok(found.includes('GET /api/v1/files/duplicates behind /api/v1/files/:file_id'))
    assert.ok(found.includes('GET /api/v1/users/me behind /api/v1/users/:user_id'))
  })
})
