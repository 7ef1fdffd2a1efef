import type { Problem } from '../../engines/errors'
import { collectContent } from '../../engines/output-content'
import { findOptionProblems, pageOptions } from '../../engines/webpage/request/options'
import {
  findFileProblem,
  findUrlProblem,
  INDEX_ARCHIVE_JOB,
  MAX_HTML_BYTES,
  normalizeUrl,
  openFile,
  openHtml,
  type PageSource,
} from '../../engines/webpage/request/page-source'
import { getConfig } from '../config'
import { getEngines, getWebPrinter } from '../running-engines'
import type { Body, BodyFile } from '../body/body'
import { createRefusal, describeSentInstead, writeByteLimit } from '../refusal'
import { checkFields, type FieldHints } from './check-fields'
import { readFormValues } from './form-values'
import type { Operation, PreparedRequest, RunContext } from './operation'
import { listArrayKeys } from './schema-keys'
import { validate } from './validate'

const CODE = 'invalid_payload'
/** Fields beside the options. */
const NAMES = ['url', 'html', 'baseUrl']
const FILE_FIELDS = ['file']
const SOURCES = ['url', 'html', 'file'] as const
/** Maximum bytes of a page in JSON: a page of the largest size, with every other character escaped. */
const MAX_LONG_BYTES = 24 * 2 ** 20
/** Room for the options. */
const MAX_STRUCTURE_BYTES = 2 ** 20

type Source = (typeof SOURCES)[number]

/** The operation for web pages. */
export const webpageOperation: Operation = {
  id: 'webpage-to-pdf/pdf',
  refusalCode: CODE,
  failureCode: 'conversion_failed',
  crashCode: 'conversion_failed',
  lane: 'browser',
  bodyRules: {
    fileFields: FILE_FIELDS,
    jsonFields: [],
    textFields: [...NAMES, ...Object.keys(pageOptions.shape)],
    listFields: listArrayKeys(pageOptions),
    longFields: ['html'],
    maxLongBytes: MAX_LONG_BYTES,
    maxStructureBytes: MAX_STRUCTURE_BYTES,
    maxFieldBytes: MAX_HTML_BYTES,
  },
  parse,
}

async function parse(body: Body, hints: FieldHints): Promise<PreparedRequest> {
  const sent = body.encoding === 'form' ? readFormValues(dropEmpty(body.fields), pageOptions) : body.fields
  const known = { schema: pageOptions, names: NAMES, fileFields: FILE_FIELDS }
  const checked = checkFields({ fields: dropNulls(sent), files: body.files }, known, hints)
  const { files, ignored, isFileRefused } = checked
  const { url, html, baseUrl, ...optionFields } = { ...checked.fields }
  const sourceFields = { url, html, file: files.length > 0 ? files : undefined }
  const sentSources = SOURCES.filter(source => sourceFields[source] !== undefined)
  const parsed = await validate(pageOptions, optionFields, { sent, name: '', names: NAMES })
  const problems = [
    ...checked.problems,
    ...(isFileRefused ? [] : findSourceProblems(sentSources, sourceFields, ignored)),
    ...findBaseProblems(baseUrl, sentSources),
    ...(parsed.problems ? parsed.problems.map(withoutLeadingDot) : findOptionProblems(parsed.data)),
  ]
  const [source] = sentSources
  if (!parsed.data || problems.length > 0 || source === undefined) throw createRefusal(CODE, problems)
  const base = typeof baseUrl === 'string' ? normalizeUrl(baseUrl) : undefined
  let opened: PageSource | undefined
  return {
    warnings: ignored.length > 0 ? ['unknown-field'] : [],
    unknownFields: ignored,
    async inspect(context) {
      opened = await openSource({ url, html, files }, base, context)
    },
    async run(context) {
      const { accountId, signal } = context
      const { name } = describeFile(source, { url, files })
      return getWebPrinter().print({
        source: opened ?? (await openSource({ url, html, files }, base, context)),
        options: parsed.data,
        name,
        signal,
        owner: accountId,
      })
    },
  }
}

