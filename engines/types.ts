import type { OutputContent } from './output-content'

/**
 * Warnings about content that a response couldn't keep or had to adjust. `X-Warnings` lists their keys, and the docs
 * explain them.
 */
export const WARNINGS = {
  'signatures-invalidated':
    'The document was signed or certified. Any change makes signatures invalid. Certification and usage rights are ' +
    'removed.',
  'xfa-dropped': 'The XFA form data was removed. The AcroForm fields remain.',
  'xfa-hides-changes':
    "The file has a dynamic XFA form. Adobe Acrobat shows this form instead of the pages. Acrobat users don't see the " +
    'change.',
  'tags-dropped': "Accessibility tags couldn't be carried over.",
  'conformance-dropped':
    'The file claimed to be PDF/A or PDF/UA. The edit broke that claim or may have broken it, so the claim was ' +
    'removed.',
  'active-content-removed':
    'PDF/A forbids scripts, actions that start programs or media, and actions of form fields. They were removed.',
  'annotation-dropped':
    'PDF/A forbids hidden annotations and some types, such as video and 3D. Such annotations were removed.',
  'font-substituted': 'A font that was missing in the file was replaced with a font of the same widths.',
  'metadata-dropped': "Metadata that PDF/A doesn't allow was removed from the XMP packet.",
  'already-small': "The file can't be made smaller. The response is the file itself.",
  'image-not-compressed': 'An image was too large to be decoded, so it stayed as it is.',
  'signed-not-compressed':
    'The document is signed. Compression would make the signature invalid, so the response is the file itself.',
  repaired: 'The file was damaged and has been repaired.',
  'page-rasterized': 'Sheaf replaced a page with an image. No original content remains behind the image.',
  'scale-reduced': 'A page was too large for the requested resolution, so a lower resolution was used.',
  'pages-cut': 'The web page has more pages than `maxPages` allows. Further pages were left out.',
  'resources-failed': "Some resources of the web page couldn't be loaded.",
  'attachments-not-searched':
    'Sheaf kept attached files and redacted nothing in them. Sheaf only looks for matches in attached plain text files.',
  'text-not-searchable':
    "Pages are scans or photos without text, or have text without a usable Unicode mapping. They weren't searched.",
  'text-not-drawn':
    "A page has text in a font that isn't in the file. No available font has its characters, so images of the page " +
    'lack them.',
  'text-outside-page':
    "A page with redaction areas has text outside the page as displayed. Areas don't remove this text.",
  'redaction-no-match': 'A search rule matched nothing.',
  'ocr-low-confidence': "The text of a page was recognized with low confidence, or some of it couldn't be recognized.",
  'page-without-text': 'A page shows an image and has no text. The response has no text of this page.',
  'hidden-layer-left-out': 'The file has hidden layers. Their text was left out.',
  'page-unreadable': "A page is damaged. Its text couldn't be read.",
  'several-invoices': 'The PDF has several invoices inside. The response has one of them, and the names of the others.',
  'part-over-size': 'A single page is larger than `maxBytes`.',
  'watermark-shrunk': 'A watermark was made smaller to fit on the page.',
  'watermark-hidden': 'A page has a scan or a background that hides the watermark under it.',
  'characters-missing':
    'A value or an annotation has characters that no available font has. Each becomes a white square.',
  'field-font-replaced':
    "The font of a field lacks characters of its value, or isn't embedded. Sheaf drew the value in another font.",
  'text-cut': "Some text didn't fit into its field or text box, so Sheaf cut it off.",
  'page-not-compared': "A page couldn't be read or rendered, so it wasn't compared completely.",
  'accent-text-darkened':
    'Small text in `accentColor` would be hard to read on white, so it is darker. `X-Accent-Text-Color` names its color.',
  'currency-assumed':
    "The request has no `currency`, so the amounts are in USD. The seller's country uses another one.",
  'unknown-field': 'The request has unknown fields. They were ignored.',
  'browser-origin': 'The request has an `Origin` header. Send API keys from servers only, never from browsers.',
} as const

export type Warning = keyof typeof WARNINGS

/** The file name extension of each content type that tools return. */
export const EXTENSIONS = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const

/** A content type of the response of a tool. */
export type ContentType = keyof typeof EXTENSIONS

/** A section of a tool's page in the documentation. Texts may contain `code` and [links](/docs). */
export interface ToolSection {
  heading: string
  paragraphs: readonly string[]
  table?: { columns: readonly string[]; rows: readonly (readonly string[])[] }
  /** JSON below the paragraphs, such as a response. */
  example?: { json: unknown; what: string }
  /** Paragraphs after the table. */
  after?: readonly string[]
}

/** The job that returns where a tool would draw, as JSON. */
export const OUTLINE_JOB = 'outline'

