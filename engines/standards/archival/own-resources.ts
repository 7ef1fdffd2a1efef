import { PDFName, PDFRef } from 'pdf-lib'
import { isEngineError } from '../../errors'
import { walkContent } from '../../pdf/walk-content'
import type { StreamWalk } from '../../pdf/walk-content'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { copyDict } from '../../pdf/document'

/** The resource category of each operator with a name. */
const CATEGORIES: Readonly<Record<string, string>> = {
  CS: 'ColorSpace',
  cs: 'ColorSpace',
  Do: 'XObject',
  gs: 'ExtGState',
  SCN: 'Pattern',
  scn: 'Pattern',
  sh: 'Shading',
  Tf: 'Font',
}

/**
 * Gives every content stream the resources that it takes from elsewhere: from the page that draws it, or from a node of
 * the page tree (ISO 19005-2, 6.2.2).
 */
export function completeResources(document: PdfDocument): void {
  try {
    walkContent(document, {
      begin: copyInherited,
      operator(walk) {
        copyMissing(walk)
        copyToGlyphs(walk)
      },
    })
  } catch (error) {
    // Content that is too large to be read stays as it is, and validation refuses it.
    if (!isEngineError(error) || error.reason !== 'too_large') throw error
  }
}

function copyInherited({ stream }: StreamWalk): void {
  if (stream.hasOwnResources || !stream.resources || stream.kind === 'glyph') return
  stream.dict.set(Name.Resources, stream.resources)
}

function copyMissing({ document, reader, stream }: StreamWalk): void {
  const category = CATEGORIES[reader.operator]
  if (category === undefined || !stream.hasOwnResources || stream.resources === stream.pageResources) return
  const name = category === 'Font' ? reader.nameAt(reader.operands.count - 2) : reader.name
  if (name === undefined) return
  const [group, key] = [PDFName.of(category), PDFName.of(name)]
  const known = document.peekDict(stream.resources?.get(group))
  const value = document.peekDict(stream.pageResources?.get(group))?.get(key)
  if (!value || known?.has(key)) return
  const extended = copyDict(document, known)
  extended.set(key, value)
  stream.resources?.set(group, extended)
}

/** The glyphs of a Type 3 font have the resources of the font. */
function copyToGlyphs({ document, reader, stream }: StreamWalk): void {
  if (reader.operator !== 'Tf') return
  const name = reader.nameAt(reader.operands.count - 2)
  const ref = document.peekDict(stream.resources?.get(Name.Font))?.get(PDFName.of(name ?? ''))
  const font = ref instanceof PDFRef ? document.peekDict(ref) : undefined
  if (!font || !stream.resources || document.peekName(font.get(Name.Subtype)) !== 'Type3') return
  if (!font.has(Name.Resources)) font.set(Name.Resources, stream.resources)
}
