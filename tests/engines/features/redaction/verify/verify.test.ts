import { describe, expect, it } from 'vitest'
import { rewriteContent } from '../../../../../engines/pdf/content/rewriting/rewrite-content'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { resolveAreas } from '../../../../../engines/features/redaction/areas/areas'
import type { PageAreas } from '../../../../../engines/features/redaction/areas/areas'
import { drawBoxes } from '../../../../../engines/features/redaction/areas/draw-boxes'
import { RemoveAreas } from '../../../../../engines/features/redaction/areas/remove-areas'
import { findLeaks } from '../../../../../engines/features/redaction/verify/verify'
import type { PdfDocument } from '../../../../../engines/pdf/document/document'
import { makeSecret, TRAPS, UNDER } from '../../../../fixtures/traps'
import { LIMITS } from '../../../../support/run-on'

const LOOK = { color: { r: 0, g: 0, b: 0 } }

function open(name: string, replacementText?: string): { document: PdfDocument; pages: PageAreas[] } {
  const trap = TRAPS[name]
  if (!trap) throw new Error(`there is no trap ${name}`)
  const document = openDocument(new Uint8Array(trap(makeSecret()).file), LIMITS)
  return {
    document,
    pages: resolveAreas(document, [{ page: 1, ...UNDER, unit: 'pt', origin: 'bottom-left', replacementText }], 0.5),
  }
}

async function remove(document: PdfDocument, pages: readonly PageAreas[]): Promise<void> {
  await rewriteContent(
    document,
    pages.flatMap(({ index, areas }) => {
      const page = document.pages[index]
      return page
        ? [
            {
              page,
              filter: new RemoveAreas({
                holes: areas.map(({ hole }) => hole),
                visible: { left: 0, bottom: 0, right: 300, top: 300 },
                images: 'overlap',
              }),
            },
          ]
        : []
    }),
  )
}

describe('the verification of a redaction', () => {
  for (const name of [
    'plain text',
    'invisible text over a scan',
    'text hidden by a clipping path',
    'a form XObject',
    'a soft mask',
    'an inline image',
    'text of an annotation',
  ]) {
    it(`fails on an unchanged page: ${name}`, async () => {
      const { document, pages } = open(name)
      expect(await findLeaks(document, pages, LOOK)).toEqual(pages)
    })
  }

  it('fails if a box only hides text', async () => {
    const { document, pages } = open('plain text')
    await drawBoxes(document, pages, LOOK)
    expect(await findLeaks(document, pages, LOOK)).toEqual(pages)
  })

  it('fails if text is removed but something is drawn over the box, or the box is missing', async () => {
    const { document, pages } = open('plain text')
    await remove(document, pages)
    expect(await findLeaks(document, pages, LOOK)).toEqual(pages)
    const annotated = open('a note')
    await drawBoxes(annotated.document, annotated.pages, LOOK)
    expect(await findLeaks(annotated.document, annotated.pages, LOOK)).toEqual(annotated.pages)
  })

  it('fails if a letter more than the replacement text is under the box', async () => {
    const { document, pages } = open('plain text', 'AB')
    await drawBoxes(document, pages, LOOK)
    expect(await findLeaks(document, pages, LOOK)).toEqual(pages)
  })

  it('passes if all text is removed and the box is drawn, with its label or without', async () => {
    for (const text of [undefined, 'REMOVED', 'محذوف']) {
      const { document, pages } = open('plain text', text)
      await remove(document, pages)
      await drawBoxes(document, pages, LOOK)
      expect(await findLeaks(document, pages, LOOK)).toEqual([])
    }
  })
})