/** A request for the places in which a tool draws on a page. */
export interface OutlineRequest {
  /** The ID of a tool that reports its places. */
  tool: string
  /** Options that the tool's schema has validated. */
  options: Record<string, unknown>
  /** Width and height of each page as displayed, in points. */
  pages: [width: number, height: number][]
  /** Position of the page whose places are returned, from 0. */
  pageIndex: number
  fileName: string
  /** Properties of the document, for placeholders. */
  metadata: { title: string; author: string; subject: string }
}

/** Receives the areas in which a tool draws on a page. */
export interface Outline {
  /** Position of the page, from 0. */
  pageIndex: number
  add(area: OutlineArea): void
}

/** An area in which a tool draws a text or an image. */
export interface OutlineArea {
  /** Size in points before rotation. */
  width: number
  height: number
  /**
   * From a box with its lower-left corner at 0,0 to the page as displayed, in points from its lower-left corner:
   * x' = ax + cy + e, y' = bx + dy + f.
   */
  matrix: [a: number, b: number, c: number, d: number, e: number, f: number]
  /** Undefined for images. */
  text?: string
  opacity: number
}

/** The job that runs several steps in a row. Its options are a `PipelinePlan`. */
export const PIPELINE_JOB = 'pipeline'

/** The steps of a pipeline in order, and how its result is returned. */
export interface PipelinePlan {
  steps: PlannedStep[]
  /** Whether the result is a ZIP of the last step's result and a receipt. */
  hasReceipt: boolean
  /** Name of the last step's result. Default: the name that the step gives. */
  outputName?: string
}

/** One step of a pipeline. */
export interface PlannedStep {
  /** A tool runs in an engine, as an invoice does. A web page is printed before the job, and its PDF is a file of the job. */
  kind: 'tool' | 'invoice' | 'webpage'
  /** The ID of the tool, or the kind again. */
  id: string
  /** Options that the schema of the step has validated. */
  options: Record<string, unknown>
  /** The same options without secrets, for the receipt. */
  shownOptions: unknown
  inputs: StepInput[]
  /** What the print of a web page reported. */
  printed?: Pick<OutputFile, 'warnings' | 'headers'> & { ms: number }
}

/** A file of the job, or the result of an earlier step, by position from 0. A result can be a list of files. */
export type StepInput = { file: number } | { step: number }

/** An input file: its original name, and its bytes in the chunks in which they arrived. */
export interface InputFile {
  name: string
  chunks: Uint8Array[]
  byteLength: number
  /** The file on disk that has the bytes in place of `chunks`. It must exist until the job ends. */
  path?: string
}

/** Limits of one job. They are read once from the configuration and sent with each job. */
export interface EngineLimits {
  /** Maximum number of pages of all input files together. */
  maxPagesIn: number
  maxPagesOut: number
  /** Maximum number of bytes of the output. */
  maxOutputBytes: number
  /** Maximum number of indirect objects in a file. */
  maxObjects: number
  /** Maximum number of inflated bytes of one structure stream (object stream, cross-reference stream). */
  maxStreamBytes: number
  /** Maximum number of inflated bytes of a document. */
  maxInflateBytes: number
  maxPixels: number
  /** Maximum time to recognize one page, in milliseconds. */
  ocrPageTimeoutMs: number
  /** Absolute path of a folder with additional language models, besides those that are installed as packages. */
  ocrLanguagesFolder?: string
}

/** A job for an engine process: the tool, its validated options and its files. */
export interface Job {
  /** The ID of a tool, or another name that `engines/jobs.ts` lists. */
  tool: string
  options: unknown
  files: InputFile[]
  limits: EngineLimits
}

/** The result of an engine job. */
export interface OutputFile {
  /** Sanitized download name with extension, in any script. The header writer encodes it. */
  name: string
  contentType: string
  content: OutputContent
  warnings: Warning[]
  /** Additional response headers, such as `X-OCR-Pages`. */
  headers: Record<string, string>
  /** Milliseconds by phase, for `Server-Timing`: queue, send, open, work, save. */
  timings: Record<string, number>
}

/** A job in the engine process, with each file as one byte array. */
export interface RunnableJob {
  tool: string
  /** Options that the tool's schema has validated. */
  options: unknown
  files: { name: string; bytes: Uint8Array }[]
  limits: EngineLimits
  /** Time of the request. Default: the current time. */
  now?: Date
}

/** The output of a tool before it is sent. */
export interface ToolResult {
  name: string
  contentType: string
  chunks: Uint8Array[]
  warnings: Warning[]
  headers: Record<string, string>
  timings: Record<string, number>
}

/** Runs a job in an engine process. Calls `onOpened` when the documents are open and inspected. */
export type RunJob = (job: RunnableJob, onOpened: () => void) => Promise<ToolResult>

/** The header with the number of pages of a PDF. */
export const PAGE_COUNT = 'X-Page-Count'
