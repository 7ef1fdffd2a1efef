import { PDFHexString, PDFName, PDFNull, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import type { Examination } from '../examination'
import { entryOf, nameOf } from '../model'
import type { Place } from '../report'
import { inParts23 } from '../rules'
import type { Rule } from '../rules'

interface Halftone {
  /** Undefined if there is no halftone type. */
  type: number | undefined
  name: string | undefined
  hasTransferFunction: boolean
  /** The key in a halftone of type 5. */
  colorant: string | undefined
}

const PROCESS_COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black']

/** Maximum nesting of halftones of type 5. */
const MAX_DEPTH = 4

/** Rules on halftones (ISO 32000-1, 10.5.5). */
export const HALFTONE_RULES: Rule<Halftone>[] = [
  {
    in: inParts23('6.2.5-4'),
    message: 'A halftone must have type 1 or 5.',
    check: ({ type }) => (type === 1 || type === 5 ? undefined : `/HalftoneType ${type ?? 'missing'}`),
  },
  {
    in: inParts23('6.2.5-5'),
    message: 'A halftone must not have a name.',
    check: ({ name }) => (name === undefined ? undefined : `/HalftoneName ${name}`),
  },
  {
    in: inParts23('6.2.5-6'),
    message: 'A halftone must have a transfer function only if it is for a colorant other than CMYK.',
    check: ({ colorant, hasTransferFunction }) => {
      if (colorant === 'Default') return undefined
      if (colorant === undefined || PROCESS_COLORANTS.includes(colorant))
        return hasTransferFunction ? `/TransferFunction${colorant ? ` for ${colorant}` : ''}` : undefined
      return hasTransferFunction ? undefined : `no /TransferFunction for ${colorant}`
    },
  },
]

/** Checks the halftone of graphics state parameters: a name, a dictionary or a stream. */
export function examineHalftone(examination: Examination, value: PDFObject | undefined, place: Place): void {
  if (examination.has(HALFTONE_RULES)) examine(examination, value, place, undefined, 0)
}

function examine(
  examination: Examination,
  value: PDFObject | undefined,
  place: Place,
  colorant: string | undefined,
  depth: number,
): void {
  const { document } = examination
  const name = nameOf(document, value)
  if (name !== undefined) {
    const isDefault = name === 'Default'
    const type = isDefault ? 1 : undefined
    const halftone = { type, name: isDefault ? undefined : name, hasTransferFunction: false, colorant }
    examination.apply(HALFTONE_RULES, halftone, place)
    return
  }
  const dict = document.peekDict(value)
  if (!dict) return
  const halftone = readHalftone(document, dict, colorant)
  examination.apply(HALFTONE_RULES, halftone, place)
  if (halftone.type !== 5 || depth === MAX_DEPTH) return
  for (const [key, part] of dict.entries())
    if (document.peekDict(part)) examine(examination, part, place, key.decodeText(), depth + 1)
}

function readHalftone(document: PdfDocument, dict: PDFDict, colorant: string | undefined): Halftone {
  const transfer = entryOf(document, dict, 'TransferFunction')
  const name = entryOf(document, dict, 'HalftoneName')
  return {
    type: document.peekNumber(dict.get(PDFName.of('HalftoneType'))),
    name:
      name instanceof PDFName || name instanceof PDFString || name instanceof PDFHexString
        ? name.decodeText()
        : undefined,
    hasTransferFunction: transfer !== undefined && transfer !== PDFNull,
    colorant,
  }
}
