import { describe, expect, it } from 'vitest'
import { readCrop, removeCrop, writeCrop } from '../../../../../app/_ui/playground/pages/crop-box'
import type { JsonObject } from '../../../../../app/_ui/playground/form/field-shapes'
import { mapPoint } from '../../../../../engines/pdf/geometry/matrix'
import { frameMatrix, toSeen, type Frame } from '../../../../../engines/pdf/geometry/frame'
import { numbered } from '../../../../fixtures/draft'
import { runOn } from '../../../../support/run-on'
import { StrictPdf } from '../../../../support/strict-pdf'

/** Visible areas and rotations: plain, with a CropBox, and rotated with a CropBox. */
const PAGES = [
  { rotation: 0, crop: [0, 0, 612, 792] },
  { rotation: 0, crop: [50, 60, 560, 780] },
  { rotation: 90, crop: [50, 60, 560, 780] },
  { rotation: 180, crop: [50, 60, 560, 780] },
  { rotation: 270, crop: [50, 60, 560, 780] },
] as const

const OPTIONS: JsonObject[] = [
  { cropBox: { x: 40, y: 30, width: 300, height: 200 } },
  { cropBox: { x: 40, y: 30, width: 300, height: 200 }, origin: 'top-left' },
  { cropBox: { x: 10, y: 20, width: 80, height: 50 }, unit: 'mm' },
  { cropBox: { x: 10, y: 20, width: 80, height: 50 }, unit: '%', origin: 'top-left' },
  { cropBox: { x: 100, y: 200, width: 300, height: 250 }, origin: 'user-space' },
  { cropBox: { x: 2, y: 3, width: 4, height: 5 }, origin: 'user-space', unit: 'in' },
  { margins: 36 },
  { margins: { top: 10, left: 20 }, unit: 'mm' },
  { margins: { bottom: 25, right: 10 }, unit: '%' },
]

describe.each(PAGES)('a page rotated by $rotation with the visible area $crop', ({ rotation, crop }) => {
  const file = numbered({ pages: 1, size: [612, 792], crop: [...crop], rotate: { 1: rotation } })
  const frame = frameOf(rotation, crop)
  const page = { width: frame.width, height: frame.height, corners: cornersOf(frame) }

  it.each(OPTIONS)('has the box that the service crops to: %j', async options => {
    const { bytes } = await runOn('crop-pdf', file, options)
    const box = new StrictPdf(bytes).pages[0]?.dict.get('CropBox') as number[]
    const [left = 0, bottom = 0, right = 0, top = 0] = box
    const seen = toSeen(frame, { x: left, y: bottom, width: right - left, height: top - bottom })
    const shown = readCrop(options, page)
    expect(shown?.x).toBeCloseTo(seen.x, 1)
    expect(shown?.y).toBeCloseTo(frame.height - seen.y - seen.height, 1)
    expect(shown?.width).toBeCloseTo(seen.width, 1)
    expect(shown?.height).toBeCloseTo(seen.height, 1)
  })

  it.each(OPTIONS)('keeps a moved box within a tenth of a point: %j', options => {
    const moved = { x: 33.3, y: 44.4, width: 255.5, height: 111.1 }
    const read = readCrop(writeCrop(options, moved, page), page)
    for (const name of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs((read?.[name] ?? 0) - moved[name])).toBeLessThanOrEqual(0.11)
  })
})

it('replaces auto by a box, and removes what applies only to a box', () => {
  const box = { x: 0, y: 0, width: 100, height: 50 }
  expect(
    writeCrop({ auto: true, padding: 12, uniform: false, mode: 'hide' }, box, { width: 200, height: 100 }),
  ).toEqual({
    mode: 'hide',
    cropBox: { x: 0, y: 50, width: 100, height: 50 },
  })
  expect(
    removeCrop({ cropBox: { x: 1, y: 1, width: 5, height: 5 }, origin: 'top-left', clamp: true, pages: '1' }),
  ).toEqual({
    pages: '1',
  })
})

function frameOf(rotation: number, [left, bottom, right, top]: readonly [number, number, number, number]): Frame {
  const visible = { x: left, y: bottom, width: right - left, height: top - bottom }
  const [width, height] = rotation % 180 === 0 ? [visible.width, visible.height] : [visible.height, visible.width]
  return { rotation, userUnit: 1, visible, width, height }
}

function cornersOf(frame: Frame) {
  const matrix = frameMatrix(frame)
  return {
    upperLeft: mapPoint(matrix, 0, frame.height),
    upperRight: mapPoint(matrix, frame.width, frame.height),
    lowerLeft: mapPoint(matrix, 0, 0),
  }
}
