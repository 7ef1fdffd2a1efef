import { PDFName } from 'pdf-lib'

/** The standard structure types of the default namespace (ISO 32000-1, 14.8.4; ISO 32000-2, 14.8.6.1). */
const STANDARD = new Set(
  [
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private',
    'P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot Figure Formula Form',
    'Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP',
  ].flatMap(line => line.split(' ').map(name => PDFName.of(name))),
)

/** Returns whether a structure type is standard, so that it needs no role map. */
export function isStandardType(type: PDFName): boolean {
  return STANDARD.has(type)
}
