import { render } from 'preact'
import { watchConnection } from './base/connection.ts'
import { watchDrops } from './base/drops.ts'
import { watchKeys } from './base/keys.ts'
import { applyPreferences } from './base/preferences.ts'
import { watchReturns } from './base/returning.ts'
import { watchAddress } from './routes.ts'
import { App } from './shell/app.tsx'

applyPreferences()
watchAddress()
watchKeys()
watchConnection()
watchDrops()
watchReturns()
render(<App />, document.getElementById('app')!)
