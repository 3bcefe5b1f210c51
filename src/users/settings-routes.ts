import { Hono } from 'hono'
import { writeAs } from '../auth/write-as.ts'
import type { WriteDeps } from '../db/write.ts'
import type { AppEnv } from '../http/env.ts'
import { type JsonText, jsonText } from '../http/json.ts'
import { operation } from '../http/openapi/operation.ts'
import { validBody } from '../http/validate.ts'
import { Settings, SettingsUpdate } from './schema.ts'
import { findSettings, setSettings } from './settings-queries.ts'

/** Returns the routes of what the pages store for the caller. */
export function settingsRoutes(deps: WriteDeps): Hono<AppEnv> {
  const { db } = deps
  return new Hono<AppEnv>()
    .get(
      '/users/me/settings',
      operation({
        id: 'getSettings',
        tag: 'Users',
        scope: 'read',
        summary: 'Get the settings of the caller',
        description: 'An empty object before they are first set.',
        responses: { 200: { description: 'The settings', schema: Settings } },
      }),
      (c) => jsonText<Settings>(c, findSettings(db, c.var.user.id)),
    )
    .put(
      '/users/me/settings',
      operation({
        id: 'replaceSettings',
        tag: 'Users',
        scope: 'admin',
        summary: 'Replace the settings of the caller',
        description: 'Keys that are absent are removed. There is no audit entry.',
        responses: { 200: { description: 'The settings', schema: Settings } },
      }),
      validBody(SettingsUpdate),
      (c) => {
        const settings: JsonText<Settings> = JSON.stringify(c.req.valid('json'))
        writeAs(deps, c, (tx, user) => setSettings(tx, user.id, settings))
        return jsonText(c, settings)
      },
    )
}
