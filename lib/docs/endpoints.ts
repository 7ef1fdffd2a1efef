import type * as z from 'zod'
import type { AcceptedFormat, FileCount, OtherResponse, ToolDeclaration, ToolGroup } from '../../engines/tools/define'
import { findTool, listTools } from '../../engines/tools/registry'
import { EXTENSIONS, type ToolSection, type Warning } from '../../engines/types'
import {
  MAX_ARCHIVE_FILES,
  MAX_FILE_BYTES,
  MAX_PATH_BYTES,
  MAX_UNPACKED_BYTES,
} from '../../engines/webpage/request/page-source'
import type { ErrorCode } from '../errors'
import { listOperations } from '../operations/all'
import type { Operation } from '../operations/operation'
import { pipelineFields } from '../operations/step-schema'
import { invoiceExamples, invoiceFields, invoiceFormFields, invoiceSections } from './invoice-endpoint'
import { pipelineExamples, pipelineSections } from './pipeline-endpoint'
import { webpageExamples, webpageFields } from './webpage-endpoint'

/** An endpoint as the documentation shows it. */
export interface Endpoint {
  operation: Operation
  /** Its page is `/docs/<slug>`. */
  slug: string
  path: string
  title: string
  summary: string
  /** A few words beside the title on the start page. */
  tagline: string
  /** The heading in every list of endpoints. In each group, the most used endpoints come first. */
  group: ToolGroup
  /** The name of its command, such as `sheaf redact`. */
  command: string
  /** See `ToolDeclaration.commandFlags`. */
  commandFlags?: ToolDeclaration['commandFlags']
  /** The field that the command reads from its first argument, a file with JSON. It has no flag. */
  commandFile?: 'steps'
  /** The tag in the OpenAPI document. Generated clients name their modules after it, so it stays the same. */
  tag: string
  files: EndpointFiles
  /** How many files a list has. Without `most`, the limit of the server applies. */
  fileCount: FileCount
  /** Formats of the files of a tool. */
  accepts: AcceptedFormat
  /** Names of the files that samples send. `/samples` has a file of each name. */
  sampleFiles: readonly string[]
  /** The options, or the fields of an operation without `options`. */
  schema: z.ZodObject
  /** The key of the options. Undefined if they are top-level fields of the body. */
  optionsKey: 'options' | undefined
  /** Form fields, if they differ from the JSON fields. */
  formSchema?: z.ZodObject
  examples: { title: string; options: unknown }[]
  /** Sections of the page in addition to the options. */
  sections: readonly ToolSection[]
  /** Content type of the usual response, and of those that depend on options. */
  responses: string
  otherResponses: OtherResponse[]
  /** Download name of the first example's response. */
  responseName: string
  /** See `ToolDeclaration.suffix`. */
  suffix?: string
  /** See `ToolDeclaration.report`. */
  report?: ToolDeclaration['report']
  /** Maximum number of pages to work on, if that is less than the server allows for the input. */
  mostPages?: number
  /** Whether a request may take as long as OCR. */
  ocrTimes: OcrTimes
  /** Possible warnings of a response with a file. Those of every operation come last. */
  warnings: Warning[]
  /** Possible errors, in order of their status. */
  errors: ErrorCode[]
}

/** Whether a request may take as long as OCR: always, with options that request OCR, or never. */
export type OcrTimes = 'always' | 'when asked' | 'never'

/** One file, a list, one HTML file in place of other fields, or none. */
export type EndpointFiles = 'one' | 'many' | 'html' | 'none'

