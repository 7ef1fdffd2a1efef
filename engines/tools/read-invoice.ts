import * as z from 'zod'
import { readInvoicePdf, readInvoiceXml } from '../features/invoice/reading/read-invoice'
import { outputNameOption } from '../options/schemas'
import { defineTool, toJson } from './define'
import { INVOICE_DATA } from './reports'

export const readInvoice = defineTool({
  id: 'read-invoice',
  title: 'Read electronic invoice',
  summary:
    'Reads an electronic invoice from a PDF or XML file and returns it as JSON. The response has the broken rules, and ' +
    'the differences between the XML and the pages.',
  files: 'one',
  accepts: 'pdf-or-xml',
  suffix: 'invoice',
  group: 'Create',
  tagline: 'Factur-X, XRechnung and Peppol as JSON.',
  responses: 'application/json',
  report: INVOICE_DATA,
  warnings: ['several-invoices'],
  step: { result: () => 'other' },
  options: z.strictObject({ outputName: outputNameOption('invoice-data.json') }),
  sections: [
    {
      heading: 'What it reads',
      paragraphs: [
        'A PDF with an invoice inside: Factur-X, ZUGFeRD 1 and 2, or XRechnung. Or the XML file itself: UN/CEFACT ' +
          'Cross Industry Invoice (CII), or UBL 2.1 Invoice and CreditNote.',
        'Sheaf finds attached invoices by name, type and content, also in annotations. If a PDF has several invoices, ' +
          'Sheaf reads the one that the XMP metadata or `AFRelationship` names. The warning `several-invoices` says so, ' +
          'and `source.others` names the others.',
        'A PDF without an invoice inside, or XML that is not an invoice, returns `422 pdf_tool_processing_failed`.',
      ],
    },
    {
      heading: 'The response',
      paragraphs: [
        '`invoice` is the body of a request to the invoice endpoint. Its `totals` come from the file, so the endpoint ' +
          'compares them with its own amounts.',
        '`invalid` lists up to 100 values that a request can’t have, such as the date `2026-13-99`. Each has `param`, ' +
          '`value` and `message`. `invoice` doesn’t have these values. A list with too many entries stays complete.',
        '`lines` has all lines of a Factur-X EXTENDED invoice that has groups of lines, in their order. Lines of type ' +
          '`GROUP` and `INFORMATION` are not billed. They are not in the items of `invoice`, and not in any sum. ' +
          '`lines` is `null` for other invoices.',
        '`source` says how the invoice is written: `file`, `syntax`, `specification`, and the `rules` that were checked.',
        '`brokenRules` lists each broken rule with `rule`, `param` and `message`. If a rule forbids empty elements, ' +
          '`param` is the path of the element. It is `null` if Sheaf has no rules for the format, such as ZUGFeRD 1.',
        '`differences` lists values of the XML that the pages do not show. Sheaf compares amounts, prices, quantities, ' +
          'units, the currency, dates, names, numbers and payment terms in all usual forms. It compares up to 1,000 ' +
          'items. It is `null` for XML, and for pages without text.',
        '`stated` has amounts as texts, as the file states them. `stated.items` lists the amount of each item, or `null`. ' +
          '`stated.taxes` lists objects with `base`, `tax`, `category`, `percent`, `exemptionReason` and ' +
          '`exemptionCode`, as far as the file has them. `stated.otherTaxes` ' +
          'lists taxes that aren’t VAT, with their `type`.',
        '`unknown` lists up to 100 elements and attributes of the file that have no field in `invoice`.',
      ],
    },
    {
      heading: 'What it does not check',
      paragraphs: [
        'Sheaf checks business rules. It does not check the XML against a schema. It does not check whether tax ' +
          'numbers and accounts exist.',
      ],
    },
  ],
  examples: [{ title: 'Read an invoice', options: {} }],
  async read([file], _, context) {
    const report = file.document ? await readInvoicePdf(file.document) : readInvoiceXml(file.bytes)
    if (report.source.others?.length) context.warn('several-invoices')
    return toJson(report)
  },
})
