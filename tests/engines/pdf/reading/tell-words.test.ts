import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { measureFrame } from '../../../../engines/pdf/geometry'
import { PageReader, tellWords } from '../../../../engines/pdf/read-page'
import type { Page } from '../../../../engines/pdf/document'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { makeScan } from '../../../fixtures/scan'
import { LIMITS } from '../../../support/run-on'
import { readDrawn } from './read-drawn'

const text = (word: string, y: number, mode = 0): string => `BT ${mode} Tr /F1 12 Tf 20 ${y} Td (${word}) Tj ET`

async function tell(page: {
  under?: string
  content?: string
  place?: [number, number, number, number]
}): Promise<Record<string, unknown>> {
  const document = openDocument(new Uint8Array(await makeScan([{ lines: [], ...page }])), LIMITS)
  const [first] = document.pages as [Page]
  const contents = new PageReader(document).read(first)
  const { seen, unseen, isInkCovered, imageShare } = tellWords(contents, measureFrame(document, first).visible)
  return {
    seen: seen.map(word => word.text),
    unseen: unseen.map(word => word.text),
    isInkCovered,
    imageShare: Math.round(imageShare * 100) / 100,
  }
}

describe('hidden text', () => {
  it('is text drawn without ink or below an image', async () => {
    const under = `${text('covered', 50)} ${text('above', 250)}`
    const content = `${text('stamped', 60)} ${text('layer', 80, 3)} ${text('clip', 100, 7)}`
    expect(await tell({ under, content, place: [0, 0, 280, 140] })).toEqual({
      seen: ['above', 'stamped'],
      unseen: ['covered', 'layer', 'clip'],
      isInkCovered: true,
      imageShare: 0.5,
    })
    expect(await tell({ content: text('layer', 80, 3) })).toEqual({
      seen: [],
      unseen: ['layer'],
      isInkCovered: false,
      imageShare: 1,
    })
  })
})

describe('text under an image', () => {
  const word = text('word', 50)
  // The word covers about 20 to 49 across, and 47 to 59 up.
  it.each<[string, [number, number, number, number], string, boolean]>([
    ['is covered by a large image', [0, 0, 280, 140], word, true],
    ['is covered by an image over the word', [15, 40, 60, 30], word, true],
    ['is covered by most of an image', [15, 48.5, 60, 30], word, true],
    ['is seen above a part of an image', [15, 54, 60, 30], word, false],
    ['is seen beside an image', [80, 40, 100, 100], word, false],
    ['is seen below a tiny image', [15, 44, 35, 18], text('x', 50), false],
    ['without ink stays unseen', [80, 40, 100, 100], text('word', 50, 3), true],
  ])('%s', async (_, place, under, isUnseen) => {
    const { seen, unseen, isInkCovered } = await tell({ under, place })
    expect([(seen as string[]).length, (unseen as string[]).length]).toEqual(isUnseen ? [0, 1] : [1, 0])
    expect(isInkCovered).toBe(isUnseen && !under.startsWith('BT 3'))
  })

  it('is seen if it is drawn after the image', async () => {
    expect(await tell({ content: word, place: [0, 0, 280, 140] })).toMatchObject({ seen: ['word'], unseen: [] })
  })
})

describe('images over text', () => {
  const gray = (pdf: PdfWriter, more = ''): number =>
    pdf.addStream(
      `/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8${more}`,
      Buffer.from([0]),
    )
  const mask = (pdf: PdfWriter): number =>
    pdf.addStream('/Type/XObject/Subtype/Image/Width 1/Height 1/ImageMask true/BitsPerComponent 1', Buffer.from([0]))
  const draw = 'q 200 0 0 100 10 10 cm /I Do Q'

  it.each<[string, (pdf: PdfWriter) => number, string, boolean]>([
    ['cover it', pdf => gray(pdf), draw, true],
    ['show it through a soft mask', pdf => gray(pdf, `/SMask ${gray(pdf)} 0 R`), draw, false],
    ['show it through a stencil', pdf => gray(pdf, `/Mask ${mask(pdf)} 0 R`), draw, false],
    ['show it through a range of colors', pdf => gray(pdf, '/Mask[0 0]'), draw, false],
    ['show it if they are stencils', mask, draw, false],
    ['cover it upside down', pdf => gray(pdf), 'q -200 0 0 -100 210 110 cm /I Do Q', true],
    ['cover it turned', pdf => gray(pdf), 'q 0 100 -200 0 210 10 cm /I Do Q', true],
    ['cover it inline', pdf => gray(pdf), 'q 200 0 0 100 10 10 cm BI /W 1/H 1/CS/G/BPC 8 ID \x00 EI Q', true],
    [
      'show it if they are inline stencils',
      pdf => gray(pdf),
      'q 200 0 0 100 10 10 cm BI /W 1/H 1/IM true ID \x00 EI Q',
      false,
    ],
    [
      'cover it inline without a stencil',
      pdf => gray(pdf),
      'q 200 0 0 100 10 10 cm BI /W 1/H 1/IM false/CS/G/BPC 8 ID \x00 EI Q',
      true,
    ],
    ['show it below an image of no area', pdf => gray(pdf), 'q 200 0 0 0 10 10 cm /I Do Q', false],
  ])('%s', (_, image, content, isCovered) => {
    const contents = readDrawn(`${text('word', 50).replace('F1', 'F')} ${content}`, {
      resources: pdf => `/XObject<</I ${image(pdf)} 0 R>>`,
    })
    const { seen, unseen, isInkCovered } = tellWords(contents, { x: 0, y: 0, width: 300, height: 300 })
    expect([seen.length, unseen.length, isInkCovered]).toEqual(isCovered ? [0, 1, true] : [1, 0, false])
  })

  it('count by their share of the visible page', () => {
    const parts = { resources: (pdf: PdfWriter) => `/XObject<</I ${gray(pdf)} 0 R>>` }
    const shareOf = (content: string, width = 300) =>
      tellWords(readDrawn(content, parts), { x: 0, y: 0, width, height: 300 }).imageShare
    expect(shareOf('q 150 0 0 300 0 0 cm /I Do Q')).toBeCloseTo(0.5)
    expect(shareOf('q 150 0 0 300 0 0 cm /I Do Q', 150)).toBe(1)
    expect(shareOf('q 150 0 0 300 250 0 cm /I Do Q')).toBeCloseTo(1 / 6)
    expect(shareOf('q 29 0 0 29 0 0 cm /I Do Q')).toBe(0)
    expect(shareOf('q 300 0 0 300 0 0 cm /I Do /I Do Q')).toBe(1)
    expect(shareOf('q 30 0 0 300 0 0 cm /I Do Q q 30 0 0 300 100 0 cm /I Do Q')).toBeCloseTo(0.2)
  })
})
