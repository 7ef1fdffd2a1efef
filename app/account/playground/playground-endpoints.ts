import { type Endpoint, listEndpoints } from '../../../lib/docs/endpoints'
import { SHOWCASE } from '../../../lib/docs/start-page/showcase'
import { applies } from '../../_ui/playground/form/applicable-fields'
import type { FieldCondition } from '../../../engines/options/form-hints'
import type { Field, JsonObject, StepChoice } from '../../_ui/playground/form/field-shapes'
import type { PageEditor, PlaygroundEndpoint } from '../../_ui/playground/request/playground-endpoint'
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
  'draft.pdf',
  'payslip.pdf',
  'invoice-classic.pdf',
  'invoice-japanese.pdf',
]
const SAMPLES: Record<Endpoint['files'], string[]> = {
  one: PDF_SAMPLES,
  many: PDF_SAMPLES,
  html: ['page.html'],
  none: [],
}

/** Samples of endpoints whose first options need certain content, such as five pages, a large page, a form or a scan. */
const SAMPLES_BY_SLUG = new Map([
  ['crop-pdf', PDF_SAMPLES.filter(name => !['scan.pdf', 'payslip.pdf'].includes(name))],
  ['delete-pages', ['report.pdf']],
  ['extract-pages', ['report.pdf']],
  ['organize-pdf', ['report.pdf']],
  ['rotate-pdf', ['report.pdf']],
  ['split-pdf', ['report.pdf']],
  ['form-filler', ['form.pdf']],
  ['pdf-ocr', ['scan.pdf']],
  ['unlock-pdf', ['locked.pdf']],
  ['compare-pdfs', ['contract-1.pdf', 'contract-2.pdf']],
  ['images-to-pdf', ['receipt.jpg', 'chart.png']],
  ['pipeline', [...PDF_SAMPLES, 'receipt.jpg', 'page.html', 'xrechnung.xml']],
  ['read-invoice', ['e-invoice.pdf', 'xrechnung.xml', 'peppol.xml']],
])

/** Requests to begin with, if it isn't the first example of the documentation with its files. */
const STARTS = new Map<string, PlaygroundEndpoint['start']>([
  ['pdf-redaction', { files: [SHOWCASE.file], options: SHOWCASE.options }],
  // The sample page works on a server without access to the internet.
  ['webpage-to-pdf', { files: ['page.html'], options: { pageSize: 'A4' } }],
])

/** Endpoints whose options can be set on the pages of the file. */
const EDITORS = new Map<string, PageEditor>([
  ['pdf-redaction', 'redaction'],
  ['form-filler', 'fields'],
  ['crop-pdf', 'crop'],
  ['add-watermark', 'marks'],
  ['page-numbers', 'marks'],
  ['header-footer', 'marks'],
  ['organize-pdf', 'order'],
  ['delete-pages', 'deletion'],
  ['extract-pages', 'extraction'],
  ['rotate-pdf', 'rotation'],
])

/** Returns an operation as plain data for the browser. */
export function describePlaygroundEndpoint(endpoint: Endpoint): PlaygroundEndpoint {
  const { slug, title, path, files, sampleFiles, optionsKey, schema, responseName } = endpoint
  const fields = describeForm(schema).map(field => (slug === 'pipeline' ? withStepForms(field) : field))
  // Examples are JSON, because clients send them.
  const examples = endpoint.examples.map(example => ({ title: example.title, options: example.options as JsonObject }))
  const start = STARTS.get(slug) ?? { files: [...sampleFiles], options: examples[0]?.options ?? {} }
  const usedOptions = new Set([start, ...examples].flatMap(({ options }) => Object.keys(options)))
  const isFront = ({ name, isRequired }: Field) => isRequired || usedOptions.has(name) || fields.length <= FEW_FIELDS
  const frontFields = new Set(fields.filter(isFront).map(({ name }) => name))
  // A field that appears as soon as a visible one has a certain value is visible too.
  const followsFront = (field: Field) =>
    !applies(field, fields, {}) && (field.appliesIf ?? []).some(condition => hasOnly(frontFields, condition))
  const editor = EDITORS.get(slug)
  return {
    ...(editor ? { editor } : {}),
    slug,
    title,
    path,
    files,
    fileCount: endpoint.fileCount,
    accepts: slug === 'pipeline' ? 'any' : endpoint.accepts,
    optionsKey,
    fields,
    frontFields: fields.filter(field => frontFields.has(field.name) || followsFront(field)).map(({ name }) => name),
    examples,
    responseName,
    start,
    samples: SAMPLES_BY_SLUG.get(slug) ?? SAMPLES[files],
  }
}

/** The members of a step that have the fields of another endpoint. A tool is named in `tool`. */
const STEP_MEMBERS = new Map<string, StepChoice['member']>([
  ['webpage-to-pdf', 'webpage'],
  ['invoice-generator', 'invoice'],
])

/** Gives the steps of a pipeline a control that loads the form of each step's operation. */
function withStepForms(field: Field): Field {
  const { shape } = field
  if (shape.kind !== 'list' || shape.item.kind !== 'object') return field
  const { most = Infinity, item } = shape
  const [files, as] = ['files', 'as'].map(name => item.fields.find(one => one.name === name))
  if (!files || !as) return field
  const choices = listEndpoints()
    .filter(({ slug }) => slug !== 'pipeline')
    .map(({ slug, title }) => ({ slug, title, member: STEP_MEMBERS.get(slug) ?? 'tool' }) as const)
  return { ...field, shape: { kind: 'steps', choices, most, files, as } }
}

/** Returns whether a condition is about these fields only. */
function hasOnly(names: ReadonlySet<string>, condition: FieldCondition): boolean {
  return Object.keys(condition).every(name => names.has(name))
}
