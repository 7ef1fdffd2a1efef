import * as z from 'zod'
import { removeOutside } from '../pdf/rewrite-content'
import { intersectBoxes, measureFrame, readBox, resolveBox, toUserSpace, writeBox } from '../pdf/geometry'
import type { Box, Frame, Origin } from '../pdf/geometry'
import type { Page, PdfDocument } from '../pdf/document'
import { findContentBoxes } from '../pdf/render'
import * as Name from '../pdf/names'
import { EngineError } from '../errors'
import { alternatives } from '../options/alternatives'
import { toPoints } from '../options/lengths'
import type { Unit } from '../options/lengths'
import { outputNameOption, pagesOption, xfaOption } from '../options/schemas'
import { resolvePageSet } from '../options/selectors'
import { defineTool } from './define'
import { inForm } from '../options/form-hints'
import { ORIGIN_CHOICES } from '../options/placement'
import { blameIn } from '../options/checks'

/**
 * Page boxes besides the CropBox (ISO 32000-2, 14.11.2), by option name. They must not extend beyond the new MediaBox.
 */
const INNER_BOXES = { trim: Name.TrimBox, bleed: Name.BleedBox, art: Name.ArtBox } as const

type InnerBox = keyof typeof INNER_BOXES

const LEAST_PT = 3
const PADDING_PT = 6
const MOST = 1_000_000

/** Distance in points by which a box may exceed the page, because many users round A4 to 595 × 842. */
const SLACK_PT = 0.25

const place = (meaning: string) => z.number().min(-MOST).max(MOST).describe(meaning)
const extent = (meaning: string) => z.number().gt(0).max(MOST).describe(`${meaning}, at least ${LEAST_PT} points.`)
const margin = (meaning: string) => z.number().min(0).max(MOST).default(0).describe(meaning)

