import type { DocumentedCall } from '../../../lib/docs/documented-calls'
import type { JsonObject } from '../../_ui/playground/form/field-shapes'
import type { PlaygroundCall } from '../../_ui/playground/request/playground-call'
import { describeForm } from './describe-form'

/** Up to this number of fields, all of them are always visible. */
const FEW_FIELDS = 8

/** Sample PDFs under `/samples`. */
const PDF_SAMPLES = [
  'report.pdf',
  'letter.pdf',
  'terms.pdf',
  'form.pdf',
  'scan.pdf',
  'invoice-classic.pdf',
  'invoice-japanese.pdf',
]
const SAMPLES: Record<DocumentedCall['files'], string[]> = {
  one: PDF_SAMPLES,
  many: PDF_SAMPLES,
  html: ['page.html'],
  none: [],
}

/** Returns an operation as plain data for the browser. */
export function describePlaygroundCall(call: DocumentedCall): PlaygroundCall {
  const { slug, title, path, files, optionsKey, schema, responseName } = call
  const fields = describeForm(schema)
  // Examples are JSON, because clients send them.
  const examples = call.examples.map(example => ({ title: example.title, options: example.options as JsonObject }))
  const usedOptions = new Set(examples.flatMap(({ options }) => Object.keys(options)))
  const isFront = ({ name, isRequired }: { name: string; isRequired: boolean }) =>
    isRequired || usedOptions.has(name) || fields.length <= FEW_FIELDS
  return {
    slug,
    title,
    path,
    files,
    optionsKey,
    fields,
    frontFields: fields.filter(isFront).map(({ name }) => name),
    examples,
    responseName,
    samples: SAMPLES[files],
  }
}
