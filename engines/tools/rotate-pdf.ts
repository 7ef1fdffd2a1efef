import { PDFNumber } from 'pdf-lib'
import * as z from 'zod'
import { bakeRotations } from '../pdf/page'
import type { Page, PdfDocument } from '../pdf/document'
import { measureFrame, rotationOf } from '../pdf/geometry'
import * as Name from '../pdf/names'
import { alternatives } from '../options/alternatives'
import { outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import { inForm, onlyIf } from '../options/form-hints'
import { blameIn } from '../options/checks'

const angleSchema = z.literal([0, 90, 180, 270], {
  error: ({ input }) =>
    typeof input === 'number' ? `must be 90, 180 or 270, or 0 with mode "absolute". Got ${input}.` : undefined,
})

export const rotatePdf = defineTool({
  id: 'rotate-pdf',
  title: 'Rotate pages',
  summary:
    'Rotates pages clockwise by 90, 180 or 270 degrees. Adds to the rotation that pages already have, or ' +
    'replaces it. Page content stays unchanged unless `bake` is `true`.',
  files: 'one',
  suffix: 'rotated',
  group: 'Organize',
  tagline: 'By 90, 180 or 270 degrees.',
  responses: 'application/pdf',
  warnings: ['xfa-hides-changes'],
  step: { result: () => 'pdf', addsNothing: true },
  options: z
    .strictObject({
      angle: angleSchema
        .optional()
        .describe(
          'Degrees clockwise. `mode` sets whether Sheaf adds this angle to the rotation or replaces the rotation. 0 ' +
            'is allowed only with mode `absolute`. Required unless `rotations` is set or `bake` is `true`.',
        )
        .meta(
          inForm({
            label: 'Rotate by',
            choices: { '0': '0°', '90': '90° clockwise', '180': '180°', '270': '90° counterclockwise' },
            appliesIf: [{ rotations: 'unset' }],
          }),
        ),
      pages: pagesOption('Pages to rotate, for `angle` and `bake`. Default: all.')
        .optional()
        .meta(onlyIf({ rotations: 'unset' })),
      rotations: z
        .array(
          z.strictObject({
            pages: pagesOption('Pages to rotate.'),
            angle: angleSchema
              .describe(
                'Degrees clockwise. `mode` sets whether Sheaf adds this angle to the rotation or replaces the ' +
                  'rotation. 0 is allowed only with mode `absolute`.',
              )
              .meta(
                inForm({
                  label: 'Rotate by',
                  choices: { '0': '0°', '90': '90° clockwise', '180': '180°', '270': '90° counterclockwise' },
                }),
              ),
          }),
        )
        .min(1)
        .max(1000)
        .optional()
        .describe(
          'Several angles with their pages, in place of `angle` and `pages`. If several entries select a page, ' +
            'Sheaf applies their angles in order.',
        )
        .meta(inForm({ label: 'Angles by page' })),
      mode: z
        .enum(['relative', 'absolute'])
        .default('relative')
        .describe('`relative` adds the angle to the current rotation of the page. `absolute` replaces the rotation.')
        .meta(
          inForm({
            label: 'Current rotation',
            choices: { relative: 'Add the angle', absolute: 'Replace' },
            appliesIf: [{ angle: 'set' }, { rotations: 'set' }],
          }),
        ),
      only: z
        .enum(['any', 'portrait', 'landscape'])
        .default('any')
        .describe('Rotates only `portrait` or `landscape` pages, as displayed in the input.')
        .meta(
          inForm({ label: 'Only these pages', choices: { any: 'All', portrait: 'Portrait', landscape: 'Landscape' } }),
        ),
      bake: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, rotates the content itself, with annotations, boxes and the targets of bookmarks and links. ' +
            'The page then has rotation 0 and looks the same. If you also send `angle` or `rotations`, Sheaf ' +
            'rotates the pages first.',
        )
        .meta(inForm({ label: 'Rotate the content itself' })),
      xfa: xfaOption,
      outputName: outputNameOption('report-rotated.pdf'),
    })
    .superRefine(({ angle, pages, rotations, mode, bake }, context) => {
      const blame = blameIn(context)
      if (angle === undefined && !rotations && !bake)
        blame('angle', 'is required. Use 90, 180 or 270, or send rotations.')
      if (angle === undefined && !rotations && mode === 'absolute') blame('mode', '"absolute" requires an angle.')
      if (angle !== undefined && rotations) blame('angle', "can't be combined with rotations. Send only one of them.")
      if (pages !== undefined && rotations)
        blame('pages', 'only applies to angle. With rotations, each entry has its own pages.')
      if (mode === 'absolute') return
      const message = 'must not be 0 in mode "relative". Use 90, 180 or 270, or mode "absolute".'
      if (angle === 0) blame('angle', message)
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
    { title: 'Rotate pages 1 and 3 clockwise', options: { angle: 90, pages: [1, 3] } },
    { title: 'Rotate every even page by 180 degrees', options: { angle: 180, pages: 'even' } },
    {
      title: 'Rotate two sets of pages differently',
      options: {
        rotations: [
          { pages: 'first', angle: 90 },
          { pages: '3-', angle: 270 },
        ],
      },
    },
    { title: 'Rotate, and apply the rotation to the content', options: { angle: 90, bake: true } },
    { title: 'Rotate only portrait pages', options: { angle: 270, only: 'portrait' } },
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
