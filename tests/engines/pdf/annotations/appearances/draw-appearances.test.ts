import { describe, expect, it } from 'vitest'
import { drawMissingAnnotations } from '../../../../../engines/pdf/annotations/appearances/draw-appearances'
import { openDocument } from '../../../../../engines/pdf/open-save/open'
import { ANNOTATIONS, pageWith } from '../../../../fixtures/annotations'
import { compareImages } from '../../../../support/compare-images'
import { colorAt, flatten, type Flattened, flattenOne, isSame } from '../../../../support/flattened'
import { hasProgram } from '../../../../support/other-programs'
import { renderWith } from '../../../../support/other-renderers'
import { renderPage } from '../../../../support/reader'
import { LIMITS, runOn } from '../../../../support/run-on'

const BLANK = pageWith([])
const QUAD = '/QuadPoints[20 60 100 60 20 40 100 40]'

describe('drawMissingAnnotations', () => {
  for (const [title, { entries, pdfium }] of ANNOTATIONS) {
    it(`draws ${title} as PDFium does`, async () => {
      const source = pageWith([entries])
      const { image, annotationCount } = await flatten(source)
      expect(annotationCount).toBe(0)
      expect(compareImages(image, await renderPage(BLANK, 0))).toBeGreaterThan(0.005)
      if (pdfium !== undefined) expect(compareImages(await renderPage(source, 0), image)).toBeLessThan(pdfium / 100)
    })
  }

  for (const renderer of ['mutool', 'pdftoppm'] as const) {
    it.skipIf(!hasProgram(renderer))(`draws annotations as ${renderer} does`, async () => {
      const samples = ANNOTATIONS.filter(([, sample]) => sample[renderer] !== undefined)
      const source = (
        await runOn(
          'merge-pdf',
          samples.map(([, { entries }]) => pageWith([entries])),
        )
      ).bytes
      const [before, after] = [renderWith(renderer, source), renderWith(renderer, (await flatten(source)).bytes)]
      expect([before.length, after.length]).toEqual([samples.length, samples.length])
      for (const [index, [title, { [renderer]: limit = 0 }]] of samples.entries()) {
        const [one, other] = [before[index], after[index]]
        expect(one && other && compareImages(one, other), title).toBeLessThan(limit / 100)
      }
    })
  }

  it('reads quads in the order of Acrobat, in the order of ISO 32000-2 and in opposite direction', async () => {
    const [acrobat, iso] = ['20 60 100 60 20 40 100 40', '20 40 100 40 100 60 20 60']
    const orders = [acrobat, iso, '20 60 100 60 100 40 20 40', '20 40 100 40 20 60 100 60']
    for (const kind of ['Highlight', 'Underline', 'StrikeOut', 'Squiggly']) {
      const markup = `/Subtype/${kind}/C[1 0 0]/Rect[20 40 100 60]`
      const drawn = await Promise.all(orders.map(order => flattenOne(`${markup}/QuadPoints[${order}]`)))
      expect(
        drawn.map(one => drawn[0] && isSame(one, drawn[0])),
        kind,
      ).toEqual([true, true, true, true])
    }
  })

  it('draws lines along rotated text', async () => {
    // The text runs upward, so its lower side is on the right.
    const upward = '/QuadPoints[40 10 40 70 60.5 10 60.5 70]/Rect[40 10 61 70]'
    const turned = await flattenOne(`/Subtype/Underline/C[1 0 0]${upward}`)
    expect([colorAt(turned, 59, 40), colorAt(turned, 50, 11)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ])
    const diagonal = '/QuadPoints[60 10 80 30 40 30 60 50]/Rect[40 10 80 50]'
    const slanted = await flattenOne(`/Subtype/Highlight/C[0 1 0]${diagonal}`)
    expect([colorAt(slanted, 60, 30), colorAt(slanted, 42, 48)]).toEqual([
      [0, 255, 0],
      [255, 255, 255],
    ])
  })

  it('uses the rectangle if quads are missing or damaged', async () => {
    const whole = await flattenOne(`/Subtype/Highlight${QUAD}/Rect[20 40 100 60]`)
    for (const quads of ['null', '[]', '[1 2 3]', '(x)', '[/a /b /c /d /e /f /g /h]']) {
      const drawn = await flattenOne(`/Subtype/Highlight/QuadPoints ${quads}/Rect[20 40 100 60]`)
      expect(isSame(drawn, whole), quads).toBe(true)
    }
  })

  it('lets text show through a highlight', async () => {
    const content = 'BT /F1 18 Tf 24 43 Td (Marked) Tj ET 0.5 g 60 30 20 40 re f'
    const source = pageWith([`/Subtype/Highlight/C[1 1 0]${QUAD}/Rect[20 40 100 60]`], { content })
    const { image } = await flatten(source)
    expect(compareImages(await renderPage(source, 0), image)).toBeLessThan(0.0005)
  })

  it('has separate opacities for lines and for areas', async () => {
    const drawn = await flattenOne('/Subtype/Square/C[1 0 0]/IC[0 0 1]/CA 1/ca 0.2/BS<</W 8>>/Rect[20 10 100 70]')
    expect([colorAt(drawn, 23, 40), colorAt(drawn, 60, 40)]).toEqual([
      [255, 0, 0],
      [204, 204, 255],
    ])
  })

  it('draws cloudy borders inside the rectangle, and around the area that /RD insets', async () => {
    for (const kind of ['Square', 'Circle']) {
      const shape = `/Subtype/${kind}/C[1 0 0]/IC[0 1 0]/RD[6 6 6 6]/Rect[20 10 100 70]`
      const [plain, cloudy] = [await flattenOne(shape), await flattenOne(`${shape}/BE<</S/C/I 1>>`)]
      expect(compareImages(cloudy.image, plain.image), kind).toBeGreaterThan(0.02)
      expect(colorAt(cloudy, 60, 40), kind).toEqual([0, 255, 0])
      expect([colorAt(cloudy, 60, 8), colorAt(plain, 60, 12)], kind).toEqual([
        [255, 255, 255],
        [255, 255, 255],
      ])
    }
    const flat = await flattenOne('/Subtype/Square/C[1 0 0]/BE<</S/C/I 0>>/Rect[20 10 100 70]')
    expect(isSame(flat, await flattenOne('/Subtype/Square/C[1 0 0]/Rect[20 10 100 70]'))).toBe(true)
  })

  it('draws content outside the rectangle, and lines whose rectangle is missing', async () => {
    const ink = '/Subtype/Ink/C[1 0 0]/BS<</W 6>>/InkList[[30 40 90 40]]'
    const rects = ['/Rect[20 10 100 70]', '/Rect[30 40 90 40]', '/Rect[50 30 70 50]', '']
    const drawn = await Promise.all(rects.map(rect => flattenOne(ink + rect)))
    expect(drawn.map(one => drawn[0] && isSame(one, drawn[0]))).toEqual([true, true, true, true])
  })

  it('draws a dot for a stroke of one point, and nothing for a pen of zero width', async () => {
    const dot = await flattenOne('/Subtype/Ink/C[1 0 0]/BS<</W 9>>/InkList[[60 40]]/Rect[50 30 70 50]')
    expect(colorAt(dot, 60, 40)).toEqual([255, 0, 0])
    const none = await flattenOne('/Subtype/Ink/C[1 0 0]/BS<</W 0>>/InkList[[20 40 100 40]]/Rect[20 30 100 50]')
    expect([none.annotationCount, compareImages(none.image, await renderPage(BLANK, 0))]).toEqual([0, 0])
  })

  it('draws the curves of a /Path', async () => {
    const shape = '/C[0 0 1]/BS<</W 2>>/Rect[10 10 110 70]'
    const curved = await flattenOne(`/Subtype/Polygon/IC[1 0 0]/Path[[20 20][20 60 100 60 100 20][60 10]]${shape}`)
    const straight = await flattenOne(`/Subtype/Polygon/IC[1 0 0]/Vertices[20 20 100 20 60 10]${shape}`)
    expect([colorAt(curved, 60, 40), colorAt(straight, 60, 40)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ])
  })

  it('draws icons by name, and the note icon for other names', async () => {
    const names = ['Note', 'Comment', 'Key', 'Help', 'Insert', 'NewParagraph', 'Paragraph']
    const draw = (name: string): Promise<Flattened> =>
      flattenOne(`/Subtype/Text/C[1 1 0]/Rect[50 30 70 50]/Name/${name}`)
    const icons = await Promise.all(names.map(draw))
    expect(new Set(icons.map(icon => icon.image.pixels.toString('latin1'))).size).toBe(names.length)
    const [note] = icons
    expect(note && isSame(note, await draw('constructor'))).toBe(true)
    expect(icons.map(icon => icon.text.trim())).toEqual(names.map(() => ''))
  })

  for (const rotate of [90, 180, 270]) {
    it(`rotates icons and shapes as PDFium does on a page with /Rotate ${rotate}`, async () => {
      const kinds = ['/Subtype/Text/Rect[50 30 70 50]', '/Subtype/Square/C[1 0 0]/Rect[30 30 80 50]']
      for (const entries of kinds.flatMap(kind => [kind, `${kind}/F 28`])) {
        const source = pageWith([entries], { rotate })
        const { image } = await flatten(source)
        expect(compareImages(await renderPage(source, 0), image), entries).toBeLessThan(0.0005)
      }
    })
  }

  it('draws what viewers show, and never a pop-up', async () => {
    const square = '/Subtype/Square/C[1 0 0]/BS<</W 9>>/Rect[20 10 100 70]'
    const isDrawn = async (flags: number, options: unknown): Promise<boolean> => {
      const { image, annotationCount } = await flattenOne(`/F ${flags}${square}`, options)
      expect(annotationCount).toBe(0)
      return compareImages(image, await renderPage(BLANK, 0)) > 0
    }
    expect([await isDrawn(0, {}), await isDrawn(2, {}), await isDrawn(36, {})]).toEqual([true, false, false])
    const asPrinted = { annotationView: 'print' }
    expect([await isDrawn(0, asPrinted), await isDrawn(36, asPrinted)]).toEqual([false, true])
    const note = '/Subtype/Text/Rect[50 30 70 50]'
    const popup = '/Subtype/Popup/Open true/Parent 5 0 R/Rect[0 0 40 40]'
    const noted = await flatten(pageWith([`${note}/Popup 6 0 R`, popup]))
    expect([noted.annotationCount, isSame(noted, await flattenOne(note))]).toEqual([0, true])
  })

  it('keeps an annotation in its layer', async () => {
    const square = '/Subtype/Square/C[1 0 0]/IC[1 0 0]/Rect[20 10 100 70]'
    const layers = '/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>'
    const source = pageWith([`${square}/OC 6 0 R`], { entries: layers, objects: ['<</Type/OCG/Name(Off)>>'] })
    expect(colorAt(await flatten(source), 60, 40)).toEqual([255, 255, 255])
  })

  it('ignores links, media, files and marks that viewers draw differently', async () => {
    const media = ['FileAttachment', 'Sound', 'Movie', 'Screen', '3D', 'RichMedia']
    for (const kind of [...media, 'Redact', 'Watermark', 'PrinterMark', 'TrapNet', 'Link', 'Odd']) {
      expect((await flattenOne(`/Subtype/${kind}/Rect[20 10 100 70]`)).annotationCount, kind).toBe(1)
    }
    const square = '/Subtype/Square/C[1 0 0]/Rect[20 10 100 70]'
    expect((await flattenOne(square, { annotations: false })).annotationCount).toBe(1)
  })

  it('draws annotations that /Annots lists directly, through several references or twice', async () => {
    const square = '/Subtype/Square/C[1 0 0]/IC[1 0 0]/Rect[20 10 100 70]'
    const drawn = await flattenOne(square)
    for (const annotations of [[`<<${square}/F 4>>`], ['6 0 R', square], [square, '5 0 R', '5 0 R']]) {
      const other = await flatten(pageWith(annotations))
      expect([other.annotationCount, isSame(other, drawn)], annotations.join()).toEqual([0, true])
    }
  })

  it('reports whether the drawn appearance is transparent', async () => {
    const isTransparent = async (entries: string): Promise<boolean> => {
      const document = openDocument(pageWith([entries]), LIMITS)
      await drawMissingAnnotations(document, 'screen')
      return document.saving.addedFeatures.has('transparency')
    }
    const square = '/Subtype/Square/C[1 0 0]/Rect[20 10 100 70]'
    expect([await isTransparent(square), await isTransparent(`${square}/CA 1`)]).toEqual([false, false])
    expect([await isTransparent(`${square}/CA 0.5`), await isTransparent(`${square}/ca 0.5`)]).toEqual([true, true])
    const highlight = `/Subtype/Highlight${QUAD}`
    expect([await isTransparent(highlight), await isTransparent(`/F 2${highlight}`)]).toEqual([true, false])
  })

  it('writes the same bytes on every run', async () => {
    const source = pageWith(ANNOTATIONS.map(([, { entries }]) => entries))
    expect((await flatten(source)).bytes.equals((await flatten(source)).bytes)).toBe(true)
  })
})
