import { PDFNumber } from 'pdf-lib'
import { z } from 'zod'
import { bakeRotations } from '../pdf-core/pages/bake-rotation'
import type { PdfDocument } from '../pdf-core/document/document'
import { measureFrame, rotationOf } from '../pdf-core/geometry/frame'
import type { Page } from '../pdf-core/document/page-tree'
import { alternatives } from '../options/alternatives'
import { outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import * as Name from '../pdf-core/syntax/names'

const angleSchema = z.literal([0, 90, 180, 270], {
  error: ({ input }) =>
    typeof input === 'number' ? `${input} is not allowed; use 90, 180 or 270, or 0 with mode "absolute"` : undefined,
})

export const rotatePdf = defineTool({
  id: 'rotate-pdf',
  title: 'Rotate pages',
  summary:
    'Turns pages clockwise by 90, 180 or 270 degrees, added to the rotation they have or in its place; content is ' +
    'not touched unless it shall be.',
  files: 'one',
  suffix: 'rotated',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  options: z
    .strictObject({
      angle: angleSchema
        .optional()
        .describe(
          "Degrees clockwise, added to the page's own rotation; 0 only with mode `absolute`. Needed unless " +
            '`rotations` is given or `bake` is true.',
        ),
      pages: pagesOption('Pages to turn by `angle`, or to bake; all when omitted.').optional(),
      rotations: z
        .array(
          z.strictObject({
            pages: pagesOption('Pages to turn.'),
            angle: angleSchema.describe(
              "Degrees clockwise, added to the page's own rotation; 0 only with mode `absolute`.",
            ),
          }),
        )
        .min(1)
        .max(1000)
        .optional()
        .describe(
          'In place of `angle` and `pages`: several angles, each with its pages, in one call. A page in several ' +
            'entries is turned by each in their order.',
        ),
      mode: z
        .enum(['relative', 'absolute'])
        .default('relative')
        .describe('`relative` adds the angle to the rotation that a page has, `absolute` puts it in its place.'),
      only: z
        .enum(['any', 'portrait', 'landscape'])
        .default('any')
        .describe(
          'Turns only those of the pages that are higher than wide (`portrait`) or wider than high (`landscape`) ' +
            'as they are seen in the input.',
        ),
      bake: z
        .boolean()
        .default(false)
        .describe(
          'Turns the content itself, with annotations, boxes and the places that bookmarks and links lead to, so ' +
            'that the rotation of these pages is 0 and they look as before; after they were turned, where an angle ' +
            'is given.',
        ),
      xfa: xfaOption,
      outputName: outputNameOption,
    })
    .superRefine(({ angle, pages, rotations, mode, bake }, context) => {
      const blame = (path: (string | number)[], message: string): void =>
        context.addIssue({ code: 'custom', path, message })
      if (angle === undefined && !rotations && !bake)
        blame(['angle'], 'is missing; use 90, 180 or 270, or give rotations')
      if (angle === undefined && !rotations && mode === 'absolute') blame(['mode'], '"absolute" needs an angle')
      if (angle !== undefined && rotations) blame(['angle'], 'and rotations were both given; give one of the two')
      if (pages !== undefined && rotations)
        blame(['pages'], 'belongs to angle; with rotations, every entry has its pages')
      if (mode === 'absolute') return
      const message = '0 turns nothing in mode "relative"; use 90, 180 or 270, or mode "absolute"'
      if (angle === 0) blame(['angle'], message)
      for (const [index, rotation] of rotations?.entries() ?? [])
        if (rotation.angle === 0) blame(['rotations', index, 'angle'], message)
    })
    .meta(
      alternatives(
        { required: ['angle'], without: ['rotations'] },
        { required: ['rotations'], without: ['angle', 'pages'] },
        { required: ['bake'], values: { bake: [true], mode: ['relative'] }, without: ['angle', 'rotations'] },
      ),
    ),
  examples: [
    { title: 'Turn pages 1 and 3 clockwise', options: { angle: 90, pages: [1, 3] } },
    { title: 'Turn every even page upside down', options: { angle: 180, pages: 'even' } },
    {
      title: 'Turn two sets of pages differently',
      options: {
        rotations: [
          { pages: 'first', angle: 90 },
          { pages: '3-', angle: 270 },
        ],
      },
    },
    { title: 'Write the rotation that pages have into their content', options: { bake: true } },
    { title: 'Turn only the pages that lie on their side', options: { angle: 270, only: 'landscape' } },
  ],
  edit(document, { angle, pages, rotations, mode, only, bake }) {
    const turns = rotations?.map((rotation, index) => ({
      ...rotation,
      param: `options.rotations[${index}].pages`,
    })) ?? [{ angle: angle ?? 0, pages, param: 'options.pages' }]
    const chosen = turns.map(turn => ({
      angle: turn.angle,
      indexes: resolvePageSet(turn.pages, document.pageCount, turn.param),
    }))
    const rotated = new Map<Page, number>()
    for (const { angle, indexes } of chosen) {
      for (const index of indexes) {
        const page = document.pages[index]
        if (!page || !hasForm(document, page, only)) continue
        const before = rotated.get(page) ?? rotationOf(document, page)
        rotated.set(page, mode === 'absolute' ? angle : (before + angle) % 360)
      }
    }
    for (const [page, rotation] of rotated) document.edit(page.ref).set(Name.Rotate, PDFNumber.of(rotation))
    if (bake) bakeRotations(document, rotated.keys())
  },
})

function hasForm(document: PdfDocument, page: Page, form: 'any' | 'portrait' | 'landscape'): boolean {
  if (form === 'any') return true
  const { width, height } = measureFrame(document, page)
  return form === 'portrait' ? height > width : width > height
}
