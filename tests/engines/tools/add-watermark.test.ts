import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isEngineError } from '../../../engines/errors'
import { addWatermark } from '../../../engines/tools/add-watermark'
import { isRequestError } from '../../../lib/errors'
import { createPdfToolOperation } from '../../../lib/operations/pdf-tool'
import { makeEncryptedPdf } from '../../contract/documents'
import { Draft, numbered } from '../../fixtures/draft'
import { makeJpeg } from '../../fixtures/jpeg'
import { PdfWriter } from '../../fixtures/pdf-writer'
import { makePng } from '../../fixtures/png'
import { readPdf, renderPage } from '../../support/reader'
import { LIMITS, runOn } from '../../support/run-on'
import { readSound, type StrictPdf } from '../../support/strict-pdf'
import { findNewInk } from '../../support/new-ink'
import { DEFAULT_HINTS } from '../../support/field-hints'

const five = numbered()

/** Pages whose displayed orientation or size differs from user space. */
const ODD_PAGES: Record<string, Buffer> = {
  'a plain page': numbered({ pages: 1 }),
  'a page turned by 90': numbered({ pages: 1, rotate: { 1: 90 } }),
  'a page turned by 180': numbered({ pages: 1, rotate: { 1: 180 } }),
  'a page turned by 270 with a box that starts elsewhere': numbered({
    pages: 1,
    rotate: { 1: 270 },
    origin: [30, -40],
  }),
  'a page with a CropBox': numbered({ pages: 1, crop: [60, 80, 500, 760] }),
  'a page turned by 90 with a CropBox': numbered({ pages: 1, rotate: { 1: 90 }, crop: [60, 80, 500, 760] }),
}

async function mark(file: Buffer, options: object, limits = {}) {
  const result = await runOn('add-watermark', file, options, limits)
  const strict = readSound(result.bytes)
  return { ...result, strict }
}

const png = makePng({ width: 20, height: 10, colorType: 2, bits: 8, pixel: x => (x < 10 ? [255, 0, 0] : [0, 0, 255]) })
const fileOf = (bytes: Buffer, name = 'mark.png') => ({ name, dataBase64: bytes.toString('base64') })

/**
 * A page of 200 × 100 points as displayed, rotated by 90. Its left half is yellow, its right half blue. Page 2 is
 * green.
 */
function makeStamp(): Buffer {
  const file = new PdfWriter()
  const tree = file.reserve()
  // The two streams split an operation, and the first stream leaves a graphics state open.
  const contents = [
    file.addStream('', '1 1 0 rg q 10 20 100'),
    file.addPlainStream('', '100 re f q 0 0 1 rg 10 120 100 100 re f'),
  ]
  const page = file.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[10 20 110 220]/Rotate ` +
      `90/Resources<<>>/Contents[${contents.map(ref => `${ref} 0 R`).join(' ')}]>>`,
  )
  const green = file.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 50 50]/Contents ${file.addStream('', '0 1 0 rg 0 0 50 50 re f')} ` +
      '0 R>>',
  )
  file.set(tree, `<</Type/Pages/Kids[${page} 0 R ${green} 0 R]/Count 2>>`)
  return file.write({ root: file.add(`<</Type/Catalog/Pages ${tree} 0 R>>`), layout: 'streams' })
}

/** Red, green and blue at a point of the page as displayed, counted from the lower left. */
async function colorAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { width, height, pixels } = await renderPage(bytes, 0)
  const at = (Math.floor(height - y) * width + Math.floor(x)) * 4
  return [pixels[at + 2] ?? -1, pixels[at + 1] ?? -1, pixels[at] ?? -1]
}

