// Ends in one line on a Node that is too old, which would else break in many. Node 12 can read this file.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')
const numbersOf = (version) => version.split('.').map(Number)
const [needs, has] = [numbersOf(needed), numbersOf(process.versions.node)]
const first = needs.findIndex((number, n) => number !== has[n])
if (first >= 0 && has[first] < needs[first]) {
  process.stderr.write(
    `Tagstead needs Node ${needed} or later, and this is ${process.versions.node}\n`,
  )
  process.exit(1)
}
