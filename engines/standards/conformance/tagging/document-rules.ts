import { PDFBool } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { readXfaPackets } from '../../../pdf/forms'
import { readOutline } from '../../../pdf/document'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict } from '../examination/model'
import type { Rule } from '../examination/rules'
import { hasCatalogLanguage, hasEntry, locationOf, textEntry } from './values'
import * as Name from '../../../pdf/names'

/** The setting that makes viewers render an XFA form instead of the pages (XFA 3.3, dynamicRender). */
const DYNAMIC_RENDERING = /<dynamicRender\s*>\s*required\s*<\/dynamicRender\s*>/

/** Rules on the catalog (ISO 14289-1, 6.2, 7.1 and 7.15). */
const CATALOG_RULES: readonly Rule<PDFDict>[] = [
  {
    in: { 'pdfua-1': '6.2-1' },
    message: 'The catalog must have a /MarkInfo dictionary with /Marked true.',
    check: (catalog, { document }) => (isTrue(document, catalog, 'MarkInfo', 'Marked') ? undefined : 'no /Marked true'),
  },
  {
    in: { 'pdfua-1': '7.1-4' },
    message: 'The /Suspects entry of /MarkInfo must be false.',
    check: (catalog, { document }) =>
      isTrue(document, catalog, 'MarkInfo', 'Suspects') ? '/Suspects true' : undefined,
  },
  {
    in: { 'pdfua-1': '7.1-10' },
    message: 'The catalog must have /ViewerPreferences with /DisplayDocTitle true.',
    check: (catalog, { document }) =>
      isTrue(document, catalog, 'ViewerPreferences', 'DisplayDocTitle') ? undefined : 'no /DisplayDocTitle true',
  },
  {
    in: { 'pdfua-1': '7.1-11' },
    message: 'The document must have a structure tree.',
    check: (catalog, { document }) =>
      plainDict(document, entryOf(document, catalog, 'StructTreeRoot')) ? undefined : 'no /StructTreeRoot',
  },
  {
    in: { 'pdfua-1': '7.15-1' },
    message: 'The document must not have a dynamic XFA form.',
    check: (_catalog, { document }) =>
      readXfaPackets(document).some(
        packet => packet.includes('dynamicRender') && DYNAMIC_RENDERING.test(packet.toString('latin1')),
      )
        ? 'dynamicRender is required'
        : undefined,
  },
]

function isTrue(document: PdfDocument, catalog: PDFDict, owner: string, key: string): boolean {
  return entryOf(document, plainDict(document, entryOf(document, catalog, owner)), key) === PDFBool.True
}

/** Rules on outline items (ISO 14289-1, 7.2). */
const OUTLINE_RULES: readonly Rule<PDFDict>[] = [
  {
    in: { 'pdfua-1': '7.2-2' },
    message: 'The catalog must have a language if the document has an outline.',
    check: (_item, { document }) => (hasCatalogLanguage(document) ? undefined : 'an outline item without a language'),
  },
]

/** Rules on optional content configurations (ISO 14289-1, 7.10). */
const CONFIGURATION_RULES: readonly Rule<PDFDict>[] = [
  {
    in: { 'pdfua-1': '7.10-1' },
    message: 'Every optional content configuration must have a /Name that isn’t empty.',
    check(configuration, { document }) {
      const name = textEntry(document, configuration, 'Name')
      return name ? undefined : name === '' ? 'empty /Name' : 'no /Name'
    },
  },
  {
    in: { 'pdfua-1': '7.10-2' },
    message: 'Optional content configurations must not have /AS.',
    check: (configuration, { document }) => (hasEntry(document, configuration, 'AS') ? '/AS' : undefined),
  },
]

/** Checks the catalog, the outline and the layers of a document. */
export function examineCatalog(examination: Examination): void {
  const { document } = examination
  examination.apply(CATALOG_RULES, document.catalog, locationOf(document.rootRef))
  for (const { ref, dict } of readOutline(document).all) examination.apply(OUTLINE_RULES, dict, locationOf(ref))
  const layers = plainDict(document, entryOf(document, document.catalog, 'OCProperties'))
  const others = document.peekItems(entryOf(document, layers, 'Configs'))
  for (const value of [layers?.get(Name.D), ...others]) {
    const configuration = plainDict(document, value)
    if (configuration) examination.apply(CONFIGURATION_RULES, configuration, locationOf(value))
  }
}
