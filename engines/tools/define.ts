import type * as z from 'zod'
import type { ContentType, EngineLimits, Outline, ToolSection, Warning } from '../types'
import type { PdfDocument } from '../pdf/document'
import type { Protection } from '../pdf/open'
import type { StepPromise } from './promises'
import type { ReportDeclaration } from './reports'

/** An opened input file of a tool. */
export interface ToolInput {
  /** Original file name. */
  name: string
  document: PdfDocument
}

/** An input file of a tool that reads other formats too. */
export interface ToolFile {
  /** Original file name without extension. */
  name: string
  bytes: Uint8Array
  /** The opened PDF. Undefined if the file isn't a PDF. */
  document: PdfDocument | undefined
}

/** Every request has at least one file. */
export type OneOrMore<Item> = [Item, ...Item[]]

interface PartFacts {
  /** Entry name without extension, sanitized by `partName`. Made unique when the archive is written. */
  name: string
  /** Page numbers in the input, starting at 1, for the manifest. */
  pages: number[]
  /** Title of the bookmark at the start of the part, for the manifest. */
  title?: string
}

/** One PDF of a response with several: a document, or its file if its size had to be known. */
export type ToolPart = PartFacts & ({ document: PdfDocument } | { chunks: readonly Uint8Array[] })

/** A file of a response with several that isn't a PDF. */
interface OtherFile {
  /** The entry name with its extension. */
  file: string
  bytes: Uint8Array
}

/** Result of a tool's `run`: one PDF, a ZIP of several, or a finished file. */
export type ToolOutput =
  | { kind: 'pdf'; document: PdfDocument; protection?: Protection }
  | {
      kind: 'zip'
      parts: Iterable<ToolPart>
      /** Whether to add a `manifest.json` that describes all parts. */
      manifest?: boolean
      /**
       * Further files after the PDFs, created one after another. Their entry names must be safe and different from
       * those of the PDFs.
       */
      others?: Iterable<OtherFile> | AsyncIterable<OtherFile>
    }
  | { kind: 'file'; bytes: Uint8Array; contentType: string; extension: string; pageCount?: number }

/** A finished file as the output of a tool. */
export function toFile(content: Uint8Array | string, contentType: string, extension: string): ToolOutput {
  return { kind: 'file', bytes: typeof content === 'string' ? Buffer.from(content) : content, contentType, extension }
}

/** JSON as the output of a tool. */
export function toJson(value: unknown): ToolOutput {
  return toFile(`${JSON.stringify(value, null, 2)}\n`, 'application/json', 'json')
}

/** Context for further output of a tool. */
export interface ToolContext {
  warn(warning: Warning): void
  /** Adds a response header, such as `X-Next-Number`. */
  header(name: string, value: string): void
  limits: EngineLimits
  /** Set if only the areas on one page are wanted (engines/tools/outline.ts). The tool draws on no other page. */
  outline?: Outline
  /** Time of the request. Tools must use no other clock, and this one only for options that need it (`{date}`). */
  now: Date
}

interface Example<Options> {
  /** A short title for the documentation. */
  title: string
  options: Options
}

/** The job that a tool is for. The documentation lists tools by these groups. */
export type ToolGroup = 'Organize' | 'Secure' | 'Mark' | 'Forms' | 'Text' | 'Convert' | 'Archive' | 'Create'

/** A response with another content type than the usual one. */
export interface OtherResponse {
  /** The content type, without charset. */
  contentType: string
  /** The options that cause it, or a condition after "If". */
  when: Readonly<Record<string, string | boolean>> | string
  /** What the file contains, after "with". */
  what?: string
}

/** Formats of input files. `encrypted-pdf`: the tool opens the file itself. `images`: JPEG, PNG, WebP and TIFF. */
export type AcceptedFormat = 'pdf' | 'encrypted-pdf' | 'pdf-or-xml' | 'images'

/** How many files a list has. */
export interface FileCount {
  least: number
  /** Default: the limit of the server. */
  most?: number
}

/**
 * What a result is as the input of the next step of a pipeline. `pdfs` and `images` are lists. `other` is text, JSON or
 * another format that no tool reads.
 */
