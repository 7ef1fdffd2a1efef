import { MAX_OPTION_FILE_BYTES } from '../../engines/options/file-input'
import { MAX_PRINTED_PAGES } from '../../engines/webpage/request/options'
import {
  MAX_ARCHIVE_FILES,
  MAX_FILE_BYTES,
  MAX_HTML_BYTES,
  MAX_UNPACKED_BYTES,
} from '../../engines/webpage/request/page-source'
import type { Config } from '../config'
import type { ErrorCode } from '../errors'
import { MAX_STEPS } from '../operations/step-schema'
import type { Endpoint } from './endpoints'

/** A limit in words. */
export interface LimitRow {
  what: string
  value: string
  /** The environment variable that sets the limit. Undefined if the limit is fixed, or follows from another one. */
  variable?: keyof Config
  /** The error codes of a request that exceeds the limit, by endpoint. */
  errors?: ErrorCode[]
  /** What happens instead of an error. */
  outcome?: string
}

/** Variables whose values are numbers. */
type NumericVariable = { [Key in keyof Config]-?: Config[Key] extends number ? Key : never }[keyof Config]

const MB = 2 ** 20
const TOOL_ERRORS: ErrorCode[] = ['pdf_tool_processing_failed']
const WEBPAGE_ERRORS: ErrorCode[] = ['conversion_failed']
const REFUSALS: ErrorCode[] = ['pdf_tool_processing_failed', 'invalid_payload', 'invalid_invoice_payload']
const CLOSES = 'The server closes the connection'

/** What the limits of an operation depend on. */
type LimitedEndpoint = Pick<Endpoint, 'slug' | 'files' | 'fileCount' | 'accepts' | 'ocrTimes' | 'mostPages'>

/** Returns the limits of one operation as sentences. */
export function describeEndpointLimits(
  { slug, files, fileCount, accepts, ocrTimes, mostPages }: LimitedEndpoint,
  config: Config,
): string[] {
  const {
    MAX_BODY_BYTES,
    MAX_FILES,
    MAX_PAGES,
    MAX_PAGES_OUT,
    MAX_PIXELS,
    OCR_PAGE_TIMEOUT_MS,
    OCR_TIMEOUT_MS,
    PIPELINE_TIMEOUT_MS,
    TOOL_TIMEOUT_MS,
    WEB_TIMEOUT_MS,
  } = config
  const { least, most } = fileCount
  const body = `request bodies up to ${bytes(MAX_BODY_BYTES)}.`
  const bodies = `${body} In JSON, this is about ${bytes(inJson(MAX_BODY_BYTES))} of files, because base64 adds a third.`
  if (files === 'none')
    return [`Size: \`logo\` up to ${bytes(MAX_OPTION_FILE_BYTES)}, ${body}`, `Time: ${seconds(TOOL_TIMEOUT_MS)}.`]
  if (files === 'html')
    return [
      `Size: \`file\` up to ${bytes(MAX_FILE_BYTES)}, \`html\` up to ${bytes(MAX_HTML_BYTES)}, ${body}`,
      `Pages: up to \`maxPages\`, which is at most ${count(MAX_PRINTED_PAGES)}.`,
      `Time: up to \`timeout\`, and at most ${seconds(WEB_TIMEOUT_MS)}.`,
    ]
  if (slug === 'pipeline')
    return [
      `Steps: up to ${MAX_STEPS}.`,
      `Size: ${bodies}`,
      `Files: up to ${count(MAX_FILES)}.`,
      `Pages: as for each step, such as ${count(MAX_PAGES_OUT)} in a result.`,
      `Time: the time limits of all steps together, up to ${seconds(PIPELINE_TIMEOUT_MS)}.`,
    ]
  return [
    `Size: ${bodies}`,
    ...(files === 'many' ? [`Files: ${least === most ? `exactly ${least}` : `${least} to ${count(MAX_FILES)}`}.`] : []),
    accepts === 'images'
      ? `Pixels: ${count(MAX_PIXELS)} in an image.`
      : `Pages: ${count(MAX_PAGES)} in the input${files === 'many' ? ' (all files together)' : ''}, ` +
        (mostPages === undefined
          ? `${count(MAX_PAGES_OUT)} in the result.`
          : `at most ${count(mostPages)} of them processed in one request.`),
    ...(ocrTimes === 'always' ? [] : [`Time: 10 s plus 1 s per 10 MB, up to ${seconds(TOOL_TIMEOUT_MS)}.`]),
    ...(ocrTimes === 'never'
      ? []
      : [
          `${ocrTimes === 'always' ? 'Time' : 'Time with text recognition'}: ${seconds(OCR_PAGE_TIMEOUT_MS)} per ` +
            `page, ${seconds(OCR_TIMEOUT_MS)} in total.`,
        ]),
  ]
}

