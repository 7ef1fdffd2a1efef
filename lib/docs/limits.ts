import type { Config } from '../config'
import type { ErrorCode } from '../errors'
import type { CallFiles, OcrTimes } from './documented-calls'

/** A limit in words. */
export interface LimitRow {
  what: string
  value: string
  /** The environment variable that sets the limit. */
  variable: keyof Config
  /** The error code of a request that exceeds the limit. */
  error?: ErrorCode
}

const MB = 2 ** 20

/** Returns the limits of one operation as sentences. */
export function describeCallLimits(
  { files, ocrTimes }: { files: CallFiles; ocrTimes: OcrTimes },
  config: Config,
): string[] {
  const {
    MAX_BODY_BYTES,
    MAX_FILES,
    MAX_PAGES,
    MAX_PAGES_OUT,
    OCR_PAGE_TIMEOUT_MS,
    OCR_TIMEOUT_MS,
    TOOL_TIMEOUT_MS,
    WEB_TIMEOUT_MS,
  } = config
  const size =
    `Size: request bodies up to ${bytes(MAX_BODY_BYTES)}. In JSON, this is about ` +
    `${bytes(Math.floor((MAX_BODY_BYTES * 0.75) / 1e6) * 1e6)} of files.`
  if (files === 'none') return [size, `Time: ${seconds(TOOL_TIMEOUT_MS)}.`]
  if (files === 'html')
    return [
      size,
      `Pages: ${count(MAX_PAGES_OUT)}.`,
      `Time: up to ${seconds(WEB_TIMEOUT_MS)}, even if \`timeout\` is longer.`,
    ]
  return [
    size,
    ...(files === 'many' ? [`Files: 2 to ${count(MAX_FILES)}.`] : []),
    `Pages: ${count(MAX_PAGES)} in the input${files === 'many' ? ' (all files together)' : ''}, ` +
      `${count(MAX_PAGES_OUT)} in the result.`,
    ...(ocrTimes === 'always' ? [] : [`Time: 10 s plus 1 s per 10 MB, up to ${seconds(TOOL_TIMEOUT_MS)}.`]),
    ...(ocrTimes === 'never'
      ? []
      : [
          `${ocrTimes === 'always' ? 'Time' : 'Time with text recognition'}: ${seconds(OCR_PAGE_TIMEOUT_MS)} per ` +
            `page, ${seconds(OCR_TIMEOUT_MS)} in total.`,
        ]),
  ]
}

