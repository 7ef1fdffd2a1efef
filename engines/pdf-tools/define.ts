import type { z } from 'zod'
import type { EngineLimits, ToolSection, Warning } from '../types'
import type { PdfDocument } from '../pdf-core/document/document'

/** An opened input file of a tool. */
export interface ToolInput {
  /** File name as it was sent. */
  name: string
  document: PdfDocument
}

interface PartFacts {
  /** Entry name without extension, already safe (`partName`); made unique when the archive is written. */
  name: string
  /** Numbers, from 1, that its pages have in the input; for the manifest. */
  pages: number[]
  /** Of the bookmark that the part begins at; for the manifest. */
  title?: string
}

/** One PDF of an answer that holds several: open, or already written where its size had to be known. */
export type ToolPart = PartFacts & ({ document: PdfDocument } | { bytes: Uint8Array })

/** What a tool's `run` gives back: one PDF, a ZIP of several, or a file that is already made. */
export type ToolOutput =
  | { kind: 'pdf'; document: PdfDocument }
  | {
      kind: 'zip'
      parts: Iterable<ToolPart>
      /** Whether a `manifest.json` tells of every part. */
      manifest?: boolean
      /** Files of other kinds behind the PDFs, by entry names that are safe and none of theirs. */
      others?: { file: string; bytes: Uint8Array }[]
    }
  | { kind: 'file'; bytes: Uint8Array; contentType: string; extension: string }

/** What a tool may tell besides its file. */
export interface ToolContext {
  warn(warning: Warning): void
  /** A further answer header, such as `X-Next-Number`. */
  header(name: string, value: string): void
  limits: EngineLimits
  /** The moment of the call: the one clock that a tool may ask, and only where its options do (`{date}`). */
  now: Date
}

interface Example<Options> {
  /** A few words for the documentation. */
  title: string
  options: Options
}

/** What the service knows of a tool: everything but its work. */
export interface ToolDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  /** The URL segment, the file name and the name in the documentation. */
  id: string
  title: string
  /** One sentence for the documentation and OpenAPI. */
  summary: string
  /** `one`: exactly one PDF. `many`: two or more, in the order sent. */
  files: 'one' | 'many'
  /** Last part of the download name: `report.pdf` becomes `report-<suffix>.pdf`. */
  suffix: string
  /** Content type of the usual answer. */
  responses: 'application/pdf' | 'application/zip' | 'text/plain'
  /** Content types, without their charset, that options bring about, and which. */
  otherResponses?: { contentType: string; when: string }[]
  /** Warnings that it can give beside those of every tool (of files that are signed, damaged or hold XFA). */
  warnings?: Warning[]
  /** `ocr`: with these options the work may take as long as text recognition; otherwise as long as other work. */
  timeLimits?(options: z.output<Schema>): 'ocr' | undefined
  options: Schema
  /** What the documentation says beside the options. */
  sections?: readonly ToolSection[]
  /** The first one is what the contract tests call, on a five-page document. */
  examples: [Example<z.input<Schema>>, ...Example<z.input<Schema>>[]]
}

/** The declaration of a tool and its work: `edit` changes the one document in place, `run` makes anything else. */
export type Tool<Schema extends z.ZodObject = z.ZodObject> = ToolDeclaration<Schema> &
  (
    | { edit(document: PdfDocument, options: z.output<Schema>, context: ToolContext): void | Promise<void> }
    | { run(inputs: ToolInput[], options: z.output<Schema>, context: ToolContext): ToolOutput | Promise<ToolOutput> }
  )

/** Declares a tool; exists so that options and examples are typed by the schema. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool<Schema> {
  return tool
}
