import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IN_GALLERY, KEPT, OF_TOWNS } from './packages.ts'

const OWN_TEXT = /^(licen[cs]e|notice|copying)|swagger-ui-bundle\.js\.LICENSE/i
const LINE = `${'='.repeat(100)}\n`

/** The texts of licences that some packages only name, by the file of a package that has it. */
const TEXTS: Record<string, string> = {
  'Apache-2.0': 'sharp/LICENSE',
  'LGPL-3.0-or-later': 'libheif-js/LICENSE',
}

const MIT = (holders: string) => `MIT License

Copyright (c) ${holders}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const RUNTIME_NOTE = `Bun links JavaScriptCore, a part of WebKit, under the LGPL 2.0 or later, and other libraries. How to link it with
another build of these, and all their licences, are told at https://github.com/oven-sh/bun/blob/main/LICENSE.md
`

const TOWNS_NOTE = `This is data of GeoNames, https://www.geonames.org. The file towns has of each town its name, its position,
its country and the name of its region, in another order and another form.
`

/** Returns the licences of all that a release holds, from its folder of packages; throws where one has no text. */
export function gatherLicences(modules: string): string {
  const names = ['bun', ...Object.keys(KEPT), ...IN_GALLERY, OF_TOWNS].sort()
  const intro =
    'What Tagstead is delivered with, and under which licences. Its own is in LICENSE.\n\n'
  return intro + names.map((name) => LINE + licenceOf(modules, name)).join('\n')
}

function licenceOf(modules: string, name: string): string {
  const folder = join(modules, name)
  const { version, license, homepage, repository, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const from = homepage ?? repository.url ?? `https://github.com/${repository}`
  const head = `${name} ${version}\n${license}\n${from}\n${LINE}\n`
  const own = readdirSync(folder).filter((file) => OWN_TEXT.test(file))
  // This one tells of the libraries that it is made of.
  if (name.startsWith('@img/sharp-libvips')) own.push('README.md')
  const texts = own.sort().map((file) => readFileSync(join(folder, file), 'utf8'))
  if (name === 'bun') texts.push(RUNTIME_NOTE)
  if (name === OF_TOWNS) texts.unshift(TOWNS_NOTE)
  if (own.some((file) => file !== 'README.md')) return head + texts.join('\n')
  const holders = author?.name ?? author ?? `the authors of ${name}`
  const standard = license === 'MIT' ? MIT(holders) : TEXTS[license]
  if (standard === undefined) throw new Error(`${name} has no text of its licence, ${license}`)
  const text = license === 'MIT' ? standard : readFileSync(join(modules, standard), 'utf8')
  return head + [...texts, text].join('\n')
}
