import { Hono } from 'hono'
import { z } from 'zod'
import { writeAs } from '../../auth/write-as.ts'
import { invalid } from '../../base/errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { jsonPage } from '../../http/json.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validBody, validPath } from '../../http/validate.ts'
import { type LongWriteDeps, writeLongAs } from '../../long-changes/write-long.ts'
import { loadTag } from '../queries.ts'
import { TagPath, TagRule, TagRuleCreate, TagRulePath, TagRuleUpdate } from '../schema.ts'
import { createRule, editRule, listAllRules, listRules, loadRuleTags, removeRule } from './rules.ts'

/** Returns the routes of tag rules. */
export function tagRuleRoutes(deps: LongWriteDeps): Hono<AppEnv> {
  const { db } = deps
  const routes = new Hono<AppEnv>()

  routes.get(
    '/tags/rules',
    operation({
      id: 'listAllTagRules',
      tag: 'Tag rules',
      scope: 'read',
      summary: 'List the rules of all tags',
      description:
        'Lists the rules whose two tags the caller may view, by the names of the tags that ' +
        'others follow from, and only the first 5,000.',
      responses: { 200: { description: 'The rules', schema: z.array(TagRule) } },
    }),
    (c) => jsonPage(c, listAllRules(db, c.var.user)),
  )

  routes.get(
    '/tags/:tag_id/rules',
    operation({
      id: 'listTagRules',
      tag: 'Tag rules',
      scope: 'read',
      summary: 'List the rules of a tag',
      description:
        'For callers who may view the tag. Rules whose other tag they may not view are left out.',
      responses: {
        200: {
          description: 'What follows when the tag is added to a file',
          schema: z.array(TagRule),
        },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(TagPath),
    (c) => {
      const when = loadTag(db, c.var.user, c.req.valid('param').tag_id, 'view')
      return c.json(listRules(db, c.var.user, when))
    },
  )

  routes.post(
    '/tags/:tag_id/rules',
    operation({
      id: 'createTagRule',
      tag: 'Tag rules',
      scope: 'admin',
      summary: 'Create a rule',
      description:
        'When the tag is added to a file, the other tag is also added, and so are the tags that ' +
        'follow from that one. Rules may form circles. At most 200 tags may follow from one: a ' +
        'rule that would exceed this gets 409, unless it is switched off. With ' +
        '`apply_to_existing`, the answer comes when all files have the tags; other requests go ' +
        'on meanwhile. Deleting the rule or switching it off ends that with 409. A file that ' +
        'would have more than 1,000 tags is left out.',
      isAudited: true,
      responses: { 201: { description: 'The new rule', schema: TagRule } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(TagPath),
    validBody(TagRuleCreate),
    async (c) => {
      const { tag_id } = c.req.valid('param')
      const { then_tag_id, ...rule } = c.req.valid('json')
      if (then_tag_id === tag_id) throw invalid('then_tag_id', 'must be a different tag')
      const created = await writeLongAs(deps, c, (tx, user) => {
        const tags = loadRuleTags(tx, user, tag_id, then_tag_id)
        return createRule(tx, user, tags, rule)
      })
      return c.json(created, 201)
    },
  )

  const path = '/tags/:tag_id/rules/:then_tag_id'

  routes.patch(
    path,
    operation({
      id: 'updateTagRule',
      tag: 'Tag rules',
      scope: 'admin',
      summary: 'Switch a rule on or off',
      description:
        'Files that already have the tag get the tags that follow only if `apply_to_existing` ' +
        'is true. If more than 200 tags would follow from one, the rule can not be switched on ' +
        'and the answer is 409.',
      isAudited: true,
      responses: { 200: { description: 'The changed rule', schema: TagRule } },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(TagRulePath),
    validBody(TagRuleUpdate),
    async (c) => {
      const { tag_id, then_tag_id } = c.req.valid('param')
      const edited = await writeLongAs(deps, c, (tx, user) => {
        const tags = loadRuleTags(tx, user, tag_id, then_tag_id)
        return editRule(tx, user, tags, c.req.valid('json'))
      })
      return c.json(edited)
    },
  )

  routes.delete(
    path,
    operation({
      id: 'deleteTagRule',
      tag: 'Tag rules',
      scope: 'admin',
      summary: 'Delete a rule',
      description: 'Files keep the tags that followed by the rule.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(TagRulePath),
    (c) => {
      const { tag_id, then_tag_id } = c.req.valid('param')
      writeAs(deps, c, (tx, user) => {
        removeRule(tx, user, loadRuleTags(tx, user, tag_id, then_tag_id))
      })
      return c.body(null, 204)
    },
  )

  return routes
}
