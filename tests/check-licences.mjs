// Every package that the product ships with may be used freely, or has its reason here.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/build/project.mjs'

const PERMISSIVE = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'Zlib', 'Python-2.0']

const EXCEPTIONS = [
  { name: /^(@fontsource(-variable)?\/|inter-ui$)/, licence: /^OFL-1\.1$/, reason: 'fonts, which may be embedded in any document; the licence holds for the font files alone' },
  { name: /^@expo-google-fonts\//, licence: /^MIT AND OFL-1\.1$/, reason: 'fonts as above; MIT is the licence of the package around them' },
  { name: /^@img\/sharp-/, licence: /LGPL-3\.0-or-later/, reason: 'an optional shared library of Next.js for resizing pictures, loaded at run time and free to be replaced; nothing is linked with it' },
  { name: /^caniuse-lite$/, licence: /^CC-BY-4\.0$/, reason: 'data about browsers, used by the build and named in its own package' },
]

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const shipped = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev)
const faults = shipped.flatMap(([path, entry]) => {
  const name = path.replace(/^.*node_modules\//, '')
  const licence = entry.license ?? readLicence(path)
  if (licence && isPermissive(licence)) return []
  if (licence && EXCEPTIONS.some(one => one.name.test(name) && one.licence.test(licence))) return []
  return [`${name}: ${licence ?? 'no licence named'} is not on the list of tests/check-licences.mjs`]
})

for (const fault of faults) process.stdout.write(`${fault}\n`)
process.stdout.write(`${shipped.length} packages, ${faults.length} without a free licence\n`)
process.exitCode = faults.length || shipped.length === 0 ? 1 : 0

/** The licence in a package's own description; old ones have a list. */
function readLicence(path) {
  const file = join(ROOT, path, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'))
  return license ?? licenses?.map(one => one.type ?? one).join(' OR ')
}

/** One side of an OR, every side of an AND. */
function isPermissive(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive)
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isPermissive)
  return PERMISSIVE.includes(plain)
}