describe('add-watermark: text', () => {
  it('is on every selected page, with the existing content, as an artifact', async () => {
    const { bytes, strict, warnings } = await mark(five, {
      type: 'text',
      text: 'CONFIDENTIAL',
      position: 'diagonal',
      opacity: 0.25,
      fontSize: 48,
      pages: '1,3-',
    })
    const texts = (await readPdf(bytes)).pages.map(page => page.text.replace(/\s/g, ''))
    expect(texts.map(text => text.includes('CONFIDENTIAL'))).toEqual([true, false, true, true, true])
    expect(texts.every((text, index) => text.includes(`PAGE${index + 1}OF5`))).toBe(true)
    expect(warnings).toEqual([])
    expect(contentsOf(strict).find(content => content.includes('/Watermark'))).toMatch(
      /^q\n\/Artifact <<\/Type \/Pagination \/Subtype \/Watermark>> BDC\n[^]*Do\nEMC\nQ\n$/,
    )
  })

  for (const [name, file] of Object.entries(ODD_PAGES)) {
    it(`rises from lower left to upper right at the angle of ${name}`, async () => {
      const ink = await findNewInk(file, (await mark(file, { text: 'CONFIDENTIAL' })).bytes)
      expect(ink.slope).toBeGreaterThan(0.9)
      // Round letters do not reach the corners of their box.
      expect(Math.abs((ink.left + ink.right - ink.width) / 2)).toBeLessThan(8)
      expect(Math.abs((ink.bottom + ink.top - ink.height) / 2)).toBeLessThan(8)
      const [across, up] = [(ink.right - ink.left) / ink.width, (ink.top - ink.bottom) / ink.height]
      for (const share of [across, up]) expect(share).toBeGreaterThan(0.68)
      expect(Math.max(across, up)).toBeLessThan(0.85)
    })

    it(`is placed at the nine positions of ${name}`, async () => {
      for (const [position, x, y] of [
        ['top-left', 0, 1],
        ['top', 0.5, 1],
        ['top-right', 1, 1],
        ['left', 0, 0.5],
        ['center', 0.5, 0.5],
        ['right', 1, 0.5],
        ['bottom-left', 0, 0],
        ['bottom', 0.5, 0],
        ['bottom-right', 1, 0],
      ] as const) {
        const ink = await findNewInk(
          file,
          (await mark(file, { text: 'Hamburg', position, fontSize: 20, opacity: 1, margin: 30 })).bytes,
        )
        const expected = {
          left: 30 + x * (ink.width - 60) - x * (ink.right - ink.left),
          bottom: 30 + y * (ink.height - 60) - y * (ink.top - ink.bottom),
        }
        expect(Math.abs(ink.left - expected.left), position).toBeLessThan(1.6)
        expect(Math.abs(ink.bottom - expected.bottom), position).toBeLessThan(1.6)
        expect((ink.right - ink.left) / (ink.top - ink.bottom), position).toBeGreaterThan(3)
      }
    })
  }

  it('falls with diagonal-down, and rotates counterclockwise otherwise', async () => {
    expect(
      (await findNewInk(five, (await mark(five, { text: 'CONFIDENTIAL', position: 'diagonal-down' })).bytes)).slope,
    ).toBeLessThan(-0.9)
    expect(
      (await findNewInk(five, (await mark(five, { text: 'CONFIDENTIAL', position: 'center', rotation: 30 })).bytes))
        .slope,
    ).toBeGreaterThan(0.9)
    const upright = await findNewInk(
      five,
      (await mark(five, { text: 'CONFIDENTIAL', position: 'left', rotation: 90, fontSize: 20, opacity: 1 })).bytes,
    )
    expect([Math.round(upright.left / 4), (upright.top - upright.bottom) / (upright.right - upright.left) > 5]).toEqual(
      [7, true],
    )
  })

  it('has the requested color and opacity, also if tiles overlap', async () => {
    const faint = await findNewInk(
      five,
      (await mark(five, { text: 'MMMM', fontSize: 90, opacity: 0.25, color: '#000' })).bytes,
    )
    expect(Math.abs(faint.deepest - 64)).toBeLessThan(2)
    const turned = {
      text: 'MMMMMMMM',
      position: 'tile',
      rotation: 0,
      fontSize: 60,
      spacing: { x: 0, y: 0 },
      opacity: 0.25,
      color: { r: 0, g: 0, b: 0 },
    }
    expect(Math.abs((await findNewInk(five, (await mark(five, turned)).bytes)).deepest - 64)).toBeLessThan(2)
  })

  it('has the requested size, and is reduced with a warning if it does not fit', async () => {
    const height = async (fontSize: number) => {
      const ink = await findNewInk(
        five,
        (await mark(five, { text: 'HHH', position: 'center', fontSize, opacity: 1 })).bytes,
      )
      return ink.top - ink.bottom
    }
    expect((await height(80)) / (await height(20))).toBeCloseTo(4, 0)
    const large = await mark(five, { text: 'Much too long for this page', fontSize: 200 })
    const ink = await findNewInk(five, large.bytes)
    expect(large.warnings).toEqual(['watermark-shrunk'])
    expect([ink.left > 20, ink.right < ink.width - 20, ink.bottom > 20, ink.top < ink.height - 20]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('fills placeholders page by page, and keeps doubled braces as braces', async () => {
    const { bytes } = await runOn(
      'add-watermark',
      five,
      { text: '{page}/{total}\n{date} {filename}\n{{page}}', position: 'top-left', fontSize: 20, opacity: 1 },
      { now: new Date('2026-03-04T23:30:00Z') },
    )
    const { pages } = await readPdf(bytes)
    for (const [index, { text }] of pages.entries()) {
      expect(text).toContain(`${index + 1}/5`)
      expect(text).toMatch(/2026-03-04 input\s+\{page\}/)
    }
  })

  it('fills the page with staggered tiles that end at its edge', async () => {
    const { bytes, strict } = await mark(five, { text: 'DRAFT', position: 'tile', fontSize: 24, opacity: 1 })
    const text = (await readPdf(bytes)).pages[0]?.text ?? ''
    expect(text.split('DRAFT').length).toBeGreaterThan(20)
    const ink = await findNewInk(five, bytes)
    expect(
      [ink.left, ink.bottom].every(edge => edge < 2) && ink.right > ink.width - 2 && ink.top > ink.height - 60,
    ).toBe(true)
    const boxes = [...strict.objects.values()].map(({ value }) => strict.dict(value).get('BBox'))
    expect(boxes).toContainEqual([0, 0, 612, 792])
  })

  it('draws only outlines if requested: far less ink, with the text still present', async () => {
    const options = { text: 'BOLD', position: 'center', bold: true, opacity: 1, color: '#000000' }
    const [filled, outlined] = [await mark(five, options), await mark(five, { ...options, outline: true })]
    const [full, empty] = [await findNewInk(five, filled.bytes), await findNewInk(five, outlined.bytes)]
    expect(empty.count / full.count).toBeLessThan(0.45)
    expect(Math.abs(empty.right - full.right)).toBeLessThan(8)
    expect((await readPdf(outlined.bytes)).pages[0]?.text.replace(/\s/g, '')).toContain('BOLD')
  })

  it('is one form XObject and one font for all pages of a size, and adds little to the file', async () => {
    const file = numbered({ pages: 60 })
    const { bytes, strict } = await mark(file, { text: 'CONFIDENTIAL' })
    const dicts = [...strict.objects.values()].map(({ value }) => strict.dict(value))
    expect(dicts.filter(dict => dict.get('Group')).length).toBe(1)
    expect(dicts.filter(dict => dict.has('FontFile2')).length).toBe(1)
    expect(bytes.length - file.length).toBeLessThan(20_000)
  })

  it('is the same file for the same input', async () => {
    const options = {
      text: 'AAA {page}',
      marks: [{ position: 'tile' }, { text: '秘密', rotation: 12, position: 'center' }],
    }
    expect((await mark(five, options)).bytes.equals((await mark(five, options)).bytes)).toBe(true)
  })
})

const SCRIPTS = {
  Latin: 'Żółw naïve',
  Greek: 'Εμπιστευτικό',
  Cyrillic: 'Секретно',
  Vietnamese: 'Bảo mật',
  Chinese: '机密文件',
  Japanese: '社外秘カタカナ',
  Korean: '대외비 문서',
  Arabic: 'سري للغاية',
  Hebrew: 'סודי ביותר',
  Hindi: 'गोपनीय दस्तावेज़',
  Thai: 'เอกสารลับ',
}

describe('add-watermark: scripts', () => {
  for (const [script, text] of Object.entries(SCRIPTS)) {
    it(`are drawn as large as Latin text and can be extracted: ${script}`, async () => {
      const { bytes } = await mark(five, { text, position: 'center', fontSize: 40, opacity: 1 })
      const ink = await findNewInk(five, bytes)
      expect(ink.count).toBeGreaterThan(600)
      expect(bytes.length - five.length).toBeLessThan(120_000)
      const seen = ((await readPdf(bytes)).pages[0]?.text ?? '').normalize('NFKC').replace(/\s/g, '')
      const letters = Array.from(text.normalize('NFKC').replace(/\s/g, ''))
      if (script === 'Arabic' || script === 'Hebrew') for (const letter of letters) expect(seen).toContain(letter)
      else expect(seen).toContain(letters.join(''))
    })
  }
})

/** All streams of a file that are short enough to be stored as they are, or deflated. */
function contentsOf(strict: StrictPdf): string[] {
  return [...strict.objects.values()].flatMap(({ value, data }) => {
    if (!data) return []
    return [(strict.dict(value).has('Filter') ? inflateSync(data) : data).toString('latin1')]
  })
}

describe('add-watermark: images', () => {
  it('have their width by the page as displayed, keep their proportions, and are centered by default', async () => {
    for (const file of Object.values(ODD_PAGES)) {
      const ink = await findNewInk(file, (await mark(file, { image: fileOf(png), scale: 0.4, opacity: 1 })).bytes)
      expect(Math.abs((ink.right - ink.left) / ink.width - 0.4)).toBeLessThan(0.02)
      expect((ink.right - ink.left) / (ink.top - ink.bottom)).toBeCloseTo(2, 0)
      expect(
        Math.abs((ink.left + ink.right - ink.width) / 2) + Math.abs((ink.bottom + ink.top - ink.height) / 2),
      ).toBeLessThan(4)
    }
  })

  it('are drawn upright on rotated pages, including JPEG files, with their opacity', async () => {
    const file = ODD_PAGES['a page turned by 90'] as Buffer
    const { bytes } = await mark(file, { type: 'image', image: fileOf(png), scale: 0.5, opacity: 0.5 })
    expect(await colorAt(bytes, 396 - 90, 306)).toEqual([255, 128, 128])
    expect(await colorAt(bytes, 396 + 90, 306)).toEqual([128, 128, 255])
    const jpeg = makeJpeg({ blocks: [[[0], [0]]] })
    expect(await colorAt((await mark(file, { image: fileOf(jpeg, 'a.jpg'), opacity: 1 })).bytes, 396, 306)).toEqual([
      0, 0, 0,
    ])
  })

  it('stay inside the page up to its width, with a warning, and may be larger beyond', async () => {
    const high = fileOf(makePng({ width: 2, height: 20, colorType: 0, bits: 8, pixel: () => [0] }))
    const kept = await mark(five, { image: high, scale: 0.5, opacity: 1 })
    expect(kept.warnings).toEqual(['watermark-shrunk'])
    const ink = await findNewInk(numbered({ pages: 5, salt: 'plain' }), kept.bytes)
    expect((ink.top - ink.bottom) / (ink.right - ink.left)).toBeCloseTo(10, 0)
    expect((await mark(five, { image: high, scale: 1.5, opacity: 1 })).warnings).toEqual([])
  })
})

describe('add-watermark: pages of other PDFs', () => {
  const stamp = makeStamp()

  it('are drawn as displayed, whatever their boxes and streams', async () => {
    for (const file of [numbered({ pages: 1 }), ODD_PAGES['a page turned by 180'] as Buffer]) {
      const { bytes } = await mark(file, { type: 'pdf', stamp: fileOf(stamp, 'stamp.pdf'), scale: 0.5, opacity: 1 })
      const ink = await findNewInk(file, bytes)
      expect([ink.left, ink.right, ink.bottom, ink.top].map(Math.round)).toEqual(
        [154, 459, 320, 473].map(value => expect.closeTo(value, -0.5) as number),
      )
      expect(await colorAt(bytes, 306 - 70, 396)).toEqual([255, 255, 0])
      expect(await colorAt(bytes, 306 + 70, 396)).toEqual([0, 0, 255])
    }
  })

  it('are selected by page number, and one file can be used for several watermarks', async () => {
    const once = await mark(five, { stamp: fileOf(stamp), stampPage: 2, opacity: 1 })
    expect(await colorAt(once.bytes, 306, 396)).toEqual([0, 255, 0])
    const twice = await mark(five, {
      opacity: 1,
      stamp: fileOf(stamp),
      marks: [{ position: 'top' }, { position: 'bottom', stampPage: 2 }],
    })
    expect((await readPdf(twice.bytes)).pages.length).toBe(5)
  })

  it('add their fonts and text, and nothing else of their file', async () => {
    const draft = new Draft({ pages: 3, salt: 'stamp' })
    const { bytes } = await mark(five, { stamp: fileOf(draft.write()), scale: 1, opacity: 1 })
    expect((await readPdf(bytes)).pages[2]?.text).toContain('PAGE 1 OF 3')
    expect(bytes.length - five.length).toBeLessThan(4000)
  })

  it("return an error with the option's name if the file is encrypted, broken or has no such page", async () => {
    const refusals: [Buffer, object, string, RegExp][] = [
      [makeEncryptedPdf(), {}, 'options.stamp', /options\.stamp: .*(encrypted|password)/],
      [Buffer.from('no pdf'), {}, 'options.stamp', /options\.stamp: /],
      [stamp, { stampPage: 3 }, 'options.stampPage', /page 3 is not in this 2-page document/],
    ]
    for (const [bytes, more, param, message] of refusals) {
      const error = await thrown(() => runOn('add-watermark', five, { stamp: fileOf(bytes, 'stamp.pdf'), ...more }))
      expect([error.problems[0]?.param, error.message]).toEqual([param, expect.stringMatching(message)])
    }
    const marked = await thrown(() =>
      runOn('add-watermark', five, { marks: [{ text: 'A' }, { image: fileOf(Buffer.from('no picture')) }] }),
    )
    expect(marked.message).toBe('options.marks[1].image: must be a PNG or JPEG file.')
  })
})

async function thrown(run: () => Promise<unknown>) {
  const error: unknown = await run().catch((cause: unknown) => cause)
  if (!isEngineError(error)) throw new Error('was not refused', { cause: error })
  return error
}

describe('add-watermark: layers', () => {
  const page = (content: string, resources: (file: PdfWriter) => string = () => '') => {
    const file = new PdfWriter()
    const tree = file.reserve()
    const leaf = file.add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 300 400]/Resources<<${resources(file)}>>/Contents ` +
        `${file.addStream('', content)} 0 R>>`,
    )
    file.set(tree, `<</Type/Pages/Kids[${leaf} 0 R]/Count 1>>`)
    return file.write({ root: file.add(`<</Type/Catalog/Pages ${tree} 0 R>>`) })
  }
  const bitmap = (file: PdfWriter, more = '') =>
    '/XObject<</Scan ' +
    `${file.addStream(`/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8${more}`, Buffer.from([250, 240, 230, 220]))} ` +
    '0 R>>'

  it('is below the content of the page', async () => {
    const file = page('1 0 0 rg 100 150 100 100 re f')
    const options = { text: 'MMMMMM', position: 'center', fontSize: 100, color: '#000000', opacity: 1 }
    expect((await findNewInk(file, (await mark(file, { ...options, layer: 'under' })).bytes)).count).toBeGreaterThan(
      500,
    )
    expect(await colorAt((await mark(file, { ...options, layer: 'under' })).bytes, 150, 200)).toEqual([255, 0, 0])
    expect((await findNewInk(file, (await mark(file, options)).bytes)).count).toBeGreaterThan(
      (await findNewInk(file, (await mark(file, { ...options, layer: 'under' })).bytes)).count,
    )
  })

  const hidden: Record<string, Buffer> = {
    'a scan': page('q 300 0 0 400 0 0 cm /Scan Do Q', bitmap),
    'a scan in strips inside a form': page('/Form Do', file => {
      const scan = bitmap(file)
      return (
        '/XObject<</Form ' +
        `${file.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 300 400]/Matrix[2 0 0 2 0 0]/Resources<<${scan}>>`, 'q 150 0 0 100 0 0 cm /Scan Do Q q 150 0 0 100 0 100 cm /Scan Do Q')} ` +
        '0 R>>'
      )
    }),
    'a white background': page('1 g -5 -5 310 410 re f 0 g 10 10 50 50 re f'),
  }
  const open: Record<string, Buffer> = {
    'a small picture': page('q 200 0 0 200 0 0 cm /Scan Do Q', bitmap),
    'a picture with a mask': page('q 300 0 0 400 0 0 cm /Scan Do Q', file => bitmap(file, '/Mask[250 250]')),
    'a frame': page('0 0 300 400 re S'),
    'a background that can be seen through': page(
      '/Half gs 1 g 0 0 300 400 re f',
      () => '/ExtGState<</Half<</ca 0.5>>>>',
    ),
    text: page('BT ET'),
  }
  for (const [name, file] of Object.entries(hidden)) {
    it(`is hidden below ${name}, with a warning`, async () => {
      const { bytes, warnings } = await mark(file, { text: 'HIDDEN', layer: 'under', opacity: 1 })
      expect(warnings).toEqual(['watermark-hidden'])
      expect((await findNewInk(file, bytes)).count).toBe(0)
      expect((await mark(file, { text: 'SEEN' })).warnings).toEqual([])
    })
  }
  for (const [name, file] of Object.entries(open)) {
    it(`is visible with ${name}`, async () => {
      const { bytes, warnings } = await mark(file, { text: 'SEEN', layer: 'under', opacity: 1 })
      expect(warnings).toEqual([])
      expect((await findNewInk(file, bytes)).count).toBeGreaterThan(100)
    })
  }

  it('is visible only in print, or only on screen, if requested', async () => {
    for (const [visibility, onScreen, inPrint] of [
      ['always', true, true],
      ['print', false, true],
      ['screen', true, false],
    ] as const) {
      const { bytes } = await mark(five, { text: 'VIEW', visibility })
      expect([
        (await findNewInk(five, bytes)).count > 0,
        (await findNewInk(five, bytes, 0, { isPrint: true })).count > 0,
      ]).toEqual([onScreen, inPrint])
    }
  })

  it('stays so after a merge and a selection of pages', async () => {
    const { bytes } = await mark(five, {
      text: 'VIEW',
      marks: [{ visibility: 'print' }, { visibility: 'screen', position: 'top' }],
    })
    const merged = (await runOn('merge-pdf', [bytes, numbered({ salt: 'other' })])).bytes
    const chosen = (await runOn('extract-pages', merged, { pages: [2] })).bytes
    const plain = (await runOn('extract-pages', five, { pages: [2] })).bytes
    const [screen, print] = [await findNewInk(plain, chosen), await findNewInk(plain, chosen, 0, { isPrint: true })]
    expect(screen.bottom).toBeGreaterThan(screen.height / 2)
    expect(print.slope).toBeGreaterThan(0.75)
  })
})

