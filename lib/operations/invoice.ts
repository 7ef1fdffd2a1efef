import type { Problem } from '../../engines/errors'
import { CallError } from '../errors'
import { createRefusal } from '../http/call-refusal'
import type { Body } from '../http/body'
import type { Operation, PreparedCall } from './operation'

const CODE = 'invalid_invoice_payload'

/** The invoice generator. */
export const invoiceOperation: Operation = {
  id: 'invoice-generator/pdf',
  refusalCode: CODE,
  failureCode: 'invoice_pdf_generation_failed',
  bodyRules: { fileFields: [], jsonFields: ['items'], maxStructureBytes: 2 * 2 ** 20, maxFieldBytes: 2 ** 20 },
  parse,
}

/** Forms send `fromName` and `billToName` where JSON has objects. */
function parse({ fields }: Body): PreparedCall {
  const { items } = fields
  const problems: Problem[] = [
    ...findMissingText('invoiceNumber', fields.invoiceNumber),
    ...findMissingText('from.name', readName(fields.from) ?? fields.fromName),
    ...findMissingText('billTo.name', readName(fields.billTo) ?? fields.billToName),
    ...(Array.isArray(items) && items.length > 0 ? [] : [{ param: 'items', message: 'has to be an array of at least 1 item {"description", "quantity", "rate"}' }]),
  ]
  if (problems.length > 0) throw createRefusal(CODE, problems)
  throw new CallError('service_unavailable', 'The invoice generator is not available in this version; nothing was charged')
}

function readName(party: unknown): unknown {
  return typeof party === 'object' && party !== null && 'name' in party ? party.name : undefined
}

function findMissingText(param: string, value: unknown): Problem[] {
  if (typeof value === 'string' && value.trim() !== '') return []
  return [{ param, message: value === undefined || value === null ? 'is missing; it has to be a text' : 'has to be a text that is not empty' }]
}
