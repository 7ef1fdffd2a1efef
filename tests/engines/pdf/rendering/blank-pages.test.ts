import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { findBlankPages } from '../../../../engines/pdf/rendering/blank-pages'
import { withBlankPages } from '../../../fixtures/blanks'
import { Draft } from '../../../fixtures/draft'
import { LIMITS } from '../../../support/run-on'

async function blankPages(threshold: number, file: Buffer = withBlankPages().write(), limits = {}): Promise<number[]> {
  const document = openDocument(new Uint8Array(file), { ...LIMITS, ...limits })
  return [...(await findBlankPages(document, document.pages.keys(), threshold))].sort((one, other) => one - other)
}

describe('findBlankPages', () => {
  it('finds pages that are blank as displayed, whatever objects they have', async () => {
    expect(await blankPages(0.002)).toEqual([0, 2, 3, 5])
  })

  it('counts specks as content, or ignores a line, depending on the threshold', async () => {
    expect(await blankPages(0)).toEqual([0, 2, 5])
    expect(await blankPages(0.004)).toEqual([0, 2, 3, 5, 7])
    expect(await blankPages(0.1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('accepts little text as content, and ignores a page number and invisible text', async () => {
    const write = (text: string, before = '') => `BT /F1 6 Tf ${before} 300 40 Td (${text}) Tj ET`
    const draft = new Draft({ pages: 5 })
    const content = [
      write('Page 1'),
      write('1 234'),
      write('Read by a machine', '3 Tr'),
      write('White on white', '1 g'),
      `${write('A scan', '3 Tr')} 0 g 100 100 2 2 re f`,
    ]
    for (const [index, text] of content.entries()) draft.page(index + 1).content = [text]
    expect(await blankPages(0.002, draft.write())).toEqual([1, 2, 3, 4])
    expect(await blankPages(0.0025, draft.write())).toEqual([0, 1, 2, 3, 4])
    expect(await blankPages(0, draft.write())).toEqual([2, 3])
  })

  it('considers only the visible part of a page', async () => {
    const draft = new Draft({ pages: 1, crop: [0, 0, 200, 200] })
    expect(await blankPages(0, draft.write())).toEqual([0])
  })

  it('handles pages of any size', async () => {
    const draft = new Draft({ pages: 2, size: [14_400, 14_400] })
    draft.page(1).content = ['0 0 100 100 re f']
    draft.page(2).content = ['0 0 14400 100 re f']
    expect(await blankPages(0.002, draft.write(), { maxPixels: 100_000 })).toEqual([0])
  })

  it('checks only the requested pages', async () => {
    const document = openDocument(new Uint8Array(withBlankPages().write()), LIMITS)
    expect([...(await findBlankPages(document, [1, 2, 2, 6], 0.002))]).toEqual([2])
  })
})
