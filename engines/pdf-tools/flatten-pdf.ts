import { z } from 'zod'
import { drawMissingAnnotations } from '../annotations/draw-appearances'
import { dropLayers, hasLayers, removeHiddenAnnotations, removeHiddenContent } from '../content/remove-layers'
import { EngineError } from '../errors'
import type { Problem } from '../errors'
import { drawMissingAppearances } from '../forms/missing-appearances'
import type { PdfDocument } from '../pdf-core/document/document'
import { flatten } from '../pdf-core/annotations/flatten'
import { HiddenLayers } from '../pdf-core/structure/hidden-layers'
import { findNearestName } from '../options/nearest-name'
import { outputNameOption, xfaOption } from '../options/schemas'
import { readTerminalFields } from '../pdf-core/fields/terminal-fields'
import { rasterize } from '../rasterize/rasterize'
import { defineTool } from './define'

const DPI = 150

export const flattenPdf = defineTool({
  id: 'flatten-pdf',
  title: 'Flatten',
  summary:
    'Draws form fields and annotations into the pages, where text stays text and lines stay lines, or turns pages ' +
    'into pictures; links stay unless they shall go.',
  files: 'one',
  suffix: 'flattened',
  responses: 'application/pdf',
  warnings: ['tags-dropped', 'scale-reduced', 'characters-missing', 'text-cut', 'xfa-hides-changes'],
  options: z
    .strictObject({
      forms: z
        .boolean()
        .default(true)
        .describe(
          'Draw form fields, signatures too, and remove the form. A value without appearance is drawn in its ' +
            'field, in any script, with a white square for a character that no font has (warning ' +
            '`characters-missing`), and cut off where it does not fit (warning `text-cut`).',
        ),
      annotations: z
        .boolean()
        .default(true)
        .describe(
          'If `true`, draws all annotations except links. Text markup, shapes, lines, ink, free text, stamps, ' +
            'carets and notes that have no appearance are drawn the way PDF viewers show them, text in any script. ' +
            'Attached files, media, redaction marks and other annotations without an appearance stay. Files attached ' +
            'to drawn annotations are removed with them.',
        ),
      links: z.boolean().default(false).describe('Remove links too; their text stays.'),
      layers: z
        .boolean()
        .default(false)
        .describe(
          'Make plain content of layers: what layers hold that the document hides is removed from the pages for ' +
            'good, with annotations on them; all else stays as seen, and nothing is left to switch. False keeps ' +
            'layers as they are.',
        ),
      annotationView: z
        .enum(['screen', 'print', 'all'])
        .default('screen')
        .describe(
          'Which annotations and fields are drawn: as seen on screen, as printed, or all that are not hidden. The ' +
            'others are removed without being drawn.',
        ),
      keepFields: z
        .array(z.string().min(1).max(500))
        .max(1000)
        .default([])
        .describe('Full names of fields that stay fillable when forms are flattened; none by default.'),
      rasterize: z
        .boolean()
        .default(false)
        .describe(
          'Turns what is on each page then into one picture, upright and of the same size; what is not drawn stays ' +
            'over it. What hidden layers hold and what lies outside of the page is gone, and so are accessibility ' +
            'tags (warning `tags-dropped`).',
        ),
      dpi: z
        .number()
        .int()
        .min(72)
        .max(400)
        .default(DPI)
        .describe(
          'With `rasterize`: pixels an inch of the pictures, 72 to 400. Less for pages that would have too many ' +
            'pixels (warning `scale-reduced`).',
        ),
      format: z
        .enum(['jpeg', 'png'])
        .default('jpeg')
        .describe('With `rasterize`: `jpeg` makes small files, `png` keeps every pixel as it was drawn.'),
      textLayer: z
        .boolean()
        .default(true)
        .describe(
          'With `rasterize`: whether the text of the pages stays where it stands, unseen, to be searched, selected ' +
            'and copied; text that something covered too. False leaves nothing but the picture.',
        ),
      xfa: xfaOption,
      outputName: outputNameOption,
    })
    .superRefine(({ rasterize, dpi, format, textLayer }, context) => {
      const blame = (option: string): void =>
        context.addIssue({ code: 'custom', path: [option], message: 'belongs to rasterize; let rasterize be true' })
      if (rasterize) return
      if (dpi !== DPI) blame('dpi')
      if (format !== 'jpeg') blame('format')
      if (!textLayer) blame('textLayer')
    }),
  examples: [
    { title: 'Flatten fields and annotations', options: {} },
    {
      title: 'Flatten the form only, as it would be printed',
      options: { annotations: false, annotationView: 'print' },
    },
    { title: 'Flatten layers too: what they hide is gone', options: { layers: true } },
    { title: 'Every page a picture, with text that can be searched', options: { rasterize: true, dpi: 200 } },
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
    if (forms) await drawMissingAppearances(document, keep)
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
        ? 'this document has no fields'
        : nearest === undefined
          ? `this document has ${knownNames.size.toLocaleString('en')} fields with other names`
          : `did you mean "${nearest}"?`
    problems.push({ param, message: `${param}: there is no field "${name}"; ${hint}` })
  }
  if (problems[0]) throw new EngineError('bad-options', problems[0].message, { problems })
  return new Set(requestedNames)
}
