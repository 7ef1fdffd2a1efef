import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { PageWeights } from '../../../../engines/pdf/rendering/page-weight'
import { makePage } from '../../../fixtures/images'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { LIMITS } from '../../../support/run-on'

function findProblem(content: string, resources?: (pdf: PdfWriter) => string): string | undefined {
  return new PageWeights(openDocument(makePage(content, resources), LIMITS)).findProblem(0)
}

/** Forms nested as deep as `levels`, each drawn ten times by the one around it. */
function nestForms(pdf: PdfWriter, levels: number): string {
  let inner = pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', '0 0 1 1 re f')
  for (let level = 1; level < levels; level++) {
    const resources = `/Resources<</XObject<</X ${inner} 0 R>>>>`
    inner = pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]${resources}`, '/X Do '.repeat(10))
  }
  return `/XObject<</X ${inner} 0 R>>`
}

const pattern = (pdf: PdfWriter, entries: string) =>
  `/Pattern<</P ${pdf.addStream(`/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 4 4]/Resources<<>>${entries}`, '0 0 2 2 re f')} 0 R>>`

const image = (pdf: PdfWriter, side: number, data: Uint8Array) =>
  `/XObject<</X ${pdf.addPlainStream(`/Subtype/Image/Width ${side}/Height ${side}/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode`, data)} 0 R>>`

describe('a page that PDFium would need too long for', () => {
  it.each<[string, string, (pdf: PdfWriter) => string, string]>([
    ['draws nested forms', '/X Do', pdf => nestForms(pdf, 9), 'more than 150 MB'],
    [
      'draws a form that draws itself twice',
      '/X Do',
      pdf => {
        const form = pdf.reserve() + 1
        return `/XObject<</X ${pdf.addStream(`/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${form} 0 R>>>>`, '/X Do /X Do')} 0 R>>`
      },
      'more than 150 MB',
    ],
    [
      'has a dense pattern',
      '/Pattern cs /P scn 0 0 99 99 re f',
      pdf => pattern(pdf, '/XStep .0001/YStep .0001'),
      'too close',
    ],
    [
      'has a pattern that its matrix makes dense',
      '/Pattern cs /P scn 0 0 99 99 re f',
      pdf => pattern(pdf, '/XStep 4/YStep 4/Matrix[.00001 0 0 .00001 0 0]'),
      'too close',
    ],
    [
      'shows a large image',
      'q 99 0 0 99 0 0 cm /X Do Q',
      pdf => image(pdf, 40_000, deflateSync(Buffer.alloc(600_000_000), { level: 1 })),
      '40,000 × 40,000 pixels',
    ],
  ])('%s', (_what, content, resources, problem) => {
    expect(findProblem(content, resources)).toContain(problem)
  })

  it('has content beyond the limit of a stream', () => {
    const bytes = makePage(' '.repeat(200_000))
    const document = openDocument(bytes, { ...LIMITS, maxStreamBytes: 100_000 })
    expect(new PageWeights(document).findProblem(0)).toBe('Its content has more than 0 MB.')
  })
})

describe('a page that PDFium can draw', () => {
  it.each<[string, string, (pdf: PdfWriter) => string]>([
    ['has nested forms', '/X Do', pdf => nestForms(pdf, 5)],
    ['has a large image that it does not draw', '', pdf => image(pdf, 40_000, new Uint8Array(1_000_000))],
    ['claims a large image without its data', '/X Do', pdf => image(pdf, 40_000, deflateSync(Buffer.alloc(9)))],
    ['has a usual pattern', '/Pattern cs /P scn 0 0 99 99 re f', pdf => pattern(pdf, '/XStep 4/YStep 4')],
    ['has a pattern without a step', '/Pattern cs /P scn 0 0 99 99 re f', pdf => pattern(pdf, '/XStep 0/YStep 0')],
  ])('%s', (_what, content, resources) => {
    expect(findProblem(content, resources)).toBeUndefined()
  })
})