interface SourceFields {
  url?: unknown
  html?: unknown
  files: BodyFile[]
}

async function openSource(
  { url, html, files }: SourceFields,
  baseUrl: string | undefined,
  context: RunContext,
): Promise<PageSource> {
  const [file] = files
  if (file) return openFile(file, { baseUrl, indexArchive: zip => indexArchive(zip, context) })
  // The validation has checked that one of them is set.
  return typeof html === 'string' ? openHtml(html, baseUrl) : { kind: 'url', url: normalizeUrl(String(url)) }
}

/** Has an engine check a zipped page, because its content decides how much work that is. */
async function indexArchive(zip: Uint8Array, { accountId, signal }: RunContext): Promise<Uint8Array> {
  const { OPEN_TIMEOUT_MS, TOOL_TIMEOUT_MS, limits } = getConfig()
  const file = { name: 'page.zip', chunks: [zip], byteLength: zip.byteLength }
  const { content } = await getEngines().run(
    { tool: INDEX_ARCHIVE_JOB, options: {}, files: [file], limits },
    { signal, owner: accountId, openTimeoutMs: OPEN_TIMEOUT_MS, toolTimeoutMs: TOOL_TIMEOUT_MS },
  )
  return collectContent(content)
}

function describeFile(source: Source, { url, files }: Omit<SourceFields, 'html'>): { name: string } {
  if (source === 'url')
    return { name: new URL(normalizeUrl(String(url))).hostname.replace(/^\[|\]$/g, '').replaceAll(':', '-') }
  return { name: files[0]?.name.replace(/\.[a-z]{3,5}$/i, '') ?? 'page' }
}

function findSourceProblems(
  sentSources: Source[],
  { url, html, file }: { url: unknown; html: unknown; file: BodyFile[] | undefined },
  unknown: string[],
): Problem[] {
  if (sentSources.length === 0)
    return [{ message: `the request must have one of url, html and file. Got none.${describeSentInstead(unknown)}` }]
  if (sentSources.length > 1)
    return [{ message: `the request must have only one of url, html and file. Got ${sentSources.join(' and ')}.` }]
  if (file) return findFileProblems(file)
  if (sentSources[0] === 'url') {
    const problem =
      typeof url === 'string'
        ? findUrlProblem(url, getConfig().allowedHosts)
        : 'must be an absolute URL, such as "https://example.com/".'
    return problem === undefined ? [] : [{ param: 'url', message: problem }]
  }
  const bytes = typeof html === 'string' ? Buffer.byteLength(html) : 0
  if (bytes > MAX_HTML_BYTES)
    return [{ param: 'html', message: `must be at most ${writeByteLimit(MAX_HTML_BYTES)}. Got ${bytes} bytes.` }]
  return typeof html === 'string' && /\S/.test(html) ? [] : [{ param: 'html', message: 'must be HTML as a string.' }]
}

function findFileProblems(files: BodyFile[]): Problem[] {
  const [file] = files
  if (files.length > 1 || !file)
    return [{ param: 'file', message: `must be exactly one file. Got ${files.length} files.` }]
  const problem = findFileProblem(file)
  return problem === undefined ? [] : [{ param: 'file', message: problem }]
}

function findBaseProblems(baseUrl: unknown, sentSources: Source[]): Problem[] {
  if (baseUrl === undefined || baseUrl === null) return []
  const param = 'baseUrl'
  if (sentSources.includes('url'))
    return [{ param, message: 'is only allowed with html or file. A page from url already has a base URL.' }]
  const problem =
    typeof baseUrl === 'string'
      ? findUrlProblem(baseUrl, getConfig().allowedHosts)
      : 'must be an absolute URL, such as "https://example.com/".'
  return problem === undefined ? [] : [{ param, message: problem }]
}

/** A null field counts as not sent. */
function dropNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** An empty form field counts as not sent, because a form can't leave out a field. */
function dropEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}

/** The options are top-level fields of the body, so `param` loses its prefix. */
function withoutLeadingDot({ param, message }: Problem): Problem {
  return { ...(param === undefined ? {} : { param: param.replace(/^\./, '') }), message }
}
