import { CallError } from '../errors'
import { createRefusal } from '../http/call-refusal'
import type { Body } from '../http/body'
import type { Operation, PreparedCall } from './operation'

const CODE = 'invalid_payload'
const SOURCES = ['url', 'html', 'file'] as const

/** Webpage to PDF. */
export const webpageOperation: Operation = {
  id: 'webpage-to-pdf/pdf',
  refusalCode: CODE,
  failureCode: 'conversion_failed',
  bodyRules: { fileFields: ['file'], jsonFields: [], maxStructureBytes: 10 * 2 ** 20, maxFieldBytes: 10 * 2 ** 20 },
  parse,
}

function parse({ fields, files }: Body): PreparedCall {
  const sent = SOURCES.filter(source => (source === 'file' ? files.length > 0 : fields[source] !== undefined && fields[source] !== null))
  const [source] = sent
  if (source === undefined) throw refuse('the request needs one of url, html and file; none was sent')
  if (sent.length > 1) throw refuse(`the request needs only one of url, html and file; ${sent.join(' and ')} were sent`)
  if (files.length > 1) throw refuse('more than one file was sent; send one', 'file')
  if (source === 'file') {
    if (files.some(({ byteLength }) => byteLength === 0)) throw refuse('is empty; send an HTML file', 'file')
  } else if (typeof fields[source] !== 'string' || fields[source].trim() === '') {
    throw refuse(`has to be ${source === 'url' ? 'an absolute web address, such as "https://example.com/"' : 'a page as text'}`, source)
  }
  throw new CallError('service_unavailable', 'Webpage to PDF is not available in this version; nothing was charged')
}

function refuse(message: string, param?: string): CallError {
  return createRefusal(CODE, [{ message, ...(param === undefined ? {} : { param }) }])
}
