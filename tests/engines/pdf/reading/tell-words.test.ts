import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/pages/open'
import { measureFrame } from '../../../../engines/pdf/geometry'
import { PageReader, tellWords } from '../../../../engines/pdf/read-page'
import type { Page } from '../../../../engines/pdf/document'
import { makeScan } from '../../../fixtures/scan'
import { LIMITS } from '../../../support/run-on'

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
