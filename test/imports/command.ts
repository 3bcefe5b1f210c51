import { runImport } from '../../src/imports/import-command.ts'

process.exit(await runImport(process.argv.slice(2)))