/** Lists the limits of a server with this configuration. */
export function describeLimits(config: Config): LimitRow[] {
  return [
    {
      what: 'Size of a request body',
      value: bytes(config.MAX_BODY_BYTES),
      variable: 'MAX_BODY_BYTES',
      error: 'payload_too_large',
    },
    { what: 'Files per request', value: count(config.MAX_FILES), variable: 'MAX_FILES' },
    {
      what: 'Form fields of a multipart body, without files',
      value: count(config.MAX_PARTS),
      variable: 'MAX_PARTS',
    },
    {
      what: 'Pages of the input, all files together',
      value: count(config.MAX_PAGES),
      variable: 'MAX_PAGES',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Pages of the result',
      value: count(config.MAX_PAGES_OUT),
      variable: 'MAX_PAGES_OUT',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Objects of a PDF',
      value: count(config.MAX_OBJECTS),
      variable: 'MAX_OBJECTS',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Decompressed size of one structure stream of a PDF',
      value: bytes(config.MAX_STREAM_INFLATE_BYTES),
      variable: 'MAX_STREAM_INFLATE_BYTES',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Decompressed size of a whole PDF',
      value: bytes(config.MAX_INFLATE_BYTES),
      variable: 'MAX_INFLATE_BYTES',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Time to open and inspect the files',
      value: seconds(config.OPEN_TIMEOUT_MS),
      variable: 'OPEN_TIMEOUT_MS',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Processing time',
      value: `10 s plus 1 s per 10 MB of input, up to ${seconds(config.TOOL_TIMEOUT_MS)}`,
      variable: 'TOOL_TIMEOUT_MS',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Time to recognize the text of one page',
      value: seconds(config.OCR_PAGE_TIMEOUT_MS),
      variable: 'OCR_PAGE_TIMEOUT_MS',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Time to recognize the text of all pages of a request',
      value: seconds(config.OCR_TIMEOUT_MS),
      variable: 'OCR_TIMEOUT_MS',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Time to render a web page, even if `timeout` is longer',
      value: seconds(config.WEB_TIMEOUT_MS),
      variable: 'WEB_TIMEOUT_MS',
      error: 'conversion_failed',
    },
    {
      what: 'Memory of all processes of a web page',
      value: `${count(config.WEB_PAGE_RSS_MB)} MB`,
      variable: 'WEB_PAGE_RSS_MB',
      error: 'conversion_failed',
    },
    {
      what: 'Pixels of a rendered page. Larger pages are scaled down, with a warning',
      value: count(config.MAX_PIXELS),
      variable: 'MAX_PIXELS',
    },
    {
      what: 'Memory of the process for a request',
      value: `${count(config.ENGINE_RSS_MB)} MB`,
      variable: 'ENGINE_RSS_MB',
      error: 'pdf_tool_processing_failed',
    },
    {
      what: 'Requests of one account that run at the same time. Further requests wait',
      value: count(config.KEY_CONCURRENCY),
      variable: 'KEY_CONCURRENCY',
    },
    {
      what: 'Time that a request waits in the queue',
      value: seconds(config.SLOT_TIMEOUT_MS),
      variable: 'SLOT_TIMEOUT_MS',
      error: 'rate_limited',
    },
    {
      what: 'Requests of one account per second',
      value: config.KEY_RPS === undefined ? 'not limited' : count(config.KEY_RPS),
      variable: 'KEY_RPS',
      error: 'rate_limited',
    },
    {
      what: 'Waiting requests on this server',
      value: count(config.MAX_WAITING),
      variable: 'MAX_WAITING',
      error: 'service_unavailable',
    },
    {
      what: 'Waiting requests of one account',
      value: count(config.ACCOUNT_WAITING),
      variable: 'ACCOUNT_WAITING',
      error: 'rate_limited',
    },
    {
      what: 'Memory for uploads over 1 MB, all accounts together',
      value: bytes(config.BODY_MEMORY_BYTES),
      variable: 'BODY_MEMORY_BYTES',
      error: 'service_unavailable',
    },
    {
      what: 'Memory for unread responses, all accounts together',
      value: bytes(config.OUTPUT_MEMORY_BYTES),
      variable: 'OUTPUT_MEMORY_BYTES',
      error: 'service_unavailable',
    },
    {
      what: 'Share of this memory that one account can use',
      value: `${count(config.ACCOUNT_SHARE * 100)}%`,
      variable: 'ACCOUNT_SHARE',
      error: 'rate_limited',
    },
    {
      what: 'Processing time of failed requests of one account in 10 minutes',
      value: seconds(config.FAILED_WORK_MS),
      variable: 'FAILED_WORK_MS',
      error: 'rate_limited',
    },
    {
      what: 'Minimum speed of an upload, over any 20 s after its first 5 s. The maximum duration is 10 minutes',
      value: `${count(config.BODY_MIN_RATE / 1024)} KB/s`,
      variable: 'BODY_MIN_RATE',
    },
    {
      what: 'Minimum speed of a download, over any 20 s after its first 5 s',
      value: `${count(config.READ_MIN_RATE / 1024)} KB/s`,
      variable: 'READ_MIN_RATE',
    },
    {
      what: 'Time without data before the server closes an upload',
      value: seconds(config.BODY_STALL_MS),
      variable: 'BODY_STALL_MS',
    },
  ]
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function bytes(value: number): string {
  return value % MB === 0 ? `${count(value / MB)} MB` : `${count(value)} bytes`
}

function seconds(ms: number): string {
  return `${count(ms / 1000)} s`
}