/** Error codes that are possible for every operation. */
export const SHARED_ERRORS: ErrorCode[] = [
  'invalid_api_key',
  'insufficient_credits',
  'idempotency_key_reused',
  'request_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

const SHARED_WARNINGS: Warning[] = ['unknown-field', 'browser-origin']
/** Warnings that any file may cause. */
const PDF_WARNINGS: Warning[] = ['repaired', 'signatures-invalidated', 'xfa-dropped', 'conformance-dropped']

/** Error codes for paths and methods without an operation. */
export const PATH_ERRORS: ErrorCode[] = ['not_found', 'method_not_allowed']

/** Most lists are for joining files, so they have at least two. */
const USUAL_COUNT: FileCount = { least: 2 }
const ONE_FILE: FileCount = { least: 1, most: 1 }

/** Tools whose samples need other files. */
const SAMPLE_FILES = new Map<string, readonly string[]>([
  ['form-filler', ['form.pdf']],
  ['pdf-ocr', ['scan.pdf']],
  ['read-invoice', ['e-invoice.pdf']],
  ['unlock-pdf', ['locked.pdf']],
  ['images-to-pdf', ['receipt.jpg', 'chart.png']],
  ['compare-pdfs', ['contract-1.pdf', 'contract-2.pdf']],
  // A draft with what these tools change: a photo, a form, comments, a layer, a script and an attached file.
  ...['remove-annotations', 'remove-metadata', 'flatten-pdf', 'compress-pdf', 'convert-to-pdfa'].map(
    id => [id, ['draft.pdf']] as const,
  ),
])

/** Lists every operation in the order of the documentation. */
export function listEndpoints(): Endpoint[] {
  return listOperations().map(describeEndpoint)
}

/** Returns the operation of a documentation page. */
export function findEndpoint(slug: string): Endpoint | undefined {
  return listEndpoints().find(endpoint => endpoint.slug === slug)
}

function describeEndpoint(operation: Operation): Endpoint {
  const { id, refusalCode, failureCode } = operation
  const tool = findTool(id.replace(/^pdf-tools\//, ''))
  const described = tool ? describeTool(tool) : OTHER_ENDPOINTS.get(id)
  if (!described) throw new Error(`The operation ${id} has no documentation. Add it to lib/docs/endpoints.ts`)
  return {
    ...described,
    operation,
    path: `/api/external/${id}`,
    errors: [...new Set([refusalCode, ...SHARED_ERRORS, failureCode])],
  }
}

type Description = Omit<Endpoint, 'operation' | 'path' | 'errors'>

function describeTool(tool: ToolDeclaration): Description {
  const {
    id,
    title,
    summary,
    files,
    options,
    sections = [],
    examples,
    group,
    tagline,
    command = id.replace(/^pdf-|-pdf$/, ''),
    commandFlags,
    responses,
    suffix,
    accepts = 'pdf',
    fileCount,
    otherResponses = [],
    mostPages,
    warnings = [],
  } = tool
  const sampleFiles = SAMPLE_FILES.get(id) ?? (files === 'many' ? ['letter.pdf', 'terms.pdf'] : ['report.pdf'])
  const responseName = `${(sampleFiles[0] ?? '').replace(/\.[^.]*$/, '')}-${suffix}.${EXTENSIONS[responses]}`
  return {
    slug: id,
    title,
    summary,
    tagline,
    group,
    command,
    ...(commandFlags && { commandFlags }),
    tag: 'PDF tools',
    files,
    fileCount: files === 'one' ? ONE_FILE : (fileCount ?? USUAL_COUNT),
    accepts,
    sampleFiles,
    schema: options,
    optionsKey: 'options',
    sections,
    examples,
    responses,
    otherResponses,
    responseName,
    suffix,
    ...(tool.report && { report: tool.report }),
    ...(mostPages === undefined ? {} : { mostPages }),
    ocrTimes: describeOcrTimes(tool),
    warnings: [...new Set([...warnings, ...PDF_WARNINGS, ...SHARED_WARNINGS])],
  }
}

/** Returns when an endpoint sends another content type, as a sentence. */
export function describeOtherResponse({ contentType, when, what }: OtherResponse): string {
  const condition =
    typeof when === 'string'
      ? when
      : Object.entries(when)
          .map(([option, value]) => `\`${option}\` is \`${value}\``)
          .join(' and ')
  return `If ${condition}, the response is \`${contentType}\`${what === undefined ? '' : ` with ${what}`}.`
}

function describeOcrTimes({ timeLimits }: ToolDeclaration): OcrTimes {
  if (timeLimits === undefined) return 'never'
  return timeLimits({}) === 'ocr' ? 'always' : 'when asked'
}

/** Content types that a step can return besides those of PDFs and ZIP files. */
const OTHER_RESULTS = [
  ...new Set(
    listTools()
      .flatMap(({ responses, otherResponses = [] }) => [
        responses,
        ...otherResponses.map(({ contentType }) => contentType),
      ])
      .concat('application/xml')
      .filter(contentType => contentType !== 'application/pdf' && contentType !== 'application/zip'),
  ),
]

const OTHER_ENDPOINTS = new Map<string, Description>([
  [
    'webpage-to-pdf/pdf',
    {
      slug: 'webpage-to-pdf',
      title: 'Web page to PDF',
      summary:
        'Converts a public URL, your HTML or a file to a PDF with tags and bookmarks. You can send an HTML file, or ' +
        'a ZIP with a page and its resources.',
      tagline: 'From a URL, HTML or a ZIP file.',
      group: 'Create',
      command: 'web',
      tag: 'Web pages and invoices',
      files: 'html',
      fileCount: { least: 0, most: 1 },
      accepts: 'pdf',
      sampleFiles: [],
      schema: webpageFields,
      optionsKey: undefined,
      examples: webpageExamples,
      sections: [
        {
          heading: 'Send a file',
          paragraphs: [
            'In `multipart/form-data`, send the file in the form field `file`. In JSON, send `file` as ' +
              '`{"name": "page.html", "dataBase64": "…"}`. The extension of the name sets the type: `.html`, `.htm`, ' +
              '`.xhtml`, `.svg`, `.txt` or `.zip`.',
            `A file can have up to ${MAX_FILE_BYTES / 2 ** 20} MB. A ZIP must contain an \`index.html\`, at the top ` +
              'level or in its only folder.',
            `A ZIP can have up to ${MAX_ARCHIVE_FILES.toLocaleString('en')} files, and unpack to up to ` +
              `${MAX_UNPACKED_BYTES / 2 ** 20} MB. A path in it can have up to ` +
              `${MAX_PATH_BYTES.toLocaleString('en')} bytes. Sheaf rejects encrypted and damaged ZIP files before it ` +
              'charges a credit. A ZIP with two files at one path is invalid too.',
          ],
        },
      ],
      responses: 'application/pdf',
      otherResponses: [],
      responseName: 'example.com.pdf',
      ocrTimes: 'never',
      warnings: ['resources-failed', 'pages-cut', ...SHARED_WARNINGS],
    },
  ],
  [
    'invoice-generator/pdf',
    {
      slug: 'invoice-generator',
      title: 'Invoice',
      summary:
        'Creates a tagged PDF invoice from your data, in any language and currency. With `eInvoice`, it is a Factur-X ' +
        'PDF, an XRechnung or a Peppol invoice.',
      tagline: 'From JSON: PDF, Factur-X, XRechnung, Peppol.',
      group: 'Create',
      command: 'invoice',
      tag: 'Web pages and invoices',
      files: 'none',
      fileCount: { least: 0, most: 0 },
      accepts: 'pdf',
      sampleFiles: [],
      schema: invoiceFields,
      formSchema: invoiceFormFields,
      optionsKey: undefined,
      examples: invoiceExamples,
      sections: invoiceSections,
      responses: 'application/pdf',
      otherResponses: [
        {
          contentType: 'application/xml',
          when: '`eInvoice.output` is `xml`, or missing for `xrechnung` and `peppol`',
          what: 'the invoice',
        },
      ],
      responseName: 'R-2025-7.pdf',
      ocrTimes: 'never',
      warnings: ['accent-text-darkened', 'currency-assumed', ...SHARED_WARNINGS],
    },
  ],
  [
    'pipeline',
    {
      slug: 'pipeline',
      title: 'Pipeline',
      summary:
        'Runs up to 20 steps in one request, for one credit: PDF tools, web pages and invoices. What a step promises is ' +
        'checked again on the final file.',
      tagline: 'Several steps, one request, one credit.',
      group: 'Create',
      command: 'pipeline',
      commandFile: 'steps',
      tag: 'Pipelines',
      files: 'many',
      fileCount: { least: 0 },
      accepts: 'pdf',
      sampleFiles: ['letter.pdf', 'terms.pdf'],
      schema: pipelineFields,
      optionsKey: undefined,
      examples: pipelineExamples,
      sections: pipelineSections,
      responses: 'application/pdf',
      otherResponses: [
        { contentType: 'application/zip', when: { receipt: true }, what: 'the file and `receipt.json`' },
        ...OTHER_RESULTS.map(contentType => ({ contentType, when: 'the last step returns it' })),
      ],
      responseName: 'letter-merged-numbered-compressed.pdf',
      ocrTimes: 'when asked',
      warnings: [...PDF_WARNINGS, ...SHARED_WARNINGS],
    },
  ],
])
