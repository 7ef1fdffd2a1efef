import * as z from 'zod'
import { boundedText } from '../options/bounded-text'
import { drawMissingAnnotations, flatten } from '../pdf/annotations'
import { dropLayers, hasLayers, removeHiddenAnnotations, removeHiddenContent } from '../pdf/rewrite-content'
import { drawMissingAppearances, readTerminalFields } from '../pdf/forms'
import type { PdfDocument } from '../pdf/document'
import { HiddenLayers } from '../pdf/document'
import { rasterize } from '../pdf/render'
import { EngineError } from '../errors'
import type { Problem } from '../errors'
import { findNearestName } from '../options/nearest-name'
import { outputNameOption, xfaOption } from '../options/schemas'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'
import { blameIn } from '../options/checks'

const DPI = 150

export const flattenPdf = defineTool({
  id: 'flatten-pdf',
  title: 'Flatten',
  summary:
    'Draws form fields and annotations into the page content, as text and lines. With `rasterize`, turns pages into ' +
    'images instead. Links stay unless you remove them.',
  files: 'one',
  suffix: 'flattened',
  group: 'Forms',
  tagline: 'Fields and notes become page content.',
  responses: 'application/pdf',
  warnings: [
    'tags-dropped',
    'scale-reduced',
    'text-not-drawn',
    'characters-missing',
    'field-font-replaced',
    'text-cut',
    'xfa-hides-changes',
  ],
  step: { result: () => 'pdf' },
  options: z
    .strictObject({
      forms: z
        .boolean()
        .default(true)
        .describe(
          'If `true`, draws form fields, including signatures, and removes the form. If a value has no ' +
            'appearance, Sheaf draws it in its field, in any script. A white square replaces each character that no ' +
            "font has (warning `characters-missing`). Text that doesn't fit is cut off (warning `text-cut`).",
        )
        .meta(inForm({ label: 'Draw form fields' })),
      annotations: z
        .boolean()
        .default(true)
        .describe(
          'If `true`, draws all annotations except links. If an annotation has no appearance, Sheaf draws it as ' +
            'PDF viewers do, with text in any script. This applies to text markup, shapes, lines, ink, free text, ' +
            'stamps, carets and notes. Attached files, media, redaction marks and other annotations without an ' +
            'appearance stay. If an annotation with an attached file is drawn, Sheaf removes the file.',
        )
        .meta(inForm({ label: 'Draw annotations' })),
      links: z
        .boolean()
        .default(false)
        .describe('If `true`, removes links. The text of links stays.')
        .meta(inForm({ label: 'Remove links' })),
      layers: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, turns layers into plain content. Sheaf deletes hidden content of layers, including ' +
            'annotations. Visible content stays, and you can no longer switch it on or off. If `false`, layers stay ' +
            'as they are.',
        )
        .meta(inForm({ label: 'Flatten layers' })),
      annotationView: z
        .enum(['screen', 'print', 'all'])
        .default('screen')
        .describe(
          'Annotations and fields to draw. `screen`: as shown on screen. `print`: as printed. `all`: all that ' +
            "aren't hidden. Sheaf removes the others without drawing them.",
        )
        .meta(
          inForm({
            label: 'Annotations to draw',
            choices: { screen: 'As on screen', print: 'As printed', all: 'All that aren’t hidden' },
            appliesIf: [{ forms: [true] }, { annotations: [true] }],
          }),
        ),
      keepFields: z
        .array(boundedText(500).min(1))
        .max(1000)
        .default([])
        .describe('With `forms`: full names of fields that stay fillable.')
        .meta(inForm({ label: 'Fields that stay fillable', appliesIf: [{ forms: [true] }] })),
      rasterize: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, turns the content of each page into one upright image of the same size. Annotations and ' +
            "fields that aren't drawn stay over the image. Sheaf removes content of hidden layers, content outside " +
            'the page, and accessibility tags (warning `tags-dropped`).',
        )
        .meta(inForm({ label: 'Turn pages into images' })),
      dpi: z
        .number()
        .int()
        .min(72)
        .max(400)
        .default(DPI)
        .describe(
          'With `rasterize`: resolution of the images in DPI. Pages that would have too many pixels get a ' +
            'lower resolution (warning `scale-reduced`).',
        )
        .meta(inForm({ label: 'Resolution in DPI', appliesIf: [{ rasterize: [true] }] })),
      format: z
        .enum(['jpeg', 'png'])
        .default('jpeg')
        .describe('With `rasterize`: image format. `jpeg` makes small files. `png` is lossless.')
        .meta(
          inForm({ label: 'Image format', choices: { jpeg: 'JPEG', png: 'PNG' }, appliesIf: [{ rasterize: [true] }] }),
        ),
      textLayer: z
        .boolean()
        .default(true)
        .describe(
          'With `rasterize`: if `true`, the text of the pages stays as invisible text that you can search, ' +
            'select and copy. This includes text that was covered. If `false`, only the image remains.',
        )
        .meta(inForm({ label: 'Keep text searchable', appliesIf: [{ rasterize: [true] }] })),
      xfa: xfaOption,
      outputName: outputNameOption('report-flattened.pdf'),
    })
    .superRefine(({ rasterize, dpi, format, textLayer }, context) => {
      const blame = blameIn(context)
      if (rasterize) return
      const message = 'only applies if rasterize is true. Set rasterize to true.'
      if (dpi !== DPI) blame('dpi', message)
      if (format !== 'jpeg') blame('format', message)
      if (!textLayer) blame('textLayer', message)
    }),
  examples: [
    { title: 'Flatten fields and annotations', options: {} },
    {
      title: 'Flatten the form only, as printed',
      options: { annotations: false, annotationView: 'print' },
    },
    { title: 'Flatten layers and delete hidden content', options: { layers: true } },
    { title: 'Turn every page into an image with searchable text', options: { rasterize: true, dpi: 200 } },
  ],
  async edit(
    document,
    { forms, annotations, links, layers, annotationView, keepFields, rasterize: isRasterized, dpi, format, textLayer },
  ) {
    const keep = knownFields(document, keepFields)
    const hidden =
      layers && hasLayers(document)
        ? new HiddenLayers(document, annotationView === 'print' ? 'print' : 'screen')
        : undefined
    if (hidden) removeHiddenAnnotations(document, hidden)
    if (forms) await drawMissingAppearances(document, { excludedNames: keep })
    if (annotations) await drawMissingAnnotations(document, annotationView)
    flatten(document, { forms, annotations, links, view: annotationView, keep })
    if (hidden) await removeHiddenContent(document, hidden)
    if (hidden) dropLayers(document)
    if (isRasterized) await rasterize(document, { dpi, format, keepsText: textLayer })
  },
})

/**
 * Maximum number of unknown names that get suggestions, because the search is slow in forms with thousands of fields.
 */
const MAX_HINTS = 3

function knownFields(document: PdfDocument, requestedNames: string[]): ReadonlySet<string> {
  if (requestedNames.length === 0) return new Set()
  const knownNames = new Set(readTerminalFields(document).map(field => field.name))
  const problems: Problem[] = []
  for (const [index, name] of requestedNames.entries()) {
    if (knownNames.has(name)) continue
    const param = `options.keepFields[${index}]`
    const nearest = problems.length < MAX_HINTS ? findNearestName(name, [...knownNames]) : undefined
    const hint =
      knownNames.size === 0
        ? 'This document has no fields.'
        : nearest === undefined
          ? `This document has ${knownNames.size.toLocaleString('en')} fields with other names.`
          : `Did you mean "${nearest}"?`
    problems.push({ param, message: `${param}: unknown field "${name}". ${hint}` })
  }
  if (problems[0]) throw new EngineError('field_missing', problems[0].message, { problems })
  return new Set(requestedNames)
}
