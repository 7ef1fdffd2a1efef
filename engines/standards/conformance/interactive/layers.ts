import { PDFArray, PDFDict, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { objectLocation } from './annotations'

/** A configuration of optional content (ISO 32000-2, 8.11.4.3). */
interface LayerConfiguration {
  document: PdfDocument
  dict: PDFDict
  name: string | undefined
  /** Whether an earlier configuration has the same name. */
  isRepeated: boolean
  /** All optional content groups of the document. */
  groups: readonly PDFRef[]
}

/** Maximum nesting of /Order. */
const MAX_DEPTH = 64

const LAYER_RULES: Rule<LayerConfiguration>[] = [
  {
    in: { ...inParts23('6.9-1'), 'pdfua-1': '7.10-1' },
    message: 'Each configuration of layers must have a name.',
    check: ({ name }) => (name ? undefined : 'no /Name'),
  },
  {
    in: inParts23('6.9-2'),
    message: 'Configurations of layers must have different names.',
    check: ({ name, isRepeated }) => (isRepeated ? `/Name (${name})` : undefined),
  },
  {
    in: inParts23('6.9-3'),
    message: 'The order of layers must list all of them.',
    check: ({ document, dict, groups }) => {
      const order = document.peek(dict.get(Name.Order))
      if (!(order instanceof PDFArray)) return undefined
      const listed = collectGroups(document, order)
      const missing = groups.filter(group => !listed.has(group))
      return missing.length > 0 ? `not in /Order: ${missing.slice(0, 5).join(', ')}` : undefined
    },
  },
  {
    in: { ...inParts23('6.9-4'), 'pdfua-1': '7.10-2' },
    message: 'Configurations of layers must not change layers automatically.',
    check: ({ dict }) => (dict.has(Name.AS) ? '/AS' : undefined),
  },
]

/** Checks the configurations of layers. */
export function examineLayers(examination: Examination): void {
  const { document } = examination
  const value = document.catalog.get(Name.OCProperties)
  const properties = document.peekDict(value)
  if (!properties || !examination.has(LAYER_RULES)) return
  const groups = document.peekItems(properties.get(Name.OCGs)).filter(group => group instanceof PDFRef)
  const names = new Set<string>()
  const configurations = [properties.get(Name.D), ...document.peekItems(properties.get(Name.Configs))]
  for (const configuration of configurations) {
    const dict = document.peek(configuration)
    if (!(dict instanceof PDFDict)) continue
    const name = readText(document.peek(dict.get(Name.Name)))
    const isRepeated = name !== undefined && names.has(name)
    if (name !== undefined) names.add(name)
    const location = objectLocation(configuration, value instanceof PDFRef ? value : document.rootRef)
    examination.apply(LAYER_RULES, { document, dict, name, isRepeated, groups }, location)
  }
}

function collectGroups(document: PdfDocument, order: PDFArray): Set<PDFObject> {
  const found = new Set<PDFObject>()
  const waiting = [{ items: order, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop())
    for (const item of next.items.asArray()) {
      const value = document.peek(item)
      if (value instanceof PDFArray && next.depth < MAX_DEPTH) waiting.push({ items: value, depth: next.depth + 1 })
      else if (item instanceof PDFRef) found.add(item)
    }
  return found
}
