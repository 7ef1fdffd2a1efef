import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open-save/open'
import { saveDocument } from '../../../../engines/pdf/open-save/save'
import { type Placement, transformPages } from '../../../../engines/pdf/pages/transform-page'
import { makeScene } from '../../../fixtures/scene'
import { compareImages } from '../../../support/compare-images'
import type { PdfValue } from '../../../support/pdf-syntax'
import { renderPage } from '../../../support/reader'
import { LIMITS } from '../../../support/run-on'
import { readSound, StrictPdf } from '../../../support/strict-pdf'

function transform(file: Buffer, placement: Placement): Buffer {
  const document = openDocument(new Uint8Array(file), LIMITS)
  transformPages(document, new Map(document.pages.map(page => [page, placement])))
  return Buffer.from(saveDocument(document).join())
}

/** The numbers of all destinations and annotations, whatever leads to them. */
function placesOf(strict: StrictPdf): Record<string, PdfValue[]> {
  const page = strict.pages[0]?.dict
  const annotations = strict.array(page?.get('Annots')).map(annotation => strict.dict(annotation))
  const numbers = (value: PdfValue | undefined): PdfValue[] =>
    strict
      .array(value)
      .filter(item => typeof item === 'number' || item === null)
      .map(item => (item === null ? null : Math.round(item)))
  const [, marked, , link, region] = annotations
  const named = strict.tree(strict.dict(strict.catalog.get('Names')).get('Dests'), 'Names')
  return {
    rects: annotations.flatMap(annotation => numbers(annotation.get('Rect'))),
    quads: numbers(marked?.get('QuadPoints')),
    xyz: numbers(link?.get('Dest')),
    fitR: numbers(strict.dict(region?.get('A')).get('D')),
    named: named.flatMap(([, value]) => numbers(value)),
    old: numbers(strict.dict(strict.dict(strict.catalog.get('Dests')).get('Side')).get('D')),
    opening: numbers(strict.catalog.get('OpenAction')),
  }
}

describe('transformPages', () => {
  const scenes: Record<string, NonNullable<Parameters<typeof makeScene>[0]>> = {
    'a plain page': {},
    'a page that begins elsewhere': { origin: [-70, 40] },
    'content that restores too much': { isUnbalanced: true },
  }
  for (const [name, options] of Object.entries(scenes)) {
    it(`shows ${name} at twice the size, as if the page had been created so`, async () => {
      const [left, bottom] = options.origin ?? [0, 0]
      const bytes = transform(makeScene(options).write(), {
        matrix: [2, 0, 0, 2, -left * 2, -bottom * 2],
        box: { x: 0, y: 0, width: 400, height: 600 },
      })
      const wanted = makeScene({ scale: 2 }).write()
      expect(compareImages(await renderPage(bytes, 0), await renderPage(wanted, 0))).toBeLessThan(0.003)
      expect(placesOf(readSound(bytes))).toEqual(placesOf(new StrictPdf(wanted)))
    })
  }

  it('scales borders and the size of text that viewers draw, but not zoom factors', () => {
    const strict = readSound(
      transform(makeScene().write('streams'), {
        matrix: [0.5, 0, 0, 0.5, 0, 0],
        box: { x: 0, y: 0, width: 100, height: 150 },
      }),
    )
    const [, , field, link] = strict
      .array(strict.pages[0]?.dict.get('Annots'))
      .map(annotation => strict.dict(annotation))
    expect(strict.text(field?.get('DA'))).toBe('/Helv 5 Tf 0 g')
    expect(strict.dict(field?.get('BS')).get('W')).toBe(1)
    expect(strict.array(link?.get('Border'))).toEqual([0, 0, 0.5])
    expect(strict.array(link?.get('Dest')).slice(2)).toEqual([5, 130, 2])
  })

  for (const [rotate, matrix] of [
    [90, [0, -1, 1, 0, 0, 200]],
    [180, [-1, 0, 0, -1, 200, 300]],
    [270, [0, 1, -1, 0, 300, 0]],
  ] as const) {
    it(`rotates a page in its content by ${rotate}, with the same look as /Rotate`, async () => {
      const box = { x: 0, y: 0, width: rotate === 180 ? 200 : 300, height: rotate === 180 ? 300 : 200 }
      const bytes = transform(makeScene().write(), { matrix: [...matrix], box })
      readSound(bytes)
      expect(
        compareImages(await renderPage(bytes, 0), await renderPage(makeScene({ rotate }).write(), 0)),
      ).toBeLessThan(0.003)
    })
  }

  it('rotates the positions of destinations', () => {
    const places = placesOf(
      readSound(
        transform(makeScene().write(), { matrix: [0, -1, 1, 0, 0, 200], box: { x: 0, y: 0, width: 300, height: 200 } }),
      ),
    )
    // (x, y) moves to (y, 200 - x). A destination that fits the width still does, from the edge of the page.
    expect(places).toMatchObject({
      xyz: [260, 190, 2],
      fitR: [150, 110, 250, 190],
      named: [200],
      old: [0],
      opening: [200, null, null],
    })
  })

  it('keeps invisible content invisible', async () => {
    const placement = {
      matrix: [1, 0, 0, 1, 100, 100] as [number, number, number, number, number, number],
      box: { x: 0, y: 0, width: 400, height: 500 },
    }
    const clipped = transform(makeScene({ hasMargin: true }).write(), {
      ...placement,
      clip: { x: 0, y: 0, width: 200, height: 300 },
    })
    const plain = transform(makeScene().write(), placement)
    expect(compareImages(await renderPage(clipped, 0), await renderPage(plain, 0))).toBeLessThan(0.001)
  })
})
