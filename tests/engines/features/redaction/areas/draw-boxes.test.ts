import { expect, it } from 'vitest'
import { drawBoxes } from '../../../../../engines/features/redaction/areas/draw-boxes'
import { contentsOf, decodeContent } from '../../../../../engines/pdf/document'
import { measureFrame } from '../../../../../engines/pdf/geometry'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { openParagraph, openTypesetter, stackLines } from '../../../../../engines/pdf/typeset'
import { numbered } from '../../../../fixtures/draft'
import { LIMITS } from '../../../../support/run-on'

const TEXT = 'client'
const SIZE = 10
/** The share of a box that its text may fill. */
const SHARE = 0.92
const BLACK = { r: 0, g: 0, b: 0 }

/** The size of the replacement text in a box of this height, which is wide enough. */
async function sizeIn(height: number): Promise<number> {
  const document = openDocument(numbered({ pages: 1 }), LIMITS)
  const [page] = document.pages
  if (!page) throw new Error('there is one page')
  const area = {
    box: { x: 10, y: 10, width: 200, height },
    core: { left: 10, bottom: 10, right: 210, top: 10 + height },
    hole: { left: 10, bottom: 10, right: 210, top: 10 + height },
    replacementText: TEXT,
    param: 'areas[0]',
  }
  await drawBoxes(document, [{ index: 0, frame: measureFrame(document, page), areas: [area] }], {
    color: BLACK,
    fontSize: SIZE,
  })
  const content = contentsOf(document, page).map(part =>
    Buffer.from(decodeContent(document, part) ?? []).toString('latin1'),
  )
  return Number(/\/Text\S* ([\d.]+) Tf/.exec(content.join('\n'))?.[1])
}

it('a text that fills the height of its box exactly has the requested size', async () => {
  const typesetter = await openTypesetter()
  const paragraph = await openParagraph(typesetter, TEXT, { param: 'areas[0]' })
  const filled = stackLines(paragraph.layOut(1e6), typesetter.mainFace()).height * SIZE
  let height = filled / SHARE / 1000
  // The nearest number whose share is exactly the height of the text.
  for (let step = 0; height * SHARE * 1000 !== filled && step < 64; step++)
    height *= 1 + (height * SHARE * 1000 < filled ? Number.EPSILON : -Number.EPSILON / 2)
  expect(height * SHARE * 1000).toBe(filled)
  expect(await sizeIn(height)).toBe(SIZE)
  expect(await sizeIn(height * 1.2)).toBe(SIZE)
  expect(await sizeIn(height * 0.8)).toBeLessThan(0.81 * SIZE)
})
