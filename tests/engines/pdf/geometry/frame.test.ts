import { describe, expect, it } from 'vitest'
import {
  type Frame,
  frameMatrix,
  measureFrame,
  resolveBox,
  toSeen,
  toUserSpace,
} from '../../../../engines/pdf/geometry/frame'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { replaceText } from '../../../fixtures/damaged'
import { numbered } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

/** The frame of a page whose dictionary has these entries in place of its MediaBox. */
function frameOf(entries: string, above = ''): Frame {
  const plain = replaceText(numbered({ pages: 1 }), '/MediaBox[0 0 612 792]', entries)
  const document = openDocument(above ? replaceText(plain, '/Count 1', `/Count 1${above}`) : plain, LIMITS)
  const [page] = document.pages
  if (!page) throw new Error('no page')
  return measureFrame(document, page)
}

const sizes = ({ width, height }: Frame) => [width, height]

describe('measureFrame', () => {
  it('uses the intersection of CropBox and MediaBox', () => {
    expect(frameOf('/MediaBox[0 0 612 792]/CropBox[50 60 700 780]').visible).toEqual({
      x: 50,
      y: 60,
      width: 562,
      height: 720,
    })
  })

  it('uses boxes, rotation and offset origins that the page inherits', () => {
    const frame = frameOf('', '/MediaBox[-100 50 500 850]/CropBox[-90 60 110 460]/Rotate 90')
    expect(frame).toEqual({
      rotation: 90,
      userUnit: 1,
      visible: { x: -90, y: 60, width: 200, height: 400 },
      width: 400,
      height: 200,
    })
  })

  it('reads boxes with other corners first', () => {
    expect(frameOf('/MediaBox[612 0 0 792]/CropBox[300 400 100 200]').visible).toEqual({
      x: 100,
      y: 200,
      width: 200,
      height: 200,
    })
  })

  it('applies /UserUnit', () => {
    expect(sizes(frameOf('/MediaBox[0 0 100 200]/UserUnit 10'))).toEqual([1000, 2000])
    for (const unit of ['0', '-2', '(x)'])
      expect(sizes(frameOf(`/MediaBox[0 0 100 200]/UserUnit ${unit}`))).toEqual([100, 200])
  })

  it('uses Letter if the MediaBox is missing or has no area, and the MediaBox if the CropBox is invalid', () => {
    for (const box of ['', '/MediaBox[0 0 0 0]', '/MediaBox[0 0 612]', '/MediaBox[0 0 (x) 1]', '/MediaBox 5'])
      expect(sizes(frameOf(box))).toEqual([612, 792])
    for (const crop of ['[0 0 0 100]', '[900 900 1000 1000]', '[1 2]'])
      expect(sizes(frameOf(`/MediaBox[0 0 200 300]/CropBox${crop}`))).toEqual([200, 300])
  })
})

describe('conversion between the page as displayed and user space', () => {
  const visible = { x: 10, y: 20, width: 200, height: 400 }
  const turned = (rotation: number, userUnit = 1): Frame => ({
    rotation,
    userUnit,
    visible,
    width: (rotation % 180 ? 400 : 200) * userUnit,
    height: (rotation % 180 ? 200 : 400) * userUnit,
  })

  it('maps the lower-left corner as displayed according to the rotation', () => {
    const corner = { x: 0, y: 0, width: 30, height: 5 }
    expect(toUserSpace(turned(0), corner)).toEqual({ x: 10, y: 20, width: 30, height: 5 })
    expect(toUserSpace(turned(90), corner)).toEqual({ x: 205, y: 20, width: 5, height: 30 })
    expect(toUserSpace(turned(180), corner)).toEqual({ x: 180, y: 415, width: 30, height: 5 })
    expect(toUserSpace(turned(270), corner)).toEqual({ x: 10, y: 390, width: 5, height: 30 })
  })

  it('inverts the opposite conversion', () => {
    const box = { x: 7, y: 11, width: 40, height: 90 }
    for (const rotation of [0, 90, 180, 270]) {
      for (const unit of [1, 4])
        expect(toSeen(turned(rotation, unit), toUserSpace(turned(rotation, unit), box))).toEqual(box)
    }
  })

  it('maps the whole page to the whole page', () => {
    for (const rotation of [0, 90, 180, 270])
      expect(toSeen(turned(rotation, 2), visible)).toEqual({
        x: 0,
        y: 0,
        width: turned(rotation, 2).width,
        height: turned(rotation, 2).height,
      })
  })

  it('agrees with the matrix', () => {
    expect(frameMatrix(turned(90, 2))).toEqual([0, 0.5, -0.5, 0, 210, 20])
  })

  it('counts from the requested origin', () => {
    const box = { x: 15, y: 30, width: 50, height: 60 }
    expect(resolveBox(turned(0), box, 'bottom-left')).toEqual(box)
    expect(resolveBox(turned(0), box, 'top-left')).toEqual({ ...box, y: 310 })
    expect(resolveBox(turned(0), box, 'user-space')).toEqual({ ...box, x: 5, y: 10 })
    expect(resolveBox(turned(180), box, 'user-space')).toEqual({ ...box, x: 145, y: 330 })
  })
})
