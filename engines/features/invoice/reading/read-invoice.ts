import { EngineError, isEngineError } from '../../../errors'
import { SPECIFICATIONS } from '../../../standards/einvoice/formats'
import type { RuleSet } from '../../../standards/einvoice/formats'
import type { ElectronicInvoice, InvoiceLine, OtherTax } from '../../../standards/einvoice/model'
import { readXml } from '../../../standards/einvoice/read/read-xml'
import { ruleSetOf } from '../../../standards/einvoice/read/rule-set'
import { findBrokenRules } from '../../../standards/einvoice/format-rules/find-broken-rules'
import type { BrokenRule } from '../../../standards/einvoice/rules/rule'
import type { PdfDocument } from '../../../pdf/document'
import { fromElectronic, writeLine } from '../electronic/from-electronic'
import type { InvoiceRequest } from '../electronic/from-electronic'
import { compareWithPages } from './compare-page'
import type { Difference } from './compare-page'
import { findInvoiceXml, isInvoice } from './find-invoice-xml'
import { separateInvalid } from './separate-invalid'
import type { InvalidValue } from './separate-invalid'

/** What an electronic invoice says. */
export interface InvoiceReport {
  /** How the invoice is written. */
  source: {
    /** Name of the XML file in the PDF. Missing if the request has XML. */
    file?: string
    /** Names of other invoices in the PDF, which were not read. Missing if there are none. */
    others?: string[]
    syntax: 'cii' | 'ubl' | 'zugferd-1'
    /** The specification that the invoice names. */
    specification: string | null
    /** The rules that were checked. Null if Sheaf has no rules for the specification. */
    rules: RuleSet | null
  }
  /** The invoice as a request to the invoice endpoint. */
  invoice: Partial<InvoiceRequest>
  /** Values of the file that a request can't have. They are missing in `invoice`. */
  invalid: InvalidValue[]
  /** Amounts that the invoice states and a request doesn't. */
  stated: { items: (string | null)[]; taxes: ElectronicInvoice['taxes']; otherTaxes: OtherTax[] }
  /** All lines of an EXTENDED invoice that has groups of lines. Null for other invoices. */
  lines: LineReport[] | null
  /** Rules that the invoice breaks. Null if no rules were checked. */
  brokenRules: BrokenRule[] | null
  /** Values that the XML has and the pages don't show. Null if there are no pages, or if they have no text. */
  differences: Difference[] | null
  /** Elements and attributes that have no field in `invoice`. */
  unknown: string[]
}

/** A line of an EXTENDED invoice that has groups of lines. */
export interface LineReport {
  lineId: string | null
  /** The line that this line belongs to. */
  parentLineId: string | null
  /** `DETAIL`, `GROUP` or `INFORMATION`. */
  type: string | null
  /** If `true`, `items` of the invoice has the line too. */
  isBilled: boolean
  /** The amount, as the file states it. */
  amount: string | null
  /** Its fields, named as those of an item. */
  item: object
}

/** Maximum length of a file name in a message. */
const MAX_NAME = 100

type Read = ReturnType<typeof readXml>

/** Reads an invoice in XML. Throws EngineError `damaged`. */
export function readInvoiceXml(bytes: Uint8Array): InvoiceReport {
  return toReport(readWhole(bytes), {})
}

/**
 * Reads the invoice that a PDF contains, and compares it with the pages. Throws EngineError `options_invalid` if the PDF
 * contains none.
 */
export async function readInvoicePdf(document: PdfDocument): Promise<InvoiceReport> {
  const { name, read, others } = findInvoice(document)
  const differences = await compareWithPages(document, read.invoice)
  return toReport(read, { file: name, others, differences })
}

/** Reads XML. Throws EngineError `damaged` also if it has nothing of an invoice, such as without namespaces. */
function readWhole(bytes: Uint8Array): Read {
  const read = readXml(bytes)
  const { invoiceNumber, from, items, lines = items } = read.invoice
  if (invoiceNumber !== undefined || from.name !== undefined || lines.length > 0) return read
  throw new EngineError(
    'not_an_invoice',
    'The XML has no number, no seller and no item of an invoice. All its elements must be in the namespaces of ' +
      `${read.syntax === 'ubl' ? 'UBL' : 'CII'}.`,
  )
}

interface Found {
  name: string
  read: Read
  /** Names of further files that look like invoices. */
  others: string[]
}

/** Takes the first file that is an invoice. Copies of it don't count as others. */
function findInvoice(document: PdfDocument): Found {
  let failure: EngineError | undefined
  let found: (Found & { bytes: Uint8Array }) | undefined
  for (const { name, bytes } of findInvoiceXml(document)) {
    if (found) {
      if (!(bytes instanceof EngineError) && isInvoice(bytes) && !Buffer.from(found.bytes).equals(bytes))
        found.others.push(name.slice(0, MAX_NAME))
      continue
    }
    try {
      if (bytes instanceof EngineError) throw bytes
      found = { name, bytes, read: readWhole(bytes), others: [] }
    } catch (error) {
      if (!isEngineError(error)) throw error
      failure ??= new EngineError(error.reason, `The attached file ${name.slice(0, MAX_NAME)}: ${error.message}`, {
        param: 'file',
        cause: error,
      })
    }
  }
  if (found) return found
  throw (
    failure ??
    new EngineError(
      'not_an_invoice',
      'The PDF has no invoice in it. Send a Factur-X, ZUGFeRD or XRechnung PDF, or the XML itself.',
      { param: 'file' },
    )
  )
}

/**
 * Writes the report on an invoice that was read. Only an invoice in a PDF has a file name, other files and differences.
 */
function toReport(
  { invoice, syntax, unknown, empty }: Read,
  { file, others, differences }: { file?: string; others?: string[]; differences?: Difference[] | undefined },
): InvoiceReport {
  const ruleSet = ruleSetOf(invoice)
  const request = fromElectronic(invoice)
  const invalid = separateInvalid(request)
  const rules = syntax !== 'zugferd-1' && isRuleSet(ruleSet) ? ruleSet : undefined
  return {
    source: {
      ...(file !== undefined && { file }),
      ...(others?.length && { others }),
      syntax,
      specification: invoice.specification ?? null,
      rules: rules ?? null,
    },
    invoice: request,
    invalid,
    stated: {
      items: invoice.items.map(({ amount }) => amount ?? null),
      taxes: invoice.taxes,
      otherTaxes: invoice.otherTaxes ?? [],
    },
    lines: invoice.lines?.map(describeLine) ?? null,
    brokenRules: rules
      ? findBrokenRules(invoice, { ruleSet: rules, syntax: syntax === 'ubl' ? 'ubl' : 'cii', empty })
      : null,
    differences: differences ?? null,
    unknown,
  }
}

function describeLine({ lineId, parentLineId, type, item, isBilled }: InvoiceLine, index: number): LineReport {
  return {
    lineId: lineId ?? null,
    parentLineId: parentLineId ?? null,
    type: type ?? null,
    isBilled,
    amount: item.amount ?? null,
    item: writeLine(item, index),
  }
}

function isRuleSet(name: string | undefined): name is RuleSet {
  return name !== undefined && Object.hasOwn(SPECIFICATIONS, name)
}
