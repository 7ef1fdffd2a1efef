import { describe, expect, it } from 'vitest'
import { makeClaiming } from '../../../fixtures/claims'
import { numbered } from '../../../fixtures/draft'
import { makePng } from '../../../fixtures/png'
import { readPdfjsClaims } from '../../../support/pdfjs-claims'
import { runOn } from '../../../support/run-on'

async function claimsAfter(
  tool: string,
  files: Buffer | Buffer[],
  options: unknown = {},
): Promise<{ claims: string[]; isWarned: boolean }> {
  const { bytes, warnings } = await runOn(tool, files, options)
  return { claims: (await readPdfjsClaims(bytes)).claims, isWarned: warnings.includes('conformance-dropped') }
}

const KEPT = { claims: ['pdfa 2A', 'pdfua 1'], isWarned: false }
const BOTH = makeClaiming({ pdfa: '2a', pdfua: '1', isTagged: true })

/** The samples of one pixel for each PNG color type. */
const PIXELS = { 0: [90], 2: [200, 10, 10], 6: [200, 10, 10, 90] }

function image(colorType: 0 | 2 | 6, bits: 8 | 16 = 8): object {
  const bytes = makePng({ width: 4, height: 4, colorType, bits, pixel: () => PIXELS[colorType] })
  return {
    type: 'image',
    image: { name: 'a.png', dataBase64: bytes.toString('base64') },
    opacity: 1,
    position: 'center',
  }
}

describe('claims of PDF/A and PDF/UA', () => {
  it.each([
    ['rotate-pdf', { angle: 90 }],
    ['rotate-pdf', { angle: 90, bake: true }],
    ['delete-pages', { pages: [2] }],
    ['extract-pages', { pages: [1, 3] }],
    ['organize-pdf', { pageOrder: [3, 1, 2] }],
    ['reverse-pages', {}],
    ['add-blank-page', { position: 'end' }],
    ['crop-pdf', { margins: 20 }],
    ['remove-annotations', {}],
    ['edit-metadata', { title: 'New' }],
    ['page-numbers', {}],
    ['header-footer', { headerText: 'Header', color: '#123456' }],
    ['add-watermark', { text: 'DRAFT', opacity: 0.3 }],
    ['pdf-redaction', { search: [{ text: 'in no page of this file' }] }],
  ])('are kept by %s with %j', async (tool, options) => {
    expect(await claimsAfter(tool, BOTH, options)).toEqual(KEPT)
  })

  it.each([
    ['flatten-pdf', { rasterize: true }, []],
    ['pdf-redaction', { areas: [{ page: 1, x: 50, y: 590, width: 100, height: 30 }] }, []],
    ['crop-pdf', { margins: 100, mode: 'remove' }, []],
    ['add-watermark', { text: 'DRAFT', visibility: 'print' }, []],
    ['organize-pdf', { pageOrder: [1, 2, 3, 1] }, []],
    ['edit-metadata', { language: '' }, []],
    ['edit-metadata', { title: '' }, ['pdfa 2A']],
    ['edit-metadata', { viewer: { displayTitle: false } }, ['pdfa 2A']],
    ['edit-metadata', { custom: { Order: '7' } }, ['pdfua 1']],
    ['remove-metadata', {}, []],
  ])('are removed by %s with %j if the tool may break them', async (tool, options, claims) => {
    expect(await claimsAfter(tool, BOTH, options)).toEqual({ claims, isWarned: true })
  })

  it('are removed if transparency is added to PDF/A-1, and to later parts without an output intent', async () => {
    const faint = { text: 'DRAFT', opacity: 0.3 }
    const opaque = { ...faint, opacity: 1 }
    for (const [pdfa, components, options, isKept] of [
      ['1b', 3, faint, false],
      ['1b', 3, opaque, true],
      ['1b', 3, { ...opaque, outline: true }, false],
      ['2b', 3, faint, true],
      ['2b', 0, faint, false],
      ['3u', 3, { ...opaque, outline: true }, true],
      ['4', 3, faint, true],
    ] as const) {
      const after = await claimsAfter('add-watermark', makeClaiming({ pdfa, components }), options)
      expect(after, `${pdfa} ${components} ${JSON.stringify(options)}`).toEqual(
        isKept ? { claims: [`pdfa ${pdfa.toUpperCase()}`], isWarned: false } : { claims: [], isWarned: true },
      )
    }
  })

  it('are removed if colors or images are added that the output intent does not cover', async () => {
    const text = (color: string) => ({ text: 'DRAFT', opacity: 1, color })
    for (const [components, options, isKept] of [
      [3, text('#ff0000'), true],
      [4, text('#ff0000'), false],
      [4, text('#808080'), true],
      [1, text('#000000'), true],
      [0, text('#000000'), false],
      [1, image(2), false],
      [3, image(2), true],
      [1, image(0), true],
    ] as const) {
      const after = await claimsAfter('add-watermark', makeClaiming({ pdfa: '2b', components }), options)
      expect(after.claims, `${components} ${JSON.stringify(options).slice(0, 80)}`).toEqual(isKept ? ['pdfa 2B'] : [])
      expect(after.isWarned).toBe(!isKept)
    }
  })

  it('are removed if alpha or 16 bits are added to PDF/A-1', async () => {
    for (const [options, isKept] of [
      [image(2), true],
      [image(6), false],
      [image(2, 16), false],
    ] as const) {
      const { claims } = await claimsAfter('add-watermark', makeClaiming({ pdfa: '1b' }), options)
      expect(claims).toEqual(isKept ? ['pdfa 1B'] : [])
    }
  })

  it('remain after a merge if all files claim them', async () => {
    const one = makeClaiming({ pdfa: '2b', pdfua: '1' })
    for (const [other, claims] of [
      [numbered(), []],
      [makeClaiming({ pdfa: '2b', salt: 'other' }), ['pdfa 2B']],
      [makeClaiming({ pdfa: '2u', salt: 'other' }), ['pdfa 2B']],
      [makeClaiming({ pdfa: '1b', salt: 'other' }), []],
      [makeClaiming({ pdfua: '1', salt: 'other' }), ['pdfua 1']],
      [makeClaiming({ pdfa: '2b', pdfua: '1', profile: 'another', salt: 'other' }), ['pdfua 1']],
      [makeClaiming({ pdfa: '2a', pdfua: '1', salt: 'other' }), ['pdfa 2B', 'pdfua 1']],
    ] as const) {
      expect(await claimsAfter('merge-pdf', [one, other])).toEqual({ claims, isWarned: claims.length < 2 })
    }
    expect(
      (await claimsAfter('merge-pdf', [makeClaiming({ pdfa: '2u' }), makeClaiming({ pdfa: '2b' })])).claims,
    ).toEqual([])
    expect(await claimsAfter('merge-pdf', [numbered(), one])).toEqual({ claims: [], isWarned: false })
  })

  it('are removed without another change of the metadata', async () => {
    const { bytes } = await runOn('merge-pdf', [
      makeClaiming({ pdfa: '2b', info: '/Title(Claims)/Order(7)' }),
      numbered(),
    ])
    expect(await readPdfjsClaims(bytes)).toMatchObject({ claims: [], title: 'Claims' })
    expect(bytes.includes('pdfaid:')).toBe(false)
  })
})