export type ResultKind = 'pdf' | 'encrypted-pdf' | 'pdfs' | 'images' | 'xml' | 'other'

/** A step of a pipeline: the ID of its tool, and its options. */
export interface LaterStep {
  id: string
  options: Readonly<Record<string, unknown>>
}

/** What a tool means for the other steps of a pipeline. */
export interface StepRules<Options> {
  /** What the result is, by the options. */
  result(options: Options): ResultKind
  /** Whether the result shows and contains only what its file did. Otherwise it may bring back what a redaction removed. */
  addsNothing?: boolean
  /** Returns why a step may not come later, and what to do instead, as sentences. Undefined if it may. */
  refuses?(options: Options, later: LaterStep): string | undefined
  /** What the result promises, by the options and the headers of the response. Later steps must not break it. */
  promises?(options: Options, headers: Readonly<Record<string, string>>): StepPromise[]
  /** Names of options that a receipt leaves out, besides passwords and the contents of files. */
  hides?: readonly string[]
}

/** The declaration of a tool, without its implementation. */
export interface ToolDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  /** The ID in URLs, file names and the documentation. */
  id: string
  title: string
  /** One sentence for the documentation and OpenAPI. */
  summary: string
  /** `one`: exactly one file. `many`: a list, in the order of the request. */
  files: 'one' | 'many'
  /** How many files a list has. Default: two or more, up to the limit of the server. */
  fileCount?: FileCount
  /** Formats of the input files. Default: `pdf`. A tool for other formats than PDF has `read`. */
  accepts?: AcceptedFormat
  /** Suffix of the download name: `report.pdf` becomes `report-<suffix>.pdf`. */
  suffix: string
  group: ToolGroup
  /** The name of its command, such as `sheaf redact`. Default: the ID without `pdf`. */
  command?: string
  /** Flags of the command that add an entry to a list, as `list.member`. Such a flag may have the list's own name. */
  commandFlags?: Readonly<Record<string, string>>
  /** A few words beside the title on the start page. */
  tagline: string
  /** Content type of the usual response. */
  responses: ContentType
  /** Responses with other content types, and the options that cause them. */
  otherResponses?: OtherResponse[]
  /** The JSON of its responses, if it has some. */
  report?: ReportDeclaration
  /** Warnings of this tool besides those of every tool (for signed, damaged or XFA files). */
  warnings?: Warning[]
  /** Maximum number of pages to work on, if that is less than the server allows for the input. */
  mostPages?: number
  /** Whether responses to the same request differ in their bytes. */
  isRandom?: boolean
  /** Whether failures count against a limit, so that nobody can guess passwords with this tool. */
  guardsPasswords?: boolean
  /** `ocr` if the work may take as long as text recognition with these options. */
  timeLimits?(options: z.output<Schema>): 'ocr' | undefined
  options: Schema
  /** What the tool means for the other steps of a pipeline. */
  step: StepRules<z.output<Schema>>
  /** Documentation besides the options. */
  sections?: readonly ToolSection[]
  /** Contract tests send the first example with a five-page document. */
  examples: [Example<z.input<Schema>>, ...Example<z.input<Schema>>[]]
}

/**
 * The declaration and implementation of a tool. `edit` changes a single document in place. `read` gets files that
 * needn't be PDFs. `run` creates any other output.
 */
export type Tool<Schema extends z.ZodObject = z.ZodObject> = ToolDeclaration<Schema> &
  (
    | { edit(document: PdfDocument, options: z.output<Schema>, context: ToolContext): void | Promise<void> }
    | {
        run(
          inputs: OneOrMore<ToolInput>,
          options: z.output<Schema>,
          context: ToolContext,
        ): ToolOutput | Promise<ToolOutput>
      }
    | {
        read(
          files: OneOrMore<ToolFile>,
          options: z.output<Schema>,
          context: ToolContext,
        ): ToolOutput | Promise<ToolOutput>
      }
  )

/** Declares a tool. This function exists so that the schema determines the types of options and examples. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool<Schema> {
  return tool
}
