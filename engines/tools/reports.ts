import * as z from 'zod'
import type { Report } from '../standards/conformance/examination/report'
import { PROFILES } from '../standards/conformance/examination/profiles'
import type { ProfileId } from '../standards/conformance/examination/profiles'
import { CLIENT_TYPE } from '../options/alternatives'

/** The JSON of a response, for the OpenAPI document and the clients. */
export interface ReportDeclaration {
  /** The name of its type. */
  name: string
  schema: z.ZodType
}

const count = (text: string) => z.int().min(0).describe(text)
const pageNumber = z.int().min(1).describe('The page number, from 1.')
const box = z
  .strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe('A rectangle in points, from the lower-left corner of the page as displayed.')
const rule = { clause: z.string(), test: z.int() }

const validation: z.ZodType<Report> = z
  .strictObject({
    conforms: z
      .boolean()
      .nullable()
      .describe('`false` if a rule is broken. Otherwise, `null` if a rule could not be decided.'),
    // The object literal has exactly these keys.
    profile: z.enum(Object.keys(PROFILES) as [ProfileId, ...ProfileId[]]),
    failures: z
      .array(
        z.strictObject({
          ...rule,
          message: z.string().describe('What the rule requires.'),
          count: count('How often the rule is broken.'),
          places: z
            .array(
              z.strictObject({
                page: pageNumber.optional(),
                object: z.string().optional().describe('Object and generation number, such as `12 0`.'),
                found: z.string(),
              }),
            )
            .describe('The first ten places.'),
        }),
      )
      .describe('The broken rules.'),
    undecided: z.array(z.strictObject(rule)).describe('Rules that apply but could not be decided.'),
  })
  .meta({ id: 'ValidationReport' })

/** The verdicts of a validation. */
export const VALIDATION_REPORTS: ReportDeclaration = {
  name: 'ValidationReports',
  schema: z.union([
    validation,
    z.strictObject({ reports: z.array(validation) }).describe('If the file claims several standards.'),
  ]),
}

const changedText = z.strictObject({ page: pageNumber, text: z.string(), boxes: z.array(box) }).nullable()
const changedArea = z.strictObject({ before: box, after: box })
const size = z.strictObject({ width: z.number(), height: z.number(), rotation: z.number() }).nullable()
const pageChange = z.enum(['same', 'changed', 'inserted', 'removed', 'moved'])
const textChange = z.enum(['replaced', 'removed', 'inserted', 'moved'])

/** The changes between two files. */
export const COMPARISON: ReportDeclaration = {
  name: 'Comparison',
  schema: z.strictObject({
    equal: z.boolean().describe('`true` if nothing changed.'),
    changes: count('The number of all changes.'),
    totals: z.strictObject({
      pages: z.strictObject({
        before: count('Pages of the first file.'),
        after: count('Pages of the second file.'),
        ...Object.fromEntries(pageChange.options.map(option => [option, count(`Pages that are ${option}.`)])),
      }),
      text: z.strictObject(
        Object.fromEntries(textChange.options.map(option => [option, count(`Texts that are ${option}.`)])),
      ),
      visual: count('Areas that look different.'),
    }),
    pages: z.array(
      z.strictObject({
        before: pageNumber.nullable(),
        after: pageNumber.nullable(),
        change: pageChange,
        text: z.array(
          z.strictObject({
            kind: textChange,
            removed: changedText,
            inserted: changedText,
            areas: z.array(changedArea).describe('Areas around the text that look different too.'),
          }),
        ),
        visual: z.array(changedArea),
        size: z.strictObject({ before: size, after: size }).nullable().describe('`null` if the size did not change.'),
        reflowed: z.boolean().describe('`true` if text moved to or from another page.'),
        textCompared: z.boolean(),
        visualComparison: z.enum(['rendered', 'identical', 'off', 'failed']).nullable(),
      }),
    ),
  }),
}

const amount = z.string().optional()
const difference = z.strictObject({ param: z.string(), value: z.string(), message: z.string() })

/** What an electronic invoice says. */
export const INVOICE_DATA: ReportDeclaration = {
  name: 'InvoiceData',
  schema: z.strictObject({
    source: z
      .strictObject({
        file: z.string().optional().describe('Name of the XML file in the PDF.'),
        others: z.array(z.string()).optional().describe('Names of other invoices in the PDF, which were not read.'),
        syntax: z.enum(['cii', 'ubl', 'zugferd-1']),
        specification: z.string().nullable().describe('The specification that the invoice names.'),
        rules: z
          .enum(['en16931', 'xrechnung', 'peppol', 'facturx-basic', 'facturx-en16931', 'facturx-extended'])
          .nullable()
          .describe('The rules that were checked.'),
      })
      .describe('How the invoice is written.'),
    invoice: z
      .record(z.string(), z.unknown())
      .meta({ [CLIENT_TYPE]: 'invoice-generator' })
      .describe('The invoice as the body of a request to the invoice endpoint.'),
    invalid: z
      .array(difference)
      .describe('Values of the file that a request cannot have. They are missing in `invoice`.'),
    stated: z
      .strictObject({
        items: z.array(z.string().nullable()),
        taxes: z.array(
          z.strictObject({
            base: amount,
            tax: amount,
            category: amount,
            percent: amount,
            exemptionReason: amount,
            exemptionCode: amount,
          }),
        ),
        otherTaxes: z
          .array(z.strictObject({ type: z.string(), base: amount, tax: amount, category: amount, percent: amount }))
          .describe('Taxes that are not VAT.'),
      })
      .describe('Amounts of the items and the taxes, as the file states them.'),
    lines: z
      .array(
        z.strictObject({
          lineId: z.string().nullable(),
          parentLineId: z.string().nullable().describe('The line that this line belongs to.'),
          type: z.string().nullable().describe('`DETAIL`, `GROUP` or `INFORMATION`.'),
          isBilled: z.boolean().describe('If `true`, the items of `invoice` have this line too.'),
          amount: z.string().nullable().describe('The amount, as the file states it.'),
          item: z.record(z.string(), z.unknown()).describe('Fields of the line, with the names of item fields.'),
        }),
      )
      .nullable()
      .describe('All lines of an EXTENDED invoice that has groups of lines. Otherwise `null`.'),
    brokenRules: z
      .array(z.strictObject({ rule: z.string(), param: z.string(), message: z.string() }))
      .nullable()
      .describe('`null` if no rules were checked.'),
    differences: z
      .array(difference)
      .nullable()
      .describe('Values that the pages do not show. `null` without pages, or if they have no text.'),
    unknown: z.array(z.string()).describe('Elements and attributes that have no field in `invoice`.'),
  }),
}

