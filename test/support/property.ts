import fc from 'fast-check'

/** What all that is random in a run comes from: another number for each run, unless SEED gives one. */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

// `test/run.mjs` gives one to all processes, and tells it at the end.
if (process.env.SEED === undefined) process.stderr.write(`seed: ${SEED}\n`)

fc.configureGlobal({ seed: SEED })

/** fast-check, with the seed of this run. */
export { fc }
