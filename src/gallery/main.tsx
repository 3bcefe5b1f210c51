import { render } from 'preact'
import { watchConnection } from './base/connection.ts'
import { watchDrops } from './base/drops.ts'
import { watchKeys } from './base/keys/keys.ts'
import { watchReturns } from './base/returning.ts'
import { resume } from './base/session.ts'
import { applyPreferences } from './base/settings/preferences.ts'
import { complain } from './parts/toast.tsx'
import { watchAddress } from './routes.ts'
import { App } from './shell/app.tsx'

applyPreferences()
watchAddress()
watchKeys()
watchConnection()
watchDrops()
watchReturns()
// Before rendering, because everything else waits for the session.
resume().catch(complain)
render(<App />, document.getElementById('app')!)
