import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { objectLocation } from './annotations'

interface Catalog {
  document: PdfDocument
  dict: PDFDict
}

const CATALOG_RULES: Rule<Catalog>[] = [
  {
    in: inAllParts('6.6.2-3', '6.5.2-1'),
    message: 'The document must not have additional actions.',
    check: ({ dict }) => (dict.has(Name.AA) ? '/AA' : undefined),
  },
  {
    in: inParts23('6.10-1'),
    message: 'The document must not have alternate presentations.',
    check: ({ document, dict }) =>
      entryOf(document, plainDict(document, dict.get(Name.Names)), 'AlternatePresentations')
        ? '/AlternatePresentations'
        : undefined,
  },
]

const PAGE_RULES: Rule<PDFDict>[] = [
  {
    in: inParts23('6.5.2-2'),
    message: 'Pages must not have additional actions.',
    check: dict => (dict.has(Name.AA) ? '/AA' : undefined),
  },
  {
    in: inParts23('6.10-2'),
    message: 'Pages must not have presentation steps.',
    check: dict => (dict.keys().some(key => key.decodeText() === 'PresSteps') ? '/PresSteps' : undefined),
  },
]

/** Checks the catalog, and each page's own entries. */
export function examineCatalog(examination: Examination): void {
  const { document } = examination
  examination.apply(CATALOG_RULES, { document, dict: document.catalog }, objectLocation(document.rootRef))
  for (const [index, page] of document.pages.entries())
    examination.apply(PAGE_RULES, page.dict, { page: index + 1, ...objectLocation(page.ref) })
}
