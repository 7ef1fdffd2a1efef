import type { EngineLimits } from '../../types'
import type { PdfDocument } from '../document/document'
import { writeBox } from '../geometry/box'
import { openDocument } from '../open-save/open'
import { Page } from '../document/page-tree'
import type { PageSize } from '../../options/page-sizes'
import * as Name from '../syntax/names'

/**
 * Creates a PDF 1.7 document with one empty page, which `setPages` replaces. Its objects are packed into object streams
 * when it is saved.
 */
export function createDocument(limits: EngineLimits): PdfDocument {
  const document = openDocument(SEED, limits)
  document.saving.packsObjects = true
  return document
}

/** Creates an empty page. Call `setPages` to add it to the document. */
export function createPage(document: PdfDocument, { width, height }: PageSize): Page {
  const dict = document.context.obj({ Type: 'Page', MediaBox: writeBox(document, { x: 0, y: 0, width, height }) })
  const parent = document.catalog.get(Name.Pages)
  if (parent) dict.set(Name.Parent, parent)
  return new Page(document, document.register(dict), new Map())
}

const SEED = writeSimpleFile([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]>>',
])

/** Writes a PDF 1.7 file from objects numbered from 1. The first is the catalog. */
export function writeSimpleFile(objects: readonly string[]): Uint8Array {
  let body = '%PDF-1.7\n'
  const rows = objects.map((object, index) => {
    const row = `${String(body.length).padStart(10, '0')} 00000 n \n`
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return row
  })
  const size = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 ` +
      `R>>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}
