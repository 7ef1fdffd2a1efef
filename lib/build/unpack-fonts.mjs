// Converts WOFF2 files to TrueType. Runs in a separate process, because the decoder keeps its memory.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import wawoff from 'wawoff2'
import { listPackedFonts, unpackedName } from './fonts.mjs'

for (const path of listPackedFonts()) {
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, await wawoff.decompress(readFileSync(path)))
  renameSync(partial, unpackedName(path)) // Other processes never see a part of a file.
}
