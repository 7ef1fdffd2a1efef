import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './project.mjs'
import { runCommand, tail } from './run-command.mjs'

/** The packages of fonts for documents. They contain WOFF2 files for web pages. */
const PACKAGES = /^(@fontsource(-variable)?\/|inter-ui$)/

/** The files that engines use, with one weight or with all weights. */
const FILES = /(^InterVariable(-Italic)?|-(400|wght)-normal)\.woff2$/

/** Returns the paths of WOFF2 files that have no TrueType file beside them yet. Takes a few milliseconds. */
export function listPackedFonts() {
  const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return Object.keys(dependencies)
    .filter(name => PACKAGES.test(name))
    .flatMap(name => {
      const folder = join(ROOT, 'node_modules', name, name === 'inter-ui' ? 'variable' : 'files')
      const files = new Set(readdirSync(folder))
      return [...files]
        .filter(file => FILES.test(file) && !files.has(unpackedName(file)))
        .map(file => join(folder, file))
    })
}

/** Returns the path of the TrueType file for a WOFF2 file. */
export function unpackedName(path) {
  return path.replace(/woff2$/, 'ttf')
}

/**
 * Writes a TrueType file beside each WOFF2 file, which engines read. Takes a second for all fonts. A new version of a
 * package has a new folder, so its files are written again. Throws an Error with the last output.
 */
export async function unpackFonts() {
  if (listPackedFonts().length === 0) return
  const result = await runCommand(process.execPath, ['lib/build/unpack-fonts.mjs'], process.env)
  if (result.code !== 0)
    throw new Error(
      `The fonts in node_modules were not unpacked:\n\n${tail(result.output, 20)}\n\nCheck that node_modules is ` +
        'writable and the disk has 60 MB of free space. Then start again.',
    )
}