export const cropPdf = defineTool({
  id: 'crop-pdf',
  title: 'Crop pages',
  summary:
    'Crops pages to a box, by margins, or to their visible content. Coordinates refer to the page as displayed. ' +
    'With `mode` set to `remove`, also deletes the content outside the box.',
  files: 'one',
  suffix: 'cropped',
  group: 'Organize',
  tagline: 'To a box, by margins, or to the content.',
  responses: 'application/pdf',
  warnings: ['text-not-drawn', 'xfa-hides-changes'],
  step: { result: () => 'pdf', addsNothing: true },
  options: z
    .strictObject({
      cropBox: z
        .strictObject({
          x: place('Left edge of the box, from `origin`.').meta(inForm({ label: 'Horizontal position' })),
          y: place('Lower edge of the box, from `origin`. With `top-left`: upper edge, measured downwards.').meta(
            inForm({ label: 'Vertical position' }),
          ),
          width: extent('Width of the box'),
          height: extent('Height of the box'),
        })
        .optional()
        .describe(
          'Box to keep. Its numbers are in `unit`, measured from `origin`. The box must be inside the page as ' +
            'displayed, unless `clamp` is `true`. Send `cropBox`, `margins` or `auto`.',
        )
        .meta(inForm({ label: 'Box to keep', appliesIf: [{ auto: [false], margins: 'unset' }] })),
      margins: z
        .union([
          z
            .number()
            .min(0)
            .max(MOST)
            .meta(inForm({ title: 'All sides' })),
          z
            .strictObject({
              top: margin('Margin to remove at the top, as displayed.'),
              right: margin('Margin to remove on the right, as displayed.'),
              bottom: margin('Margin to remove at the bottom, as displayed.'),
              left: margin('Margin to remove on the left, as displayed.'),
            })
            .meta(inForm({ title: 'Each side' })),
        ])
        .optional()
        .describe(
          'Margins to remove, in `unit`: one number for all sides, or an object. Send them in place of `cropBox`.',
        )
        .meta(inForm({ label: 'Margins to remove', appliesIf: [{ auto: [false] }] })),
      auto: z
        .boolean()
        .default(false)
        .describe(
          'If `true`, crops pages to their visible content, including annotations. Blank pages stay as they are. ' +
            'Set it in place of `cropBox` and `margins`.',
        )
        .meta(inForm({ label: 'Crop to the content' })),
      padding: z
        .number()
        .min(0)
        .max(1000)
        .default(PADDING_PT)
        .describe('With `auto`: points to keep around the visible content. The box never extends beyond the page.')
        .meta(inForm({ label: 'Space around the content', appliesIf: [{ auto: [true] }] })),
      uniform: z
        .boolean()
        .default(true)
        .describe(
          'With `auto`: if `true`, all selected pages get the same box, around the visible content of all these ' +
            'pages. If `false`, each page gets its own box.',
        )
        .meta(inForm({ label: 'Same box on all pages', appliesIf: [{ auto: [true] }] })),
      pages: pagesOption('Pages to crop. Default: all.').optional(),
      unit: z
        .enum(['pt', 'mm', 'cm', 'in', '%'])
        .default('pt')
        .describe(
          'Unit of all numbers in `cropBox` and `margins`. `%` refers to the width or height of the page as ' +
            'displayed.',
        )
        .meta(
          inForm({
            choices: { pt: 'Points', mm: 'Millimeters', cm: 'Centimeters', in: 'Inches', '%': 'Percent of the page' },
            appliesIf: [{ auto: [false] }],
          }),
        ),
      origin: z
        .enum(['bottom-left', 'top-left', 'user-space'])
        .default('bottom-left')
        .describe(
          'Origin of `cropBox`: a corner of the page as displayed, or `user-space`. With `user-space`, you send ' +
            'PDF coordinates of the unrotated page, in its units.',
        )
        .meta(
          inForm({
            label: 'Measure from',
            choices: ORIGIN_CHOICES,
            appliesIf: [{ cropBox: 'set' }],
          }),
        ),
      clamp: z
        .boolean()
        .default(false)
        .describe(
          'What to do if `cropBox` extends beyond the page. If `true`, Sheaf keeps the part of the box that is on ' +
            'the page. If `false`, the request returns an error. In both cases the box must overlap the page.',
        )
        .meta(inForm({ label: 'Cut the box to the page', appliesIf: [{ cropBox: 'set' }] })),
      mode: z
        .enum(['box', 'hide', 'remove'])
        .default('box')
        .describe(
          'How to crop. `box` makes the page smaller (MediaBox and CropBox) and cuts its other boxes to the new ' +
            'size. `hide` sets only the CropBox, so you can undo the crop. With `box` and `hide`, the file still has ' +
            'the content outside. `remove` works like `box`, and deletes this content: text, paths, image pixels, ' +
            'annotations, form fields and tags. Bookmarks, metadata and attachments stay.',
        )
        .meta(
          inForm({
            label: 'Content outside',
            choices: { box: 'Hide it and make pages smaller', hide: 'Hide it, can be undone', remove: 'Delete it' },
          }),
        ),
      boxes: z
        .array(z.enum(['trim', 'bleed', 'art']))
        .max(3)
        .default([])
        .describe(
          'Print production boxes to set to the new box: `trim`, `bleed` or `art` (TrimBox, BleedBox or ArtBox). ' +
            'Sheaf cuts the boxes that you omit to the new page size, unless `mode` is `hide`.',
        )
        .meta(
          inForm({
            label: 'Production boxes to set',
            choices: { trim: 'Trim box', bleed: 'Bleed box', art: 'Art box' },
          }),
        ),
      xfa: xfaOption,
      outputName: outputNameOption('report-cropped.pdf'),
    })
    .superRefine(({ cropBox, margins, auto, padding, uniform, origin, clamp, unit }, context) => {
      const blame = blameIn(context)
      if (!cropBox && margins === undefined && !auto)
        blame('cropBox', 'is required. Send cropBox with x, y, width and height, or send margins, or set auto to true.')
      if (auto && (cropBox || margins !== undefined))
        blame('auto', `can't be combined with ${cropBox ? 'cropBox' : 'margins'}. Send only one of them.`)
      if (auto && unit !== 'pt') blame('unit', `must be "pt" with auto. Got "${unit}". The padding is in points.`)
      if (!auto && padding !== PADDING_PT)
        blame('padding', 'only applies if auto is true. Set auto to true or remove padding.')
      if (!auto && !uniform) blame('uniform', 'only applies if auto is true. Set auto to true or remove uniform.')
      if (cropBox && margins !== undefined) blame('margins', "can't be combined with cropBox. Send only one of them.")
      if (!cropBox && origin !== 'bottom-left')
        blame('origin', `"${origin}" only applies to cropBox. Margins and auto refer to the page as displayed.`)
      if (!cropBox && clamp) blame('clamp', 'only applies to cropBox. Remove it.')
      if (unit === '%' && origin === 'user-space')
        blame('unit', '"%" can\'t be combined with origin "user-space". Percentages refer to the page as displayed.')
    })
    .meta(
      alternatives(
        { required: ['cropBox'], values: { auto: [false] }, without: ['margins'] },
        { required: ['margins'], values: { auto: [false] }, without: ['cropBox'] },
        { required: ['auto'], values: { auto: [true], unit: ['pt'] }, without: ['cropBox', 'margins'] },
      ),
    ),
  examples: [
    {
      title: 'Crop every page to a box',
      options: { cropBox: { x: 40, y: 40, width: 500, height: 700 }, pages: 'all' },
    },
    { title: 'Remove 10 mm from all sides of the first page', options: { margins: 10, unit: 'mm', pages: 'first' } },
    { title: 'Remove white margins, equally on all pages', options: { auto: true, padding: 12 } },
    {
      title: 'Keep the upper half',
      options: { cropBox: { x: 0, y: 0, width: 100, height: 50 }, unit: '%', origin: 'top-left' },
    },
    { title: 'Delete the content within 60 points of the edges', options: { margins: 60, mode: 'remove' } },
  ],
  async edit(document, { cropBox, margins = 0, auto, padding, uniform, pages, boxes: boxNames, ...rest }) {
    const indexes = resolvePageSet(pages, document.pageCount, 'options.pages')
    const contentBoxes = auto
      ? await findContentBoxes(document, indexes, { paddingPt: padding, isUniform: uniform, leastPt: LEAST_PT })
      : undefined
    const boxes = new Map<number, Box>()
    for (const index of contentBoxes?.keys() ?? indexes) {
      const page = document.pages[index]
      if (!page) continue
      const request = { frame: measureFrame(document, page), pageNumber: index + 1, ...rest }
      const box = contentBoxes?.get(index) ?? (cropBox ? placeBox(cropBox, request) : cutMargins(margins, request))
      const inUserSpace = toUserSpace(request.frame, box)
      setBoxes(document, page, { box: inUserSpace, mode: rest.mode, also: boxNames })
      boxes.set(index, inUserSpace)
    }
    if (rest.mode === 'remove') await removeOutside(document, boxes)
  },
})

