import { PDFHexString, PDFName, PDFNull, PDFString } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import * as Name from '../../../pdf/names'

interface Halftone {
  /** Undefined if there is no halftone type. */
  type: number | undefined
  name: string | undefined
  hasTransferFunction: boolean
  /** The key in a halftone of type 5. */
  colorant: string | undefined
}

const PROCESS_COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black']

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
export function examineHalftone(examination: Examination, value: PDFObject | undefined, location: Location): void {
  if (!examination.has(HALFTONE_RULES)) return
  const name = examination.document.peekName(value)
  if (name === undefined) examineDict(examination, value, location)
  else examination.apply(HALFTONE_RULES, namedHalftone(name), location)
}

/** Checks a halftone with the halftones inside it. A halftone that is used for several colorants is checked once. */
function examineDict(examination: Examination, value: PDFObject | undefined, location: Location): void {
  const { document } = examination
  const seen = new Set<PDFDict>()
  const open: { value: PDFObject | undefined; colorant?: string }[] = [{ value }]
  for (let next = open.pop(); next; next = open.pop()) {
    const dict = document.peekDict(next.value)
    if (!dict || seen.has(dict)) continue
    seen.add(dict)
    const halftone = readHalftone(document, dict, next.colorant)
    examination.apply(HALFTONE_RULES, halftone, location)
    if (halftone.type === 5)
      for (const [key, part] of dict.entries()) open.push({ value: part, colorant: key.decodeText() })
  }
}

function namedHalftone(name: string): Halftone {
  const isDefault = name === 'Default'
  return {
    type: isDefault ? 1 : undefined,
    name: isDefault ? undefined : name,
    hasTransferFunction: false,
    colorant: undefined,
  }
}

function readHalftone(document: PdfDocument, dict: PDFDict, colorant: string | undefined): Halftone {
  const transfer = entryOf(document, dict, 'TransferFunction')
  const name = entryOf(document, dict, 'HalftoneName')
  return {
    type: document.peekNumber(dict.get(Name.HalftoneType)),
    name:
      name instanceof PDFName || name instanceof PDFString || name instanceof PDFHexString
        ? name.decodeText()
        : undefined,
    hasTransferFunction: transfer !== undefined && transfer !== PDFNull,
    colorant,
  }
}
