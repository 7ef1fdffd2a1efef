import { type PDFArray, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { PageContent } from '../../../../engines/pdf/content/page-content'
import type { Page } from '../../../../engines/pdf/document/page-tree'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { Draft } from '../../../fixtures/draft'
import { renderPage } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'

const FONT = PDFName.of('Font')
const BLACK_SQUARE = '0 0 0 rg 10 10 20 20 re f'

/** The bounds of black pixels on a page of 100 × 100 points after a square is drawn over or under its content. */
async function blackness(
  content: string[],
  { isUnder = false } = {},
): Promise<{ inSquare: boolean; elsewhere: number }> {
  const draft = new Draft({ pages: 1, size: [100, 100] })
  draft.page(1).content.splice(0, Infinity, ...content)
  const document = openDocument(draft.write(), LIMITS)
  for (const page of document.pages) {
    const drawn = new PageContent(document, page)
    if (isUnder) drawn.drawUnder(BLACK_SQUARE)
    else drawn.drawOver(BLACK_SQUARE)
    drawn.write()
  }
  const bytes = Buffer.from(saveDocument(document).join())
  readSound(bytes)
  const { width, pixels } = await renderPage(bytes, 0)
  let elsewhere = 0
  let inside = 0
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at] ?? 255) > 60) continue
    const [x, y] = [(at / 4) % width, 100 - Math.floor(at / 4 / width)]
    if (x >= 10 && x < 30 && y > 10 && y <= 30) inside++
    else elsewhere++
  }
  return { inSquare: inside > 350, elsewhere }
}

describe('PageContent', () => {
  const cases: Record<string, string[]> = {
    nothing: [],
    'a matrix that is not undone': ['2 0 0 2 50 50 cm'],
    'states that are never restored': ['q 2 0 0 2 50 50 cm q q 0 1 0 1 50 50 cm'],
    'more restored than saved': ['Q Q 2 0 0 2 50 50 cm Q'],
    'both, one after the other': ['Q 3 0 0 3 0 0 cm q q 2 0 0 2 50 50 cm'],
    'a clip and white': ['q 0 0 5 5 re W n 1 1 1 rg'],
    'operators inside strings and names': ['BT /F1 1 Tf 1 1 1 rg (Q Q \\) Q) Tj /Q q <5120> Tj Q ET % Q Q Q'],
    'operators inside an inline image': ['q 1 0 0 1 60 60 cm BI /W 4 /H 1 /BPC 8 /CS /G ID Q Q \nEI Q'],
    'an open text object': ['1 1 1 rg BT /F1 12 Tf 50 50 Td (x) Tj'],
  }
  for (const [what, content] of Object.entries(cases)) {
    it(`draws at the right place over a page that contains ${what}`, async () => {
      expect((await blackness(content)).inSquare).toBe(true)
    })
  }

  it('draws under the existing content', async () => {
    expect((await blackness(['1 1 1 rg 0 0 100 100 re f'], { isUnder: true })).inSquare).toBe(false)
    expect((await blackness(['1 0 0 rg 50 50 10 10 re f'], { isUnder: true })).inSquare).toBe(true)
  })

  it('does not shift the existing content', async () => {
    expect((await blackness(['Q Q', 'q 0 0 0 rg 50 50 10 10 re f'])).elsewhere).toBe(100)
  })

  it('keeps state that a restore without a save does not undo', async () => {
    expect((await blackness(['1 1 1 rg Q 50 50 10 10 re f'])).elsewhere).toBe(0)
  })

  it('lists only streams if a damaged page has other objects as its content', async () => {
    const damaged = Buffer.from(
      new Draft({ pages: 1 })
        .write()
        .toString('latin1')
        .replace(/\/Contents \d/, '/Contents 1'),
      'latin1',
    ) // This number is the catalog's.
    const document = openDocument(damaged, LIMITS)
    const [page] = document.pages
    const content = new PageContent(document, page as Page)
    content.drawOver(BLACK_SQUARE)
    content.write()
    const saved = (await PDFDocument.load(saveDocument(document).join())).getPage(0).node
    const contents = (saved.Contents() as PDFArray).asArray()
    expect(contents.length).toBeGreaterThan(1)
    for (const item of contents) expect(saved.context.lookup(item)).toBeInstanceOf(PDFRawStream)
  })

  it('keeps resources shared if pages share them', () => {
    const draft = new Draft({ pages: 200, sharesResources: true })
    const before = draft.write()
    const document = openDocument(before, LIMITS)
    const font = document.register(document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }))
    for (const page of document.pages) {
      const content = new PageContent(document, page)
      content.drawOver(`BT /${content.name(FONT, 'F', font)} 9 Tf 20 20 Td (x) Tj ET`)
      content.write()
    }
    const strict = new StrictPdf(Buffer.from(saveDocument(document).join()))
    const resources = new Set(strict.pages.map(page => JSON.stringify(page.dict.get('Resources'))))
    expect(resources.size).toBe(1)
    expect(strict.problems.concat(strict.dangling)).toEqual([])
  })
})