interface Request {
  frame: Frame
  pageNumber: number
  unit: Unit | '%'
  origin: Origin
  clamp: boolean
}

type Margins = Record<'top' | 'right' | 'bottom' | 'left', number>

/**
 * Returns the requested box in points from the lower-left corner of the page as seen. The box must be inside of the
 * page.
 */
function placeBox(requestedBox: Box, request: Request): Box {
  const { frame, unit, origin, clamp } = request
  const [across, up] = scaleOf(request)
  const boxPt = {
    x: requestedBox.x * across,
    y: requestedBox.y * up,
    width: requestedBox.width * across,
    height: requestedBox.height * up,
  }
  // Boxes in user space use its units, whatever their size.
  const box = resolveBox(frame, boxPt, origin)
  const inside = intersectBoxes(box, wholePage(frame))
  const shown = `x ${requestedBox.x}, y ${requestedBox.y}, width ${requestedBox.width}, height ${requestedBox.height} ${unit}`
  if (!inside) throw problem('cropBox', `must overlap the page. Got ${shown} on ${describePage(request)}.`)
  const isInside = box.width - inside.width <= SLACK_PT && box.height - inside.height <= SLACK_PT
  if (!isInside && !clamp)
    throw problem(
      'cropBox',
      `must be inside of the page. Got ${shown} on ${describePage(request)}. Choose a box inside of the page, ` +
        'or set clamp to true.',
    )
  if (isTooSmall(inside))
    throw problem(
      'cropBox',
      `must keep at least ${LEAST_PT} points of the page. Got ${shown} on ${describePage(request)}.`,
    )
  return inside
}