describe('add-watermark: errors before the file is opened', () => {
  async function refusalOf(options: object): Promise<{ param?: string; message: string }[]> {
    try {
      await createPdfToolOperation(addWatermark).parse(
        {
          encoding: 'json',
          fields: { options },
          files: [{ field: 'file', name: 'a.pdf', chunks: [Buffer.from('a')], byteLength: 1 }],
        },
        DEFAULT_HINTS,
      )
    } catch (error) {
      if (isRequestError(error)) return error.problems ?? [{ message: error.message }]
      throw error
    }
    return []
  }

  const cases: [string, object, string, RegExp][] = [
    [
      'an opacity of 25',
      { text: 'A', opacity: 25 },
      'options.opacity',
      /must be a fraction from 0 to 1\. Got 25\. Did you mean 0\.25/,
    ],
    [
      'a position that does not exist',
      { text: 'A', position: 'diagnal' },
      'options.position',
      /diagonal.*tile.*top-left/,
    ],
    ['no text', {}, 'options.text', /is required for type "text"/],
    ['an empty text', { text: ' \n ' }, 'options.text', /must not be empty\. Send the text to draw/],
    ['a text of 1 MB', { text: 'x'.repeat(2 ** 20) }, 'options.text', /at most 500/],
    ['half a character', { text: 'a\ud800' }, 'options.text', /unpaired surrogate/],
    ['the control character', { text: 'a\u0007b' }, 'options.text', /control character U\+0007/],
    [
      'a placeholder that does not exist',
      { text: 'Page {pag}' },
      'options.text',
      /has the unknown placeholder "\{pag\}"\. Did you mean \{page\}/,
    ],
    ['a font size of 0', { text: 'A', fontSize: 0 }, 'options.fontSize', /at least 4\. Got 0/],
    ['a font size of 10000', { text: 'A', fontSize: 10_000 }, 'options.fontSize', /at most 500\. Got 10000/],
    [
      'a rotation on a diagonal',
      { text: 'A', rotation: 45 },
      'options.rotation',
      /can't be combined with position "diagonal"/,
    ],
    ['a rotation beyond a turn', { text: 'A', position: 'center', rotation: 400 }, 'options.rotation', /at most 360/],
    [
      'a font size for a picture',
      { image: fileOf(png), fontSize: 20 },
      'options.fontSize',
      /doesn't apply to type "image". Use scale/,
    ],
    ['a type without its file', { type: 'pdf', text: 'A' }, 'options.stamp', /is required for type "pdf"/],
    ['a scale of 50', { image: fileOf(png), scale: 50 }, 'options.scale', /at most 10/],
    [
      'a picture that must be base64',
      { image: { name: 'a.png', dataBase64: 'ä' } },
      'options.image.dataBase64',
      /must be base64/,
    ],
    [
      'eleven marks',
      { text: 'A', marks: Array.from({ length: 11 }, () => ({})) },
      'options.marks',
      /at most 10 entries\. Got 11/,
    ],
    [
      'a fault in the second mark',
      { marks: [{ text: 'A' }, { text: 'B', opacity: -1 }] },
      'options.marks[1].opacity',
      /must be a fraction/,
    ],
    [
      'a mark without content',
      { marks: [{ text: 'A' }, { position: 'tile' }] },
      'options.marks[1].text',
      /is required/,
    ],
    ['an unknown key', { text: 'A', fontsize: 12 }, 'options.fontsize', /Did you mean "fontSize"/],
  ]
  for (const [name, options, param, message] of cases) {
    it(`name the value and the limit: ${name}`, async () => {
      expect(await refusalOf(options)).toContainEqual({ param, message: expect.stringMatching(message) as string })
    })
  }
})

