import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findPackageFile } from '../../../installed-package'
import type { CMapFile } from './cmap-file'
import { readPackedCMap } from './packed-cmap'

const PACKAGE = 'pdfjs-dist/cmaps'

/** Maximum length of a chain of CMaps that refer to others. */
const MAX_CHAIN = 8

let folder: { path: string; names: ReadonlySet<string> } | undefined
const loaded = new Map<string, CMapFile | undefined>()

/**
 * Returns a predefined CMap (ISO 32000-2, 9.7.5.2) and the CMaps that it is based on, in this order. Also knows CMaps of
 * Adobe that map glyphs to text, such as `Adobe-Japan1-UCS2`. Undefined for other names. Reads each file once.
 */
export function readPredefinedCMap(name: string): readonly CMapFile[] | undefined {
  const chain: CMapFile[] = []
  let next: string | undefined = name
  while (next !== undefined && chain.length < MAX_CHAIN) {
    const file = load(next)
    if (!file) return undefined
    chain.push(file)
    next = file.baseName
  }
  return chain
}

function load(name: string): CMapFile | undefined {
  folder ??= findFolder()
  if (!folder.names.has(`${name}.bcmap`)) return undefined
  if (!loaded.has(name)) loaded.set(name, readPackedCMap(readFileSync(`${folder.path}/${name}.bcmap`)))
  return loaded.get(name)
}

function findFolder(): { path: string; names: ReadonlySet<string> } {
  const path = dirname(findPackageFile(`${PACKAGE}/H.bcmap`))
  return { path, names: new Set(readdirSync(path)) }
}