function cutMargins(margins: number | Margins, request: Request): Box {
  const { frame, unit } = request
  const [across, up] = scaleOf(request)
  const { top, right, bottom, left } =
    typeof margins === 'number' ? { top: margins, right: margins, bottom: margins, left: margins } : margins
  const box = {
    x: left * across,
    y: bottom * up,
    width: frame.width - (left + right) * across,
    height: frame.height - (top + bottom) * up,
  }
  if (isTooSmall(box)) {
    throw problem(
      'margins',
      `must keep at least ${LEAST_PT} points of the page. Got top ${top}, right ${right}, bottom ${bottom}, ` +
        `left ${left} ${unit} on ${describePage(request)}.`,
    )
  }
  return box
}

/** Returns the number of points in one unit, horizontally and vertically. */
function scaleOf({ frame, unit }: Request): [number, number] {
  return unit === '%' ? [frame.width / 100, frame.height / 100] : [toPoints(1, unit), toPoints(1, unit)]
}

function wholePage({ width, height }: Frame): Box {
  return { x: 0, y: 0, width, height }
}

function isTooSmall({ width, height }: Box): boolean {
  const minLength = LEAST_PT - 1e-6 // A width of 3 points may result from millimeters.
  return width < minLength || height < minLength
}

function problem(option: string, message: string): EngineError {
  return new EngineError('options_invalid', `options.${option}: ${message}`, { param: `options.${option}` })
}

function describePage({ frame, pageNumber, unit, origin }: Request): string {
  const points = toPoints(1, unit === '%' ? 'pt' : unit)
  const show = (value: number): string => String(Math.round((value / points) * 100) / 100)
  const name = unit === '%' ? 'pt' : unit
  if (origin !== 'user-space')
    return `page ${pageNumber}, which is ${show(frame.width)} × ${show(frame.height)} ${name} as displayed`
  const { x, y, width, height } = frame.visible
  return (
    `page ${pageNumber}, whose visible area is x ${show(x)}, y ${show(y)}, width ${show(width)}, height ` +
    `${show(height)} ${name} in user space`
  )
}

/** Crops the page to a box in user space. `also` names boxes that become equal to it. */
function setBoxes(
  document: PdfDocument,
  page: Page,
  { box, mode, also }: { box: Box; mode: 'box' | 'hide' | 'remove'; also: readonly InnerBox[] },
): void {
  const dict = document.edit(page.ref)
  for (const key of [Name.CropBox, ...also.map(name => INNER_BOXES[name])]) dict.set(key, writeBox(document, box))
  if (mode === 'hide') return
  dict.set(Name.MediaBox, writeBox(document, box))
  for (const key of Object.values(INNER_BOXES)) {
    const inner = readBox(document, dict.get(key))
    const clippedBox = inner && intersectBoxes(inner, box)
    if (clippedBox) dict.set(key, writeBox(document, clippedBox))
    else dict.delete(key)
  }
}