const lines = z.array(
  z.strictObject({
    text: z.string(),
    box,
    fontSize: z.number().describe('In points.'),
    isBold: z.boolean(),
    words: z.array(
      z.strictObject({
        text: z.string(),
        box,
        confidence: z.number().optional().describe('From 0 to 100, if the text was recognized.'),
      }),
    ),
  }),
)

/** The text of a file in blocks, lines and words. */
export const EXTRACTED_DOCUMENT: ReportDeclaration = {
  name: 'ExtractedDocument',
  schema: z.strictObject({
    pages: z.array(
      z.strictObject({
        page: pageNumber,
        width: z.number().describe('Width of the displayed page in points.'),
        height: z.number().describe('Height of the displayed page in points.'),
        source: z.enum(['tags', 'layout', 'ocr', 'none']).describe('Where the text and its order come from.'),
        blocks: z.array(
          z.strictObject({
            type: z.enum([
              'paragraph',
              'heading',
              'list-item',
              'table',
              'caption',
              'code',
              'quote',
              'figure',
              'header',
              'footer',
            ]),
            level: z.int().optional().describe('Level of a heading, or depth of a list item, from 1.'),
            marker: z.string().optional().describe('Mark of a list item, such as `•` or `2.`.'),
            alternativeText: z.string().optional(),
            text: z.string(),
            box: box.nullable(),
            lines: lines.optional().describe('Missing for tables.'),
            rowCount: z.int().optional(),
            columnCount: z.int().optional(),
            cells: z
              .array(
                z.strictObject({
                  row: z.int(),
                  column: z.int(),
                  rowSpan: z.int(),
                  columnSpan: z.int(),
                  isHeader: z.boolean(),
                  text: z.string(),
                  box: box.nullable(),
                  lines,
                }),
              )
              .optional()
              .describe('Only for tables.'),
          }),
        ),
        links: z
          .array(z.strictObject({ text: z.string(), url: z.string(), box }))
          .describe('Links to URLs with the words below them, in the order of the annotations.'),
      }),
    ),
  }),
}

const confidence = z.number().nullable().describe('From 0 to 100. `null` without recognized words.')

/** The text that was recognized, with its words. */
export const RECOGNIZED_DOCUMENT: ReportDeclaration = {
  name: 'RecognizedDocument',
  schema: z.strictObject({
    languages: z.array(z.string()),
    confidence,
    pages: z.array(
      z.strictObject({
        page: pageNumber,
        width: z.number().describe('Width of the displayed page in points.'),
        height: z.number().describe('Height of the displayed page in points.'),
        source: z.enum(['ocr', 'text']),
        confidence,
        text: z.string(),
        words: z.array(
          z.strictObject({
            text: z.string(),
            confidence,
            box,
            block: z.int(),
            paragraph: z.int(),
            line: z.int(),
          }),
        ),
      }),
    ),
  }),
}

const place = { page: pageNumber.nullable(), rect: box.nullable() }

/** The fields of a form. */
export const FORM_FIELDS: ReportDeclaration = {
  name: 'FormFields',
  schema: z.strictObject({
    count: count('The number of fields.'),
    hasXfa: z.boolean(),
    fields: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(['text', 'checkbox', 'radio', 'dropdown', 'list', 'button', 'signature', 'unknown']),
        value: z.union([z.string(), z.array(z.string()), z.boolean()]).nullable(),
        options: z
          .array(z.strictObject({ value: z.string(), label: z.string() }))
          .optional()
          .describe('Values that a request may set.'),
        ...place,
        label: z.string().nullable(),
        hidden: z.boolean(),
        readOnly: z.boolean(),
        required: z.boolean(),
        multiline: z.boolean().optional(),
        password: z.boolean().optional(),
        comb: z.boolean().optional(),
        maxLength: z.int().optional(),
        editable: z.boolean().optional(),
        multiSelect: z.boolean().optional(),
        places: z.array(z.strictObject(place)).optional().describe('All places, if there are several.'),
      }),
    ),
  }),
}
