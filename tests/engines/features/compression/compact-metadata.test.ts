import { expect, it } from 'vitest'
import { compactMetadata } from '../../../../engines/features/compression/compact-metadata'
import { decodeContent } from '../../../../engines/pdf/document/decode-content'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { Draft } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'
import * as Name from '../../../../engines/pdf/syntax/names'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

function compact(packet: string): string {
  const draft = new Draft({ pages: 1 })
  draft.catalog.push(`/Metadata ${draft.pdf.addPlainStream('/Type/Metadata/Subtype/XML', packet)} 0 R`)
  const document = openDocument(draft.write(), LIMITS)
  compactMetadata(document, { dropsPreviews: true })
  return Buffer.from(decodeContent(document, document.catalog.get(Name.Metadata)) ?? []).toString()
}

it('white space between elements goes, and text stays', () => {
  expect(
    compact(
      `<r:RDF xmlns:r="${RDF}">\n <a>\n  <b> two  words </b>\n  <c>   </c>\n </a>\n <!-- note -->\n <d/>\n</r:RDF>\n`,
    ).trim(),
  ).toBe(`<r:RDF xmlns:r="${RDF}"><a><b> two  words </b><c>   </c></a>\n <!-- note --><d/></r:RDF>`)
})

it('white space next to text, or in XML that is a value, stays', () => {
  for (const packet of [
    `<r:RDF xmlns:r="${RDF}"><a>one <b/> two</a></r:RDF>`,
    `<r:RDF xmlns:r="${RDF}">\n <a r:parseType="Literal">\n  <b/>\n </a></r:RDF>`,
  ])
    expect(compact(packet)).toBe(packet)
})
