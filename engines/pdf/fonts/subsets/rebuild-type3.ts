import { PDFDict, PDFName } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { readEncoding } from '../simple-font'
import { codeOfKey } from '../../content/code-keys'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { keepNamedResources } from '../../document/resources'
import type { FontSpace } from './font-spaces'
import { isNaturalEncoding } from './standard-codes'
import type { Meaning } from './standard-codes'
import { giveCodes, keepKeys } from './rebuilt-space'
import type { RebuiltSpace } from './rebuilt-space'
import { writeEncoding } from './write-font'
import * as Name from '../../syntax/names'

const key = (text: string): PDFName => PDFName.of(text)

/** Glyph names that a program numbers itself. */
const NUMBERED = /\d$|^[A-Za-z]{2,3}$/

/**
 * Rebuilds a Type 3 font (ISO 32000-2, 9.6.4) with only the shown glyph procedures and the resources that they name.
 * Returns undefined if the font has no glyph procedures.
 */
export function rebuildType3(document: PdfDocument, space: FontSpace, meaning: Meaning): RebuiltSpace | undefined {
  const [font] = space.fonts
  const procedures = document.peekDict(font?.get(Name.CharProcs))
  if (!font || !procedures) return undefined
  const { names } = readEncoding(document, font)
  const nameOfKey = (shown: number): string | undefined => names.get(codeOfKey(shown).code)
  const isNatural = isNaturalEncoding([...space.before, ...space.shown], shown => ({
    glyphName: nameOfKey(shown),
    unicode: meaning(shown).unicode,
  }))
  const keys = isNatural ? keepKeys(space) : giveCodes(space)
  const shownNames = [...new Set(space.shown.flatMap(shown => nameOfKey(shown) ?? []))]
  // Names that a program made up may be numbered in the order in which it encountered the glyphs.
  const renamed = new Map(
    shownNames.map((name, index) => [name, isNatural || !NUMBERED.test(name) ? name : `g${index + 1}`] as const),
  )
  const kept = new Map<PDFName, PDFObject>()
  for (const [from, to] of renamed) {
    const procedure = procedures.get(key(from))
    if (procedure) kept.set(key(to), procedure)
  }
  const newNames = new Map(
    [...keys].flatMap(([from, to]): [number, string][] => {
      const name = nameOfKey(from)
      return name === undefined ? [] : [[codeOfKey(to).code, renamed.get(name) ?? name]]
    }),
  )
  const entries = new Map<PDFName, PDFObject | undefined>([
    [Name.CharProcs, PDFDict.fromMapWithContext(kept, document.context)],
    [
      Name.Encoding,
      writeEncoding(document, { base: undefined, names: newNames }) ??
        document.context.obj({ Type: 'Encoding', Differences: [] }),
    ],
  ])
  const resources = keepUsed(document, document.peekDict(font.get(Name.Resources)), [...kept.values()])
  if (resources) entries.set(Name.Resources, resources)
  return { keys, entries, texts: new Map() }
}

/**
 * Returns the resources without those that only removed procedures name. Returns undefined if the resources stay
 * unchanged.
 */
function keepUsed(
  document: PdfDocument,
  resources: PDFDict | undefined,
  procedures: readonly PDFObject[],
): PDFDict | undefined {
  const contents = procedures.map(procedure => decodeUpToLimit(document, procedure))
  return resources && contents.every(content => content !== undefined)
    ? keepNamedResources(document, resources, contents)
    : undefined
}
