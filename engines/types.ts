/** What an answer could not keep or had to adjust; named in `X-Warnings` and explained in the docs. */
export const WARNINGS = {
  'signatures-invalidated':
    'The document was signed or certified. Any change makes signatures invalid. Certification and usage rights are ' +
    'removed.',
  'xfa-dropped': 'The XFA form data was removed; the AcroForm fields remain.',
  'xfa-hides-changes':
    'The file has a dynamic XFA form. Adobe Acrobat renders the form in place of the pages, so it does not show ' +
    'the change.',
  'tags-dropped': 'Accessibility tags could not be carried over.',
  'conformance-dropped':
    'The file claimed to be PDF/A or PDF/UA. The edit broke that claim or may have broken it, so the claim was ' +
    'removed.',
  repaired: 'The file was damaged and has been repaired.',
  'page-rasterized': 'A page was turned into a picture, so that nothing of its old content stays under it.',
  'scale-reduced': 'A page was too large for the scale that was asked for.',
  'pages-cut': 'More pages than allowed; the rest was left out.',
  'resources-failed': 'Some resources of the page could not be loaded.',
  'attachments-not-searched': 'Attached files stay as they are. Search rules do not redact them.',
  'text-not-searchable': 'Pages have text without a usable Unicode mapping, so it was not searched.',
  'redaction-no-match': 'A search rule matched nothing.',
  'ocr-low-confidence': 'The text was recognized with low confidence.',
  'part-over-size': 'A single page is larger than the part size asked for.',
  'watermark-shrunk': 'The watermark was made smaller so that it fits the page.',
  'watermark-hidden': 'A page is covered by a scan or a background, which hides the watermark under it.',
  'characters-missing':
    'A value or an annotation holds characters that no font has; a white square is drawn in the place of each.',
  'text-cut': 'A text does not fit into its field or text box at the size that it has there, and is cut off.',
  'unknown-field': 'The request held fields that this call does not know; they were ignored.',
  'browser-origin': 'The call carried an Origin header: keys belong on servers, not into browsers.',
} as const

export type Warning = keyof typeof WARNINGS

/** A section of a tool's page in the documentation; texts may hold `code` and [links](/docs). */
export interface ToolSection {
  heading: string
  paragraphs: readonly string[]
  table?: { columns: readonly string[]; rows: readonly (readonly string[])[] }
  /** Paragraphs behind the table. */
  after?: readonly string[]
}

/** A file as it came in: its name, unchanged, and its bytes in the pieces in which they arrived. */
export interface InputFile {
  name: string
  chunks: Uint8Array[]
  byteLength: number
}

/** Limits of one job; read once from the configuration and sent along with it. */
export interface EngineLimits {
  /** Pages of all input files together. */
  maxPagesIn: number
  maxPagesOut: number
  /** Indirect objects of one file. */
  maxObjects: number
  /** Inflated bytes of one structure stream (object stream, cross-reference stream). */
  maxStreamBytes: number
  /** Inflated bytes of one document. */
  maxInflateBytes: number
  maxPixels: number
  /** Milliseconds that the recognition of one page may take. */
  ocrPageTimeoutMs: number
  /** Folder with models of languages besides those that are installed as packages; absolute. */
  ocrLanguagesFolder?: string
}

/** One piece of work for an engine process: what to do, its validated options and its files. */
export interface Job {
  /** What to do: the id of a tool, or another name that `engines/jobs.ts` lists. */
  tool: string
  options: unknown
  files: InputFile[]
  limits: EngineLimits
}

/** What an engine hands back. */
export interface OutputFile {
  /** Download name, sanitised, with its extension; any script (the header writer encodes it). */
  name: string
  contentType: string
  chunks: Uint8Array[]
  byteLength: number
  warnings: Warning[]
  /** Further answer headers, such as `X-OCR-Pages`. */
  headers: Record<string, string>
  /** Milliseconds by phase, for `Server-Timing`: queue, send, open, work, save. */
  timings: Record<string, number>
}
