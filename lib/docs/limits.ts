import type { Config } from '../config'
import type { ErrorCode } from '../errors'

/** A limit in words. */
export interface LimitRow {
  what: string
  value: string
  /** The variable that sets it. */
  variable: keyof Config
  /** The code of a call that goes beyond it. */
  error?: ErrorCode
}

const MIB = 2 ** 20

/** The limits of a server with this configuration. */
export function describeLimits(config: Config): LimitRow[] {
  return [
    { what: 'Bytes of a request body', value: bytes(config.MAX_BODY_BYTES), variable: 'MAX_BODY_BYTES', error: 'payload_too_large' },
    { what: 'Files of one call', value: count(config.MAX_FILES), variable: 'MAX_FILES' },
    { what: 'Parts of a multipart form', value: count(config.MAX_PARTS), variable: 'MAX_PARTS' },
    { what: 'Pages that come in, all files together', value: count(config.MAX_PAGES), variable: 'MAX_PAGES', error: 'pdf_tool_processing_failed' },
    { what: 'Pages that go out', value: count(config.MAX_PAGES_OUT), variable: 'MAX_PAGES_OUT', error: 'pdf_tool_processing_failed' },
    { what: 'Objects of a PDF', value: count(config.MAX_OBJECTS), variable: 'MAX_OBJECTS', error: 'pdf_tool_processing_failed' },
    { what: 'Inflated bytes of one structure stream of a PDF', value: bytes(config.MAX_STREAM_INFLATE_BYTES), variable: 'MAX_STREAM_INFLATE_BYTES', error: 'pdf_tool_processing_failed' },
    { what: 'Inflated bytes of a whole PDF', value: bytes(config.MAX_INFLATE_BYTES), variable: 'MAX_INFLATE_BYTES', error: 'pdf_tool_processing_failed' },
    { what: 'Time to open and inspect the files', value: seconds(config.OPEN_TIMEOUT_MS), variable: 'OPEN_TIMEOUT_MS', error: 'pdf_tool_processing_failed' },
    { what: 'Time for the work itself', value: `10 s and 1 s more for every 10 MB that come in, ${seconds(config.TOOL_TIMEOUT_MS)} at most`, variable: 'TOOL_TIMEOUT_MS', error: 'pdf_tool_processing_failed' },
    { what: 'Time to recognise the text of one page', value: seconds(config.OCR_PAGE_TIMEOUT_MS), variable: 'OCR_PAGE_TIMEOUT_MS', error: 'pdf_tool_processing_failed' },
    { what: 'Time to recognise the text of all pages of a call', value: seconds(config.OCR_TIMEOUT_MS), variable: 'OCR_TIMEOUT_MS', error: 'pdf_tool_processing_failed' },
    { what: 'Memory of the work', value: `${count(config.ENGINE_RSS_MB)} MiB`, variable: 'ENGINE_RSS_MB', error: 'pdf_tool_processing_failed' },
    { what: 'Calls of one account that run at the same time; more wait', value: count(config.KEY_CONCURRENCY), variable: 'KEY_CONCURRENCY' },
    { what: 'Time that a call may wait for its turn', value: seconds(config.SLOT_TIMEOUT_MS), variable: 'SLOT_TIMEOUT_MS', error: 'rate_limited' },
    { what: 'Calls of one account per second', value: config.KEY_RPS === undefined ? 'not limited' : count(config.KEY_RPS), variable: 'KEY_RPS', error: 'rate_limited' },
    { what: 'Calls that wait on this server', value: count(config.MAX_WAITING), variable: 'MAX_WAITING', error: 'service_unavailable' },
    { what: 'Time without a byte before an upload is cut off', value: seconds(config.BODY_STALL_MS), variable: 'BODY_STALL_MS' },
  ]
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function bytes(value: number): string {
  return value % MIB === 0 ? `${count(value / MIB)} MiB` : `${count(value / 1e6)} MB`
}

function seconds(ms: number): string {
  return `${count(ms / 1000)} s`
}
