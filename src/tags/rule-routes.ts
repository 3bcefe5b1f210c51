import { Hono } from 'hono'
import { currentUser } from '../auth/guard.ts'
import type { AppEnv, Deps } from '../context.ts'
import { write } from '../db/client.ts'
import { invalid } from '../errors.ts'
import { validBody, validPath } from '../http/validate.ts'
import { loadTag } from './queries.ts'
import { createRule, deleteRule, editRule, listRules, loadRuleTags } from './rules.ts'
import { TagPath, TagRuleCreate, TagRulePath, TagRuleUpdate } from './schema.ts'

/** Returns the routes of tag rules. */
export function tagRuleRoutes(deps: Deps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get('/tags/:tag_id/rules', validPath(TagPath), (c) => {
    const when = loadTag(db, c.var.user, c.req.valid('param').tag_id, 'view')
    return c.json(listRules(db, c.var.user, when))
  })

  routes.post('/tags/:tag_id/rules', validPath(TagPath), validBody(TagRuleCreate), (c) => {
    const { tag_id } = c.req.valid('param')
    const { then_tag_id, ...rule } = c.req.valid('json')
    if (then_tag_id === tag_id) throw invalid('then_tag_id', 'must be another tag')
    const created = write(db, () => {
      const user = currentUser(deps, c)
      const tags = loadRuleTags(db, user, tag_id, then_tag_id)
      return createRule(deps, user, tags, rule)
    })
    return c.json(created, 201)
  })

  const path = '/tags/:tag_id/rules/:then_tag_id'

  routes.patch(path, validPath(TagRulePath), validBody(TagRuleUpdate), (c) => {
    const { tag_id, then_tag_id } = c.req.valid('param')
    const edited = write(db, () => {
      const user = currentUser(deps, c)
      const tags = loadRuleTags(db, user, tag_id, then_tag_id)
      return editRule(deps, user, tags, c.req.valid('json'))
    })
    return c.json(edited)
  })

  routes.delete(path, validPath(TagRulePath), (c) => {
    const { tag_id, then_tag_id } = c.req.valid('param')
    write(db, () => {
      const user = currentUser(deps, c)
      deleteRule(deps, user, loadRuleTags(db, user, tag_id, then_tag_id))
    })
    return c.body(null, 204)
  })

  return routes
}