describe('add-watermark: errors that depend on the document', () => {
  it('name the problem and a valid value', async () => {
    const cases: [options: object, param: string, message: RegExp, reason?: string][] = [
      [{ text: 'A', pages: '9' }, 'options.pages', /outside this 5-page document/, 'page_missing'],
      [{ text: 'A\u{10ffff}' }, 'options.text', /no font has/],
      [{ text: '\u200b' }, 'options.text', /must contain visible characters/],
      [
        { text: 'A', position: 'center', offset: { x: 5000 } },
        'options.offset',
        /moves the watermark off a page of 612 × 792 points/,
      ],
      [{ text: '.', position: 'tile', fontSize: 4, spacing: { x: 0, y: 0 } }, 'options.spacing', /at most 4,000 tiles/],
      [
        { marks: [{ text: 'A' }, { text: 'B', pages: [7] }] },
        'options.marks[1].pages[0]',
        /page 7 is not in this 5-page document/,
        'page_missing',
      ],
    ]
    for (const [options, param, message, reason = 'options_invalid'] of cases) {
      const error = await thrown(() => runOn('add-watermark', five, options))
      expect([error.reason, error.problems[0]?.param, error.message]).toEqual([
        reason,
        param,
        expect.stringMatching(message),
      ])
    }
    const large = await thrown(() => runOn('add-watermark', five, { image: fileOf(png) }, { ...LIMITS, maxPixels: 75 }))
    expect(large.message).toContain('must have at most 100 pixels. Got 20 × 10')
  })
})
