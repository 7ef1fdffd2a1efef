import { INVOICE_JOB, invoiceFields } from '../../engines/features/invoice/data/invoice'
import { sellsAbroad } from '../../engines/features/invoice/input/assumed-currency'
import type { Problem } from '../../engines/errors'
import type { Job } from '../../engines/types'
import { getConfig } from '../config'
import { getEngines } from '../running-engines'
import type { Body, BodyFile } from '../body/body'
import { createRefusal, writeByteLimit } from '../refusal'
import { checkFields, type FieldHints } from './check-fields'
import { INVOICE_FORM_NAMES, INVOICE_JSON_FIELDS, INVOICE_LIST_FIELDS, readInvoiceFields } from './invoice-form'
import type { Operation, PreparedRequest, RunContext } from './operation'
import { validate } from './validate'

const CODE = 'invalid_invoice_payload'

/** Room for a thousand items with long texts. */
const MAX_STRUCTURE_BYTES = 4 * 2 ** 20
/** Room for a logo as a `data:` URL. */
const MAX_LONG_BYTES = 16 * 2 ** 20

const MAX_LOGO_BYTES = 10 * 2 ** 20

/** Maximum number of problems in a response. An electronic invoice can break many rules. */
const MAX_PROBLEMS = 100

/** Fields that are files in a form. In JSON, the logo is a field. */
const FILE_FIELDS = ['logo']

/** The invoice generator. */
export const invoiceOperation: Operation = {
  id: 'invoice-generator/pdf',
  refusalCode: CODE,
  failureCode: 'invoice_pdf_generation_failed',
  crashCode: 'invoice_pdf_generation_failed',
  bodyRules: {
    fileFields: [],
    jsonFields: INVOICE_JSON_FIELDS,
    textFields: [
      ...INVOICE_FORM_NAMES,
      ...Object.keys(invoiceFields.shape).filter(name => !FILE_FIELDS.includes(name)),
    ],
    listFields: INVOICE_LIST_FIELDS,
    longFields: FILE_FIELDS,
    maxLongBytes: MAX_LONG_BYTES,
    maxStructureBytes: MAX_STRUCTURE_BYTES,
    maxFieldBytes: MAX_LONG_BYTES,
  },
  parse,
}

async function parse({ encoding, fields, files }: Body, hints: FieldHints): Promise<PreparedRequest> {
  const { invoice, problems: misplaced } = readInvoiceFields({ encoding, fields })
  const known = { schema: invoiceFields, names: INVOICE_FORM_NAMES, fileFields: FILE_FIELDS }
  const checked = checkFields({ fields: invoice, files }, known, hints)
  const { logo, problems: logoProblems } = readLogo(checked.files, checked.ignoredFiles)
  const parsed = await validate(invoiceFields, checked.fields, {
    sent: invoice,
    name: '',
    names: INVOICE_FORM_NAMES,
    most: MAX_PROBLEMS,
  })
  const problems = [
    ...checked.problems,
    ...logoProblems,
    ...misplaced,
    ...(misplaced.length > 0 ? [] : (parsed.problems ?? [])),
  ]
  if (logo && parsed.data?.logo)
    problems.push({ param: 'logo', message: 'was sent as a file and as a field. Send only one of them.' })
  if (!parsed.data || problems.length > 0) throw createRefusal(CODE, problems)
  const { logo: sentLogo, ...options } = parsed.data
  const image = logo ?? (sentLogo && decodeLogo(sentLogo))
  const job = { tool: INVOICE_JOB, options, files: image ? [image] : [], limits: getConfig().limits }
  return {
    warnings: [
      ...(checked.ignored.length > 0 ? (['unknown-field'] as const) : []),
      ...(checked.fields.currency === undefined && sellsAbroad(options) ? (['currency-assumed'] as const) : []),
    ],
    unknownFields: checked.ignored,
    job,
    run: context => run(job, context),
  }
}

/** A file in an unknown field was probably meant as the logo if there is none. */
function readLogo(files: BodyFile[], ignored: BodyFile[]): { logo: BodyFile | undefined; problems: Problem[] } {
  const [logo] = files
  const refuse = (message: string, param = 'logo') => ({ logo: undefined, problems: [{ param, message }] })
  const [stray] = ignored
  if (!logo && stray)
    return refuse('is a file in an unknown field. Send the logo in the file field "logo".', stray.field.slice(0, 200))
  if (!logo) return { logo, problems: [] }
  if (files.length > 1) return refuse('was sent twice. Send one image.')
  if (logo.byteLength === 0) return refuse('is empty. Send a PNG or JPEG image.')
  if (logo.byteLength > MAX_LOGO_BYTES)
    return refuse(`must be at most ${writeByteLimit(MAX_LOGO_BYTES)}. Got ${logo.byteLength} bytes.`)
  return { logo, problems: [] }
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
