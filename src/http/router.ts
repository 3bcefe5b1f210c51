import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Returns a router that finds what Hono's own finds, and remembers it for paths without parameters: to
 * look a path up takes as long as most other things that are done with each request.
 */
export function createRouter<Handler>(): Router<Handler> {
  const router = new TrieRouter<Handler>()
  /** By the path, then by the method; only paths of routes are kept, not whatever is asked for. */
  const kept = new Map<string, Map<string, Result<Handler>>>()
  return {
    name: router.name,
    add(method, path, handler) {
      router.add(method, path, handler)
      if (!/[:*]/.test(path)) kept.set(path, new Map())
      for (const results of kept.values()) results.clear()
    },
    match(method, path) {
      const results = kept.get(path)
      const known = results?.get(method)
      if (known) return known
      const result = router.match(method, path)
      results?.set(method, result)
      return result
    },
  }
}