/** Returns the time limits of one operation in words, such as `60 s`. */
export function describeTimeLimits(endpoint: LimitedEndpoint, config: Config): string {
  const times = describeEndpointLimits(endpoint, config).filter(limit => limit.startsWith('Time'))
  return times.map(time => time.replace(/^Time: (\w)/, (_, first: string) => first.toUpperCase())).join(' ')
}

/** Lists the limits of a server with this configuration. */
export function describeLimits(config: Config): LimitRow[] {
  /** A limit that is a number in a variable. */
  const setting = (
    what: string,
    variable: NumericVariable,
    write: (value: number) => string,
    errors: ErrorCode[],
  ): LimitRow => ({ what, value: write(config[variable]), variable, errors })
  return [
    setting('Size of a request body', 'MAX_BODY_BYTES', bytes, ['payload_too_large']),
    {
      what: 'Largest PDF. Other files and fields of the request reduce this size',
      value: `${bytes(config.MAX_BODY_BYTES)}. In JSON about ${bytes(inJson(config.MAX_BODY_BYTES))}`,
      errors: ['payload_too_large'],
    },
    {
      what: 'Size of `file` of [web page to PDF](/docs/webpage-to-pdf)',
      value: bytes(MAX_FILE_BYTES),
      errors: ['invalid_payload'],
    },
    {
      what: 'Files in a ZIP of [web page to PDF](/docs/webpage-to-pdf)',
      value: count(MAX_ARCHIVE_FILES),
      errors: ['invalid_payload'],
    },
    {
      what: 'Unpacked size of a ZIP of [web page to PDF](/docs/webpage-to-pdf)',
      value: bytes(MAX_UNPACKED_BYTES),
      errors: ['invalid_payload'],
    },
    {
      what: 'Size of `html` of [web page to PDF](/docs/webpage-to-pdf)',
      value: bytes(MAX_HTML_BYTES),
      errors: ['invalid_payload'],
    },
    {
      what: 'Size of a logo, or of the image or stamp of a watermark',
      value: bytes(MAX_OPTION_FILE_BYTES),
      errors: ['pdf_tool_processing_failed', 'invalid_invoice_payload'],
    },
    setting('Files per request', 'MAX_FILES', count, REFUSALS),
    setting('Form fields of a multipart body, without files', 'MAX_PARTS', count, REFUSALS),
    { what: 'Parameters of a query string', value: '100', outcome: 'Status `414` with a plain text' },
    setting('Pages of the input, all files together', 'MAX_PAGES', count, TOOL_ERRORS),
    setting('Pages of the result', 'MAX_PAGES_OUT', count, TOOL_ERRORS),
    setting('Objects of a PDF', 'MAX_OBJECTS', count, TOOL_ERRORS),
    setting(
      'Decompressed size of one object stream or cross-reference stream of a PDF',
      'MAX_STREAM_INFLATE_BYTES',
      bytes,
      TOOL_ERRORS,
    ),
    setting('Decompressed size of a whole PDF', 'MAX_INFLATE_BYTES', bytes, TOOL_ERRORS),
    setting('Size of a response', 'MAX_OUTPUT_BYTES', bytes, [
      'pdf_tool_processing_failed',
      'invalid_invoice_payload',
      'conversion_failed',
    ]),
    setting('Time to open and inspect the files', 'OPEN_TIMEOUT_MS', seconds, TOOL_ERRORS),
    {
      what: 'Processing time of a PDF tool, without the time in the queue',
      value: `10 s plus 1 s per 10 MB of input, up to ${seconds(config.TOOL_TIMEOUT_MS)}`,
      variable: 'TOOL_TIMEOUT_MS',
      errors: ['pdf_tool_processing_failed'],
    },
    {
      what: 'Time to create an invoice, without the time in the queue',
      value: seconds(config.TOOL_TIMEOUT_MS),
      errors: ['invoice_pdf_generation_failed'],
    },
    setting('Time to recognize the text of one page', 'OCR_PAGE_TIMEOUT_MS', seconds, TOOL_ERRORS),
    setting('Time to recognize the text of all pages of a request', 'OCR_TIMEOUT_MS', seconds, TOOL_ERRORS),
    setting('Time until another server responds to the request for a file', 'FETCH_FIRST_BYTE_MS', seconds, REFUSALS),
    setting('Time to fetch all files of a request from their URLs', 'FETCH_TIMEOUT_MS', seconds, REFUSALS),
    setting('Time of all steps of a pipeline together', 'PIPELINE_TIMEOUT_MS', seconds, TOOL_ERRORS),
    setting('Time to render a web page. `timeout` can set a shorter time', 'WEB_TIMEOUT_MS', seconds, WEBPAGE_ERRORS),
    {
      what: 'Memory of all processes of a web page',
      value: `${count(config.WEB_PAGE_RSS_MB)} MB`,
      variable: 'WEB_PAGE_RSS_MB',
      errors: ['conversion_failed'],
    },
    {
      what: 'Pixels of a rendered page',
      value: count(config.MAX_PIXELS),
      variable: 'MAX_PIXELS',
      outcome: 'The page gets a lower resolution, with the warning [`scale-reduced`](/docs/warnings#scale-reduced)',
    },
    {
      what: 'Memory of the process for a request',
      value: `${count(config.ENGINE_RSS_MB)} MB`,
      variable: 'ENGINE_RSS_MB',
      errors: ['pdf_tool_processing_failed'],
    },
    {
      what: 'Requests of one account that run at the same time, on each server instance',
      value: count(config.KEY_CONCURRENCY),
      variable: 'KEY_CONCURRENCY',
      outcome: 'Further requests wait in the queue',
    },
    setting('Time that a request waits in the queue', 'SLOT_TIMEOUT_MS', seconds, [
      'rate_limited',
      'service_unavailable',
    ]),
    {
      what: 'Requests of one account per second',
      value: config.KEY_RPS === undefined ? 'not limited' : count(config.KEY_RPS),
      variable: 'KEY_RPS',
      ...(config.KEY_RPS === undefined ? { outcome: 'This server has no such limit' } : { errors: ['rate_limited'] }),
    },
    setting('Waiting requests on this server', 'MAX_WAITING', count, ['service_unavailable']),
    setting('Waiting requests of one account', 'ACCOUNT_WAITING', count, ['rate_limited']),
    setting('Memory for uploads over 1 MB, all accounts together', 'BODY_MEMORY_BYTES', bytes, ['service_unavailable']),
    setting(
      'Disk space for responses over 1 MB that clients are still downloading, all accounts together',
      'OUTPUT_SPOOL_BYTES',
      bytes,
      ['service_unavailable'],
    ),
    {
      what: 'Share of the memory for uploads, and of the disk space for responses, that one account can use',
      value: `${count(config.ACCOUNT_SHARE * 100)}%`,
      variable: 'ACCOUNT_SHARE',
      errors: ['rate_limited'],
    },
    setting('Processing time of failed requests of one account in 10 minutes', 'FAILED_WORK_MS', seconds, [
      'rate_limited',
    ]),
    {
      what:
        'Processing time of failed and running requests in 10 minutes, of all accounts of one network that never ' +
        'bought credits',
      value: seconds(Math.min(config.FAILED_WORK_MS, config.FREE_FAILED_WORK_MS)),
      variable: 'FREE_FAILED_WORK_MS',
      errors: ['rate_limited'],
    },
    {
      what: 'Balance requests (`GET /api/external/credits`) of one account per minute',
      value: '60',
      errors: ['rate_limited'],
    },
    { what: 'Wrong passwords of one account for unlock-pdf in 15 minutes', value: '20', errors: ['rate_limited'] },
    { what: 'Duration of an upload', value: '10 minutes', outcome: CLOSES },
    {
      what: 'Minimum speed of an upload, averaged over any 20 s. The first 5 s do not count',
      value: `${count(config.BODY_MIN_RATE / 1024)} KB/s`,
      variable: 'BODY_MIN_RATE',
      outcome: CLOSES,
    },
    {
      what: 'Minimum speed of a download, averaged over any 20 s. The first 5 s do not count',
      value: `${count(config.READ_MIN_RATE / 1024)} KB/s`,
      variable: 'READ_MIN_RATE',
      outcome: CLOSES,
    },
    {
      what: 'Time without data during an upload',
      value: seconds(config.BODY_STALL_MS),
      variable: 'BODY_STALL_MS',
      outcome: CLOSES,
    },
  ]
}

function count(value: number): string {
  return value.toLocaleString('en')
}

/** The size of files that fit into a JSON body of this size in base64. */
function inJson(bodyBytes: number): number {
  return Math.floor(bodyBytes * 0.75)
}

function bytes(value: number): string {
  if (value % MB === 0) return `${count(value / MB)} MB`
  return value < MB ? `${count(value)} bytes` : `${(value / MB).toFixed(1)} MB (${count(value)} bytes)`
}

function seconds(ms: number): string {
  return `${count(ms / 1000)} s`
}
