import { z } from 'zod'
import { EngineError } from '../errors'
import type { Problem } from '../errors'
import type { PdfDocument } from '../pdf-core/document'
import { flatten } from '../pdf-core/flatten'
import { findNearestName } from '../pdf-core/nearest'
import { outputNameOption } from '../pdf-core/schemas'
import { readTerminalFields } from '../pdf-core/terminal-fields'
import { defineTool } from './define'

export const flattenPdf = defineTool({
  id: 'flatten-pdf',
  title: 'Flatten',
  summary: 'Draws form fields and annotations into the pages, where text stays text and lines stay lines; links stay.',
  files: 'one',
  suffix: 'flattened',
  answers: 'application/pdf',
  options: z.strictObject({
    forms: z.boolean().default(true).describe('Draw form fields, signatures too, and remove the form. A value without appearance that Helvetica can\'t show keeps its field.'),
    annotations: z.boolean().default(true).describe('Draw all annotations but links. One that the file gives no appearance stays, because every reader draws it differently; files attached to drawn ones go with them.'),
    annotationView: z.enum(['screen', 'print', 'all']).default('screen').describe('Which annotations and fields are drawn: as seen on screen, as printed, or all that are not hidden. The others are removed without being drawn.'),
    keepFields: z.array(z.string().min(1).max(500)).max(1000).default([]).describe('Full names of fields that stay fillable when forms are flattened; none by default.'),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Flatten fields and annotations', options: {} },
    { title: 'Flatten the form only, as it would be printed', options: { annotations: false, annotationView: 'print' } },
  ],
  async edit(document, { forms, annotations, annotationView, keepFields }) {
    await flatten(document, { forms, annotations, view: annotationView, keep: knownFields(document, keepFields) })
  },
})

/** Faults for which the name that was meant is looked for, which takes time in a form of thousands of fields. */
const MAX_HINTS = 3

function knownFields(document: PdfDocument, wanted: string[]): ReadonlySet<string> {
  if (wanted.length === 0) return new Set()
  const known = new Set(readTerminalFields(document).map(field => field.name))
  const problems: Problem[] = []
  for (const [index, name] of wanted.entries()) {
    if (known.has(name)) continue
    const param = `options.keepFields[${index}]`
    const nearest = problems.length < MAX_HINTS ? findNearestName(name, [...known]) : undefined
    const hint = known.size === 0 ? 'this document has no fields' : nearest === undefined ? `this document has ${known.size.toLocaleString('en')} fields with other names` : `did you mean "${nearest}"?`
    problems.push({ param, message: `${param}: there is no field "${name}"; ${hint}` })
  }
  if (problems[0]) throw new EngineError('bad-options', problems[0].message, { problems })
  return new Set(wanted)
}
