import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findPackageFile } from '../../installed-package'
import { BY_REGION, BY_SCRIPT, EMOJI, MAIN, MAIN_ITALIC, SYMBOLS } from '../../pdf/typeset'
import type { FontFamily } from '../../pdf/typeset'

/** Fonts with the widths of the most common web fonts. The files of their packages are used unchanged. */
const PLAIN_FAMILIES = ['Arimo', 'Tinos', 'Cousine']
const PLAIN_STYLES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']

/** Changes whenever the method of creating the files changes. */
const RECIPE = 'regular and bold of every family, fixed, 1'

/** Families of the font catalog. Most are variable, and browsers get them with a fixed weight. */
export const PINNED_FAMILIES: readonly FontFamily[] = [
  MAIN,
  MAIN_ITALIC,
  ...BY_SCRIPT.values(),
  ...Object.values(BY_REGION),
  EMOJI,
  ...SYMBOLS,
]

/** Returns the paths of the fonts that are used unchanged. */
export function listPlainFonts(): string[] {
  return PLAIN_FAMILIES.flatMap(family =>
    PLAIN_STYLES.map(style => findPackageFile(`${plainPackage(family)}/${style}/${family}_${style}.ttf`)),
  )
}

/** Returns a hash of the font packages, their versions, the recipe and the configuration. */
export function fingerprintFonts(configuration: string): string {
  const packages = [
    ...PLAIN_FAMILIES.map(plainPackage),
    ...PINNED_FAMILIES.flatMap(({ files }) => files.map(({ specifier }) => packageOf(specifier))),
  ]
  const hash = createHash('sha256').update(RECIPE).update(configuration)
  for (const name of new Set(packages)) hash.update(`${name}@${readVersion(name)}\n`)
  return hash.digest('hex').slice(0, 16)
}

function plainPackage(family: string): string {
  return `@expo-google-fonts/${family.toLowerCase()}`
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function readVersion(name: string): string {
  // Every package.json has a version.
  return (JSON.parse(readFileSync(findPackageFile(`${name}/package.json`), 'utf8')) as { version: string }).version
}
