import * as z from 'zod'
import { listTools } from '../../engines/tools/registry'
import { boundedRecord, boundedText } from '../../engines/options/bounded-text'
import { inForm } from '../../engines/options/form-hints'
import { outputNameOption } from '../../engines/options/schemas'

/** Maximum number of steps. */
export const MAX_STEPS = 20
/** Maximum length of a name that a step gives to its result, or reads. */
const MAX_NAME = 255

const name = boundedText(MAX_NAME).min(1)

/** The fields of another endpoint, which checks them. */
const anyFields = boundedRecord(boundedText(MAX_NAME), z.unknown(), 1000, 'fields')

const step = z
  .strictObject({
    tool: z
      .enum(listTools().map(({ id }) => id) as [string, ...string[]])
      .optional()
      .describe('ID of a PDF tool. Each step has one of `tool`, `webpage` and `invoice`.'),
    options: anyFields.optional().describe('The options of the tool, as in a request to it.'),
    webpage: anyFields
      .optional()
      .describe('The fields of a request to [web page to PDF](/docs/webpage-to-pdf). The result is its PDF.'),
    invoice: anyFields
      .optional()
      .describe(
        'The fields of a request to the [invoice generator](/docs/invoice-generator). The result is the invoice.',
      ),
    files: z
      .array(name)
      .min(1)
      .max(100)
      .optional()
      .describe(
        'The files that the step reads, in this order: names of uploads, or names that earlier steps gave with `as`. ' +
          'Default: all uploads for the first step, and the result before it for any other step. A `webpage` reads no ' +
          'file unless you name one. For an `invoice`, it is the logo.',
      ),
    as: name
      .optional()
      .describe('A name for the result, so that later steps can read it.')
      .meta(inForm({ label: 'Name of the result' })),
  })
  .superRefine((value, context) => {
    const kinds = (['tool', 'webpage', 'invoice'] as const).filter(kind => value[kind] !== undefined)
    if (kinds.length !== 1)
      context.addIssue({
        code: 'custom',
        message: `must have one of tool, webpage and invoice. Got ${kinds.length === 0 ? 'none' : kinds.join(' and ')}.`,
      })
    if (value.options !== undefined && value.tool === undefined && kinds.length === 1)
      context.addIssue({
        code: 'custom',
        path: ['options'],
        message: `only applies to tool. Send the fields inside "${kinds.join('')}".`,
      })
  })

/** A step as the client sent it. */
export type SentStep = z.output<typeof step>

/** The fields of a pipeline besides its files. */
export const pipelineFields = z.strictObject({
  steps: z
    .array(step)
    .min(1)
    .max(MAX_STEPS)
    .describe('The steps in order, such as `{"tool": "rotate-pdf", "options": {…}}`.'),
  receipt: z
    .boolean()
    .default(false)
    .describe(
      'If `true`, the response is a ZIP of the file and `receipt.json`. The receipt lists each step with its options, ' +
        'warnings, time, and the SHA-256 of its files. It also says which promises were checked.',
    ),
  outputName: outputNameOption('report-numbered.pdf'),
})
