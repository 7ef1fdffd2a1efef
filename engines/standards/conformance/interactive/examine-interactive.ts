import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { examineActions } from './actions'
import { ANNOTATION_RULES, listAnnotations, WIDGET_RULES, objectLocation } from './annotations'
import { examineForm } from './fields'
import { examineLayers } from './layers'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { entryOf, plainDict } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** Rules about annotations, actions, forms, layers and presentations. */
export function examineInteractive(examination: Examination): Area {
  examineCatalog(examination)
  if (examination.has(ANNOTATION_RULES))
    for (const { annotation, location } of listAnnotations(examination)) {
      examination.apply(ANNOTATION_RULES, annotation, location)
      if (annotation.subtype === 'Widget') examination.apply(WIDGET_RULES, annotation, location)
    }
  examineActions(examination)
  examineForm(examination)
  examineLayers(examination)
  return {}
}

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
function examineCatalog(examination: Examination): void {
  const { document } = examination
  examination.apply(CATALOG_RULES, { document, dict: document.catalog }, objectLocation(document.rootRef))
  for (const [index, page] of document.pages.entries())
    examination.apply(PAGE_RULES, page.dict, { page: index + 1, ...objectLocation(page.ref) })
}
