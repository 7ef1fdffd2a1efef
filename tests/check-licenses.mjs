// Checks that every package in the product has a permissive license, or a reason in this file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/build/project.mjs'

const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
]

const EXCEPTIONS = [
  {
    name: /^(@fontsource(-variable)?\/|inter-ui$)/,
    license: /^OFL-1\.1$/,
    reason: 'fonts, which may be embedded in any document; the license holds for the font files alone',
  },
  {
    name: /^@expo-google-fonts\//,
    license: /^MIT AND OFL-1\.1$/,
    reason: 'fonts as above; MIT is the license of the package around them',
  },
  {
    name: /^@img\/sharp-/,
    license: /LGPL-3\.0-or-later/,
    reason:
      'an optional shared library of Next.js for resizing pictures, loaded at run time and free to be replaced; ' +
      'nothing is linked with it',
  },
  {
    name: /^caniuse-lite$/,
    license: /^CC-BY-4\.0$/,
    reason: 'data about browsers, used by the build and named in its own package',
  },
]

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const shipped = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev)
const problems = shipped.flatMap(([path, entry]) => {
  const name = path.replace(/^.*node_modules\//, '')
  const license = entry.license ?? readLicense(path)
  if (license && isPermissive(license)) return []
  if (license && EXCEPTIONS.some(one => one.name.test(name) && one.license.test(license))) return []
  return [`${name}: ${license ?? 'no license named'} is not on the list of tests/check-licenses.mjs`]
})

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`${shipped.length} packages, ${problems.length} without a free license\n`)
process.exitCode = problems.length || shipped.length === 0 ? 1 : 0

/** The license in a package's own description. Old packages have a list. */
function readLicense(path) {
  const file = join(ROOT, path, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'))
  return license ?? licenses?.map(one => one.type ?? one).join(' OR ')
}

/** Accepts if one side of an OR, or every side of an AND, is accepted. */
function isPermissive(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive)
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isPermissive)
  return PERMISSIVE.includes(plain)
}
