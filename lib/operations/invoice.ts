import { INVOICE_JOB, invoiceSchema } from '../../engines/invoice/data/invoice'
import type { Problem } from '../../engines/errors'
import type { Job } from '../../engines/types'
import { getConfig } from '../config'
import { getEngines } from '../running-engines'
import type { Body, BodyFile } from '../body/body'
import { createRefusal } from '../call-refusal'
import { parseJsonField } from '../body/json-body'
import { INVOICE_JSON_FIELDS, readInvoiceFields } from './invoice-form'
import type { Operation, PreparedCall, RunContext } from './operation'
import { describeIssues } from './problems'
import { findUnknownFields } from './unknown-fields'

const CODE = 'invalid_invoice_payload'

/** Room for a thousand items with long texts, and a logo as a `data:` URL. */
const MAX_STRUCTURE_BYTES = 16 * 2 ** 20

const MAX_LOGO_BYTES = 10 * 2 ** 20

/** The invoice generator. */
export const invoiceOperation: Operation = {
  id: 'invoice-generator/pdf',
  refusalCode: CODE,
  failureCode: 'invoice_pdf_generation_failed',
  crashCode: 'invoice_pdf_generation_failed',
  bodyRules: {
    fileFields: [],
    jsonFields: INVOICE_JSON_FIELDS,
    maxStructureBytes: MAX_STRUCTURE_BYTES,
    maxFieldBytes: MAX_STRUCTURE_BYTES,
  },
  parse,
}

function parse({ fields, files }: Body): PreparedCall {
  const { logo, sent, problems } = readFiles(fields, files)
  const { invoice, problems: misplaced } = readInvoiceFields(sent)
  const parsed = invoiceSchema.safeParse(invoice)
  problems.push(
    ...misplaced,
    ...(parsed.success || misplaced.length > 0
      ? []
      : describeIssues(parsed.error.issues, { schema: invoiceSchema, input: invoice, name: '' })),
  )
  if (logo && parsed.data?.logo)
    problems.push({ param: 'logo', message: 'was sent as a file and as a field; send only one of the two' })
  if (!parsed.success || problems.length > 0) throw createRefusal(CODE, problems)
  const { logo: sentLogo, ...options } = parsed.data
  const image = logo ?? (sentLogo && decodeLogo(sentLogo))
  const unknownFields = findUnknownFields(invoiceSchema, invoice)
  return {
    warnings: unknownFields.length > 0 ? ['unknown-field'] : [],
    unknownFields,
    run: context =>
      run({ tool: INVOICE_JOB, options, files: image ? [image] : [], limits: getConfig().limits }, context),
  }
}

/** A form may contain its logo and its `data` as file parts, and no other files. */
function readFiles(
  fields: Body['fields'],
  files: BodyFile[],
): { logo: BodyFile | undefined; sent: Body['fields']; problems: Problem[] } {
  const problems: Problem[] = []
  const fieldsWithData = { ...fields }
  let logo: BodyFile | undefined
  for (const file of files) {
    const { field, byteLength } = file
    if (field === 'data' && fieldsWithData['data'] === undefined) fieldsWithData['data'] = parseFile(file)
    else if (field !== 'logo')
      problems.push({
        param: field.slice(0, 200),
        message: 'is a file; an invoice takes its logo as the file "logo", and JSON as the part "data"',
      })
    else if (logo) problems.push({ param: 'logo', message: 'was sent twice; send one picture' })
    else if (byteLength === 0) problems.push({ param: 'logo', message: 'is empty; send a PNG or JPEG picture' })
    else if (byteLength > MAX_LOGO_BYTES)
      problems.push({ param: 'logo', message: `holds ${byteLength} bytes; at most ${MAX_LOGO_BYTES} are allowed here` })
    else logo = file
  }
  return { logo, sent: fieldsWithData, problems }
}

function parseFile({ chunks }: BodyFile): unknown {
  const refuse = (message: string) => createRefusal(CODE, [{ param: 'data', message }])
  return parseJsonField(Buffer.concat(chunks).toString(), {
    param: 'data',
    maxStructureBytes: MAX_STRUCTURE_BYTES,
    refuse,
  })
}

function decodeLogo({ name, dataBase64 }: { name: string; dataBase64: string }): Job['files'][number] {
  const bytes = Buffer.from(dataBase64, 'base64')
  return { name, chunks: [bytes], byteLength: bytes.byteLength }
}

function run(job: Job, { accountId, signal }: RunContext) {
  const { OPEN_TIMEOUT_MS, TOOL_TIMEOUT_MS } = getConfig()
  return getEngines().run(job, {
    signal,
    owner: accountId,
    openTimeoutMs: OPEN_TIMEOUT_MS,
    toolTimeoutMs: TOOL_TIMEOUT_MS,
  })
}
