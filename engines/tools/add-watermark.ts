import { outputNameOption, xfaOption } from '../options/schemas'
import { drawMarks } from '../features/watermark/draw-marks'
import { MARK_ALTERNATIVES, markOptions, readMarks } from '../features/watermark/options'
import { defineTool } from './define'

/** A red check mark in a ring, 32 × 32 pixels. The image is small enough for an example. */
const EXAMPLE_IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAABlBMVEX///+yIiLhyv7EAAAAAXRSTlMAQObYZgAAAJVJREFUeJwVziEOwjAYgNHvbwutWh1qyeZQoCe4ALfgCLUkSygOBw7NMTgCCo2i2wUYboQFCO8EDwChuDlFsmjZIEY10zM2ShL/pFMednrWghmQRIXOJRysVeDQlet7Q/l5EEKdSXBxohj16OqyPBpSguBjJtX1lSveoMuGuWlhgYdO7Hp7V8NqnDT7+mS+EKHokX/tB69RJ9i8P74dAAAAAElFTkSuQmCC'

export const addWatermark = defineTool({
  id: 'add-watermark',
  title: 'Add a watermark',
  summary:
    'Draws text in any script, an image, or a page of another PDF over or under pages. The watermark is ' +
    'diagonal, at a position, or tiled. Screen readers skip it.',
  files: 'one',
  suffix: 'watermarked',
  group: 'Mark',
  command: 'watermark',
  tagline: 'Text, an image, or a page of a PDF.',
  responses: 'application/pdf',
  warnings: ['watermark-shrunk', 'watermark-hidden', 'xfa-hides-changes'],
  step: { result: () => 'pdf' },
  options: markOptions
    .safeExtend({ xfa: xfaOption, outputName: outputNameOption('report-watermarked.pdf') })
    .meta(MARK_ALTERNATIVES),
  examples: [
    {
      title: 'CONFIDENTIAL along the diagonal',
      options: { type: 'text', text: 'CONFIDENTIAL', position: 'diagonal', opacity: 0.25, fontSize: 48 },
    },
    {
      title: 'An image in the corner',
      options: {
        type: 'image',
        image: { name: 'stamp.png', dataBase64: EXAMPLE_IMAGE },
        position: 'top-right',
        scale: 0.15,
        opacity: 0.8,
      },
    },
    {
      title: 'Tiles under the page content and a line at the bottom',
      options: {
        opacity: 0.15,
        marks: [
          { text: 'DRAFT', position: 'tile', rotation: 30, fontSize: 32, layer: 'under' },
          { text: '{filename}, {page} of {total}', position: 'bottom-center', fontSize: 9, opacity: 1 },
        ],
      },
    },
  ],
  async run([input], options, context) {
    const { document, name } = input
    await drawMarks(document, readMarks(options), {
      fileName: name,
      now: context.now,
      warn: warning => context.warn(warning),
      outline: context.outline,
    })
    return { kind: 'pdf', document }
  },
})
