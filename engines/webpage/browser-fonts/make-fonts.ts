import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openInstancer, readFontFile } from '../../pdf/typeset'
import type { FontFamily } from '../../pdf/typeset'
import { PINNED_FAMILIES, listPlainFonts } from './font-files'

// This script fills a folder with fonts. It runs once, in a separate process, because it needs seconds of CPU time.
const [folder = ''] = process.argv.slice(2)
const WEIGHTS = [400, 700]

const pin = openInstancer()
mkdirSync(folder, { recursive: true })
for (const path of listPlainFonts()) copyFileSync(path, join(folder, basename(path)))
for (const family of PINNED_FAMILIES) writeFamily(family)

/**
 * Creates a file for each weight of a family. The browser embeds fonts without axes, but prints variable fonts as
 * drawings of single glyphs.
 */
function writeFamily({ name, files, isVariable }: FontFamily): void {
  for (const [index, file] of files.entries()) {
    const font = readFontFile(file)
    if (!isVariable) writeFileSync(join(folder, `${name}-${index}.ttf`), font)
    else
      for (const weight of WEIGHTS)
        writeFileSync(join(folder, `${name}-${index}-${weight}.ttf`), pin(font, { wght: weight }))
  }
}
