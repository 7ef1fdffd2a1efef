/** Something that verification can't check, so that the redaction doesn't count as verified. */
export interface Unchecked {
  reason: keyof typeof UNCHECKED_REASONS
  /** Positions of pages, from 0. */
  pages?: readonly number[]
  /** The name of a font. */
  font?: string
}

/** Why a redaction is not verified, for the report, the errors and the documentation. */
export const UNCHECKED_REASONS = {
  attachments:
    "An attached file matches a rule, or couldn't be searched. Only plain text files of up to 5 MB are " +
    'searched. Set `attachments` to `remove` to remove attached files.',
  'unknown-data':
    'The document has keys or objects that the PDF standard does not define. Set `keepUnknown` to `false` to drop them.',
  'text-not-searchable':
    'Pages are scans or photos without text, or have text without a usable Unicode mapping. Set `ocr` to `true` to ' +
    'recognize these pages.',
  'ocr-low-confidence': "Pages or images have content that text recognition couldn't read.",
  barcodes: 'Sheaf could not search pages or images for barcodes in time.',
  images: "The document has more or larger images than Sheaf can read, or an image that Sheaf couldn't clear.",
  font:
    "Sheaf couldn't rebuild an embedded font. If up to 20 pages use the font, Sheaf first tries to turn these " +
    'pages into images.',
  name: 'A name inside the PDF structure, such as the name of a font or layer, still contains a match.',
  data:
    'The document has more data than Sheaf can search for matches of `regex` and `preset`. Or one of these rules ' +
    'matches more than 10,000 different texts. Or the bytes of an image, a palette, a font or a color profile spell a ' +
    'match.',
  'long-page': 'Pages have more text than Sheaf can read.',
  stream: "Sheaf couldn't decode a data stream of the document.",
} as const
