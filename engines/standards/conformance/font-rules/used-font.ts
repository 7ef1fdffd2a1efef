import type { PDFDict } from 'pdf-lib'
import { findDescendant, readCMap } from '../../../pdf/fonts'
import type { CMap } from '../../../pdf/fonts'
import { codeOfKey } from '../../../pdf/rewrite-content'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import * as Name from '../../../pdf/names'

/** A font that text-showing operators use. */
export interface UsedFont {
  readonly document: PdfDocument
  readonly dict: PDFDict
  readonly subtype: string | undefined
  /** The CIDFont of a Type 0 font. */
  readonly descendant: PDFDict | undefined
  readonly descriptor: PDFDict | undefined
  /** The CMap of a Type 0 font. */
  readonly cmap: CMap | undefined
  /** The page that first uses the font, and the object of the font. */
  readonly location: Location
  /** Codes that are shown in other rendering modes than 3, by key, and where each is shown first. */
  readonly visible: Map<number, Location>
  /** Codes that are shown in rendering mode 3. */
  readonly invisible: Map<number, Location>
  /** Whether an operator uses the font in another rendering mode than 3, even if its string is empty. */
  isRendered: boolean
}

/** Reads the dictionaries of a font. */
export function readFont(document: PdfDocument, dict: PDFDict, location: Location): UsedFont {
  const subtype = document.peekName(dict.get(Name.Subtype))
  const descendant = subtype === 'Type0' ? findDescendant(document, dict) : undefined
  return {
    document,
    dict,
    subtype,
    descendant,
    descriptor: document.peekDict(entryOf(document, descendant ?? dict, 'FontDescriptor')),
    cmap: subtype === 'Type0' ? readCMap(document, dict.get(Name.Encoding)) : undefined,
    location,
    visible: new Map(),
    invisible: new Map(),
    isRendered: false,
  }
}

/** The CID of a code that is shown, by the code's key. Undefined if it isn't known, because the CMap isn't embedded. */
export function cidOfKey({ cmap }: UsedFont, key: number): number | undefined {
  const { code, length } = codeOfKey(key)
  return cmap?.knowsGlyphs || cmap?.has(code, length) ? cmap.cidOf(code, length) : undefined
}
