import { tmpdir } from 'node:os'
import { createApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/base/config.ts'
import { INFO } from '../../../src/docs/info.ts'
import { buildDocument } from '../../../src/http/openapi/document.ts'
import type { Deps } from '../../../src/library.ts'
import { type Contract, createContract } from './contract.ts'

// Routes are described before anything else that they need exists.
const DESCRIBED = { config: parseConfig({ DATA_DIR: tmpdir() }) } as Deps
let contract: Promise<Contract> | undefined

/** Returns the application, which may be asked for its routes and for nothing else. */
export function describedApp() {
  return createApp(DESCRIBED)
}

/** Returns the judge of answers by the document of this code. */
export function ownContract(): Promise<Contract> {
  contract ??= buildDocument(describedApp().routes, INFO).then(createContract)
  return contract
}
