import { describe, expect, it } from 'vitest'
import { headerFooter } from '../../../engines/tools/header-footer'
import { describeIssues } from '../../../lib/operations/problems'
import { replaceText } from '../../fixtures/damaged'
import { Draft, numbered } from '../../fixtures/draft'
import { makePng } from '../../fixtures/png'
import { findNewInk } from '../../support/new-ink'
import { type Image, readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound, StrictPdf } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

const five = numbered()
const NOW = new Date('2026-11-05T23:30:00Z')

async function put(file: Uint8Array, options: unknown): Promise<Buffer> {
  const { bytes } = await runOn('header-footer', file, options, { now: NOW, name: 'Akte 7.pdf' })
  readSound(bytes)
  return bytes
}

/** The lines added to each page, in drawing order. */
async function added(options: unknown, file: Uint8Array = five): Promise<string[]> {
  const [before, after] = [await readPdf(file), await readPdf(await put(file, options))]
  return after.pages.map(({ text }, index) => {
    const old = before.pages[index]?.text ?? ''
    expect(text.startsWith(old)).toBe(true)
    return text
      .slice(old.length)
      .trim()
      .replace(/\s*\r?\n\s*/g, ' | ')
  })
}

/** The lines added to the first page. */
async function first(options: unknown, file: Uint8Array = five): Promise<string> {
  return (await added(options, file))[0] ?? ''
}

/** The error messages that a client receives. */
function problemOf(options: unknown): string {
  const parsed = headerFooter.options.safeParse(options)
  if (parsed.success) return ''
  return describeIssues(parsed.error.issues, { schema: headerFooter.options, input: options, name: 'options' })
    .map(({ param, message }) => `${param}: ${message}`)
    .join('\n')
}

function withInfo(info: string): Buffer {
  const draft = new Draft({ pages: 1 })
  draft.trailer.push(`/Info ${draft.pdf.add(`<<${info}>>`)} 0 R`)
  return draft.write()
}

describe('header-footer: text', () => {
  it('accepts texts by position, a single text, or both together', async () => {
    expect(await first({ header: { left: 'L', center: 'C', right: 'R' }, footer: { left: 'l', right: 'r' } })).toMatch(
      /^L\W+C\W+R\W+l\W+r$/,
    )
    expect(await first({ headerText: 'Top', footerText: 'Bottom' })).toMatch(/^Top\W+Bottom$/)
    expect(await first({ header: { center: 'A' }, headerText: 'B', footer: { right: 'x' }, footerText: 'y' })).toMatch(
      /^A\W+y\W+x$/,
    )
    expect(await first({ header: { center: '', right: 'R' }, headerText: 'B' })).toMatch(/^B\W+R$/)
    expect(await first({ header: { center: 'A' }, headerText: 'B', align: 'left' })).toMatch(/^B\W+A$/)
  })

  const placeholders: [string, object, string][] = [
    ['{page}/{total}', {}, '1/5'],
    ['{page:roman} {total:ALPHA}', { startNumber: 4 }, 'iv H'],
    ['{date}', {}, '2026-11-05'],
    ['{date} {time}', { timezone: 'Asia/Tokyo' }, '2026-11-06 08:30'],
    ['{date:D MMMM YYYY}', { locale: 'pl' }, '5 listopada 2026'],
    ['{date:MMMM}', { locale: 'pl' }, 'listopad'],
    ['{date}', { dateFormat: 'dd.MM.yyyy' }, '05.11.2026'],
    ['{date}', { dateFormat: 'long', locale: 'de' }, '5. November 2026'],
    ['{date}', { dateFormat: 'YYYY年M月D日 dddd', locale: 'ja' }, '2026年11月5日 木曜日'],
    ['{date:[on] ddd} {time:h:mm A}', {}, 'on Thu 11:30 PM'],
    ['{time:short}', { locale: 'en' }, '11:30 PM'],
    ['{filename}', {}, 'Akte 7'],
    ['{{page}} {{{page}}}', {}, '{page} {1}'],
  ]
  for (const [text, options, wanted] of placeholders) {
    it(`writes ${text} with ${JSON.stringify(options)} as ${wanted}`, async () => {
      expect(await first({ headerText: text, ...options })).toBe(wanted)
    })
  }

  it('takes title and author from the document, and draws nothing if they are missing', async () => {
    const file = withInfo('/Title<FEFF005400FC0072000A0032>/Author(Ada)')
    expect(await first({ headerText: '{title}, {author}{subject}' }, file)).toBe('Tür 2, Ada')
    expect(await first({ headerText: '{title}', footerText: 'x' })).toBe('x')
    expect(await first({ headerText: '{title}' }, withInfo(`/Title(${'word '.repeat(100)})`))).toMatch(/word…$/)
  })

  it('changes the selected pages only', async () => {
    expect(await added({ headerText: 'h{page}', pageRange: 'even' })).toEqual(['', 'h2', '', 'h4', ''])
    expect(await added({ headerText: 'h{page}', pages: [5, 1] })).toEqual(['h1', '', '', '', 'h5'])
    expect(await added({ headerText: 'h', skipFirst: 5 })).toEqual(['', '', '', '', ''])
    expect(await added({ headerText: 'h{page} {total}', skipFirst: 3, startNumber: 11 })).toEqual([
      '',
      '',
      '',
      'h14 15',
      'h15 15',
    ])
  })

  it('draws different texts on odd and even pages, or mirrors them', async () => {
    const options = {
      header: { left: 'L', right: 'R' },
      oddEven: { even: { header: { left: 'E', right: '' } }, odd: { footer: { center: 'o' } } },
      pages: '1-2',
    }
    const [odd, even] = await added(options)
    expect(odd).toMatch(/^L\W+R\W+o$/)
    expect(even).toBe('E')
    const mirrored = await added({ header: { left: 'L', center: 'C' }, mirror: true, pages: '1-2' })
    expect(mirrored[0]).toMatch(/^L\W+C$/)
    expect(mirrored[1]).toMatch(/^C\W+L$/)
    const [one, two] = await added({
      header: { left: 'L', right: 'R' },
      mirror: true,
      oddEven: { even: { header: { left: 'E' } } },
      pages: '1-2',
    })
    expect(one).toMatch(/^L\W+R$/)
    expect(two).toMatch(/^E\W+L$/)
  })

  it('marks headers and footers as artifacts', async () => {
    const marks = [
      '/Artifact <</Type /Pagination /Subtype /Header>> BDC',
      '/Artifact <</Type /Pagination /Subtype /Footer>> BDC',
    ]
    expect(findTraces(await put(five, { headerText: 'a', footerText: 'b' }), marks)).toEqual(marks)
  })
})

describe('header-footer: position', () => {
  const pages: Record<string, Buffer> = {
    'a plain page': five,
    'a page turned by 90': numbered({ pages: 1, rotate: { 1: 90 } }),
    'a page turned by 180 with a CropBox': numbered({ pages: 1, rotate: { 1: 180 }, crop: [60, 80, 500, 760] }),
    'a page turned by 270 whose box starts elsewhere': numbered({
      pages: 1,
      rotate: { 1: 270 },
      origin: [-200, 100],
      inherits: true,
    }),
  }
  for (const [name, file] of Object.entries(pages)) {
    for (const makeRoom of [false, true]) {
      it(`keeps the margin on ${name}${makeRoom ? ', with room made' : ''}`, async () => {
        // White text separates the added room from the visible text.
        const find = async (options: object) =>
          findNewInk(
            await put(file, { ...options, color: '#ffffff', makeRoom }),
            await put(file, { ...options, makeRoom }),
          )
        const header = await find({ header: { left: 'Heading', right: 'Heading' }, margin: 40 })
        expect(
          [header?.left, (header?.width ?? 0) - (header?.right ?? 0)].every(edge => Math.abs((edge ?? 0) - 40) <= 3),
        ).toBe(true)
        expect(Math.abs((header?.height ?? 0) - (header?.top ?? 0) - 42)).toBeLessThanOrEqual(3)
        const footer = await find({ footer: { center: 'Footing' }, margin: 40 })
        expect(Math.abs((footer?.bottom ?? 0) - 41)).toBeLessThanOrEqual(3)
        expect(Math.abs(((footer?.left ?? 0) + (footer?.right ?? 0) - (footer?.width ?? 0)) / 2)).toBeLessThanOrEqual(2)
      })
    }
  }

  it('breaks text that does not fit beside its neighbors, without overlaps or text beyond the page', async () => {
    const long = 'A sentence that is long enough to need more than one line beside what stands at the right'
    for (const size of [
      [612, 792],
      [300, 400],
      [120, 160],
      [60, 40],
    ] as const) {
      const file = numbered({ pages: 1, size: [...size] })
      const alone = (text: object) => put(file, { header: text })
      const blank = file
      const left = await findNewInk(blank, await put(file, { header: { left: long, right: ' ' } }))
      const both = await findNewInk(blank, await put(file, { header: { left: long, right: 'Right side' } }))
      expect(
        both && both.left >= 0 && both.right <= both.width && both.bottom >= 0 && both.top <= both.height,
        String(size),
      ).toBe(true)
      expect(left).toBeDefined()
      expect(
        (await readPdf(await alone({ left: long, right: 'Right side' }))).pages[0]?.text.replace(/\s+/g, ' '),
      ).toContain(long)
    }
  })

  it('leaves a gap between neighboring texts', async () => {
    const long = 'Many words at the left of a page that is not wide enough for them'
    const file = numbered({ pages: 1, size: [400, 500] })
    const options = (left: string, right: string) => ({ header: { left, center: 'The middle of it', right } })
    const all = await put(file, options(long, long))
    const noMiddle = await put(file, { ...options(long, long), color: '#ffffff' })
    expect(await findNewInk(noMiddle, all)).toBeDefined()
    const bitmap = await renderPage(all, 0)
    expect(emptyColumns(bitmap, { from: 28, to: 372, top: 70 })).toBeGreaterThanOrEqual(2)
  })

  it('shrinks a row only if three lines are not enough', async () => {
    const high = async (text: string) => {
      const ink = await findNewInk(five, await put(five, { headerText: text }))
      return (ink?.top ?? 0) - (ink?.bottom ?? 0)
    }
    const [one, three] = [await high('Word word'), await high('word '.repeat(60))]
    expect(three).toBeGreaterThan(one * 2)
    expect(await high('x'.repeat(300))).toBeLessThan(three / 2)
  })

  it('draws a line between the texts and the page', async () => {
    const ink = await findNewInk(five, await put(five, { headerText: 'Head', line: 'thin', color: '#000000' }))
    expect([ink?.left, ink?.right]).toEqual([28, 584])
    expect((ink?.height ?? 0) - (ink?.bottom ?? 0)).toBeLessThan(46)
  })

  it('counts points on pages with /UserUnit', async () => {
    const file = replaceText(numbered({ pages: 1, size: [300, 400] }), '/MediaBox', '/UserUnit 2/MediaBox')
    const ink = await findNewInk(file, await put(file, { header: { left: 'Heading' } }))
    expect(Math.abs((ink?.left ?? 0) - 14)).toBeLessThanOrEqual(2)
  })
})

/** Blank runs of at least four columns as pairs of x, at this distance in points from the top. */
function emptyColumns({ width, pixels }: Image, { from, to, top }: { from: number; to: number; top: number }): number {
  let [runs, length] = [0, 0]
  for (let x = from; x < to; x++) {
    const isEmpty = Array.from({ length: top }, (_, y) => pixels[(y * width + x) * 4] ?? 0).every(value => value > 200)
    length = isEmpty ? length + 1 : 0
    if (length === 8) runs++
  }
  return runs
}

describe('header-footer: room', () => {
  it('scales the page with its annotations, so that nothing is covered', async () => {
    const draft = new Draft({ pages: 1 })
    draft.pages[0]?.content.push('0 0 1 rg 0 0 612 792 re f')
    draft.pages[0]?.annotations.push('<</Type/Annot/Subtype/Square/Rect[0 692 100 792]/C[0 0.6 0]/IC[0 0.6 0]>>')
    const file = draft.write()
    const options = {
      header: { left: 'Two\nlines' },
      footerText: 'Foot',
      color: '#ff0000',
      line: 'thin',
      makeRoom: true,
    }
    const bytes = await put(file, options)
    const bitmap = await renderPage(bytes, 0)
    const { width, height, pixels } = bitmap
    const isRed = (at: number) => (pixels[at + 2] ?? 0) > 150 && (pixels[at] ?? 0) < 120
    const isBlue = (at: number) => (pixels[at] ?? 0) > 150 && (pixels[at + 2] ?? 0) < 100
    const rows = (test: (at: number) => boolean) =>
      Array.from({ length: height }, (_, y) => y).filter(y =>
        Array.from({ length: width }, (_, x) => x).some(x => test((y * width + x) * 4)),
      )
    const [red, blue] = [rows(isRed), rows(isBlue)]
    expect(blue.length).toBeGreaterThan(600)
    expect(blue.filter(y => red.includes(y))).toEqual([])
    expect(red.filter(y => y < height / 2).length).toBeGreaterThan(10)
    expect(red.filter(y => y > height / 2).length).toBeGreaterThan(5)
    const box = new StrictPdf(bytes).pages[0]?.dict.get('MediaBox')
    expect(box).toEqual([0, 0, 612, 792])
  })

  it('scales to 94 % if that is enough', async () => {
    const draft = new Draft({ pages: 1 })
    draft.pages[0]?.content.push('0 0 1 rg 0 0 612 792 re f')
    const { width, height, pixels } = await renderPage(
      await put(draft.write(), { headerText: 'Head', makeRoom: true }),
      0,
    )
    const blue = Array.from({ length: height }, (_, y) => y).filter(
      y => (pixels[(y * width + 306) * 4 + 2] ?? 0) < 100 && (pixels[(y * width + 306) * 4] ?? 0) > 200,
    )
    expect(Math.abs(blue.length - 792 * 0.94)).toBeLessThanOrEqual(2)
  })
})

describe('header-footer: logos', () => {
  const png = makePng({ width: 40, height: 20, colorType: 2, bits: 8, pixel: () => [0, 0, 200] })
  const image = { name: 'logo.png', dataBase64: png.toString('base64') }

  it('places an image at the requested height, with text beside its middle', async () => {
    const file = numbered({ pages: 2, rotate: { 1: 90 } })
    const bytes = await put(file, { header: { left: { image, height: '40pt' } } })
    for (const index of [0, 1]) {
      const ink = await findNewInk(file, bytes, index)
      expect([
        ink?.left,
        ink?.right,
        (ink?.height ?? 0) - (ink?.top ?? 0),
        (ink?.height ?? 0) - (ink?.bottom ?? 0),
      ]).toEqual([28, 108, 28, 68])
    }
    const text = await findNewInk(bytes, await put(file, { header: { left: { image, height: 40 }, right: 'xx' } }), 1)
    expect(Math.abs(((text?.top ?? 0) + (text?.bottom ?? 0)) / 2 - (792 - 48))).toBeLessThan(4)
    expect(findTraces(bytes, ['/Subtype /Image', '/Subtype/Image']).length).toBe(1)
  })

  it('shrinks an image if the page is too small', async () => {
    const file = numbered({ pages: 1, size: [100, 120] })
    const ink = await findNewInk(file, await put(file, { footer: { center: { image, height: 300 }, left: 'a word' } }))
    expect(ink && ink.left >= 0 && ink.right <= 100 && ink.bottom >= 0 && ink.top <= 70).toBe(true)
  })

  it('uses other logos on even pages, and mirrors them', async () => {
    const bytes = await put(five, {
      header: { left: { image } },
      mirror: true,
      oddEven: { even: { footer: { center: { image, height: 10 } } } },
    })
    const [odd, even] = [await findNewInk(five, bytes, 0), await findNewInk(five, bytes, 1)]
    expect([odd?.left, odd?.right, odd?.bottom]).toEqual([28, 76, 740])
    expect([even?.right, even?.bottom]).toEqual([584, 28])
  })

  it("refuses files that aren't images", async () => {
    expect(problemOf({ header: { left: { image: { name: 'a', dataBase64: '%%' } } } })).toContain('must be base64')
    expect(problemOf({ header: { left: { image, height: 0 } } })).toContain('must be 4 to 1000 points. Got 0')
    const text = { name: 'a.png', dataBase64: Buffer.from('no picture').toString('base64') }
    await expect(put(five, { footer: { right: { image: text } } })).rejects.toThrow(
      'options.footer.right.image: must be a PNG or JPEG',
    )
  })
})

describe('header-footer: invalid input', () => {
  it('names the problem and a valid value', () => {
    expect(problemOf({})).toContain('Send header or footer')
    expect(problemOf({ header: { center: '' }, footerText: ' ' })).toContain('is required')
    expect(problemOf({ headerText: '{pages}' })).toContain('Did you mean {page}?')
    expect(problemOf({ headerText: '{zzzzzzz}' })).toMatch(/Known placeholders are \{page\}, \{total\}.*\{filename\}/)
    expect(problemOf({ header: { left: 'a}' } })).toContain('header.left: has a single "}"')
    expect(problemOf({ headerText: 'a\nb\nc\nd' })).toContain('must have at most 3 lines. Got 4')
    expect(problemOf({ headerText: 'x', dateFormat: 'YYYY-QQ' })).toContain('"QQ" isn\'t a date token')
    expect(problemOf({ headerText: '{date:jj}' })).toContain('{date:jj}')
    expect(problemOf({ headerText: 'x', timezone: 'Europe/Berln' })).toContain('Did you mean "Europe/Berlin"?')
    expect(problemOf({ headerText: 'x', locale: 'not a locale' })).toContain('must be a supported locale')
    expect(problemOf({ headerText: 'x', locale: 'xx' })).toContain('must be a supported locale')
    expect(problemOf({ headerText: 'x', pages: '1', pageRange: '1' })).toContain('Send only one')
    expect(problemOf({ headerText: 'x\u0000' })).toContain('U+0000')
    for (const options of [
      { header: { middle: 'x' } },
      { headerText: 'x', fontSize: 3 },
      { headerText: 'x', fontSize: 73 },
      { headerText: 'x'.repeat(301) },
      { headerText: 'x', line: 'thick' },
      { headerText: 'x', margin: -1 },
    ])
      expect(problemOf(options)).not.toBe('')
  })

  it('names the position and the character that no font has', async () => {
    await expect(put(five, { footer: { right: 'a\u{10ffff}' } })).rejects.toThrow(
      /options\.footer\.right: no font has U\+10FFFF/,
    )
    await expect(put(five, { headerText: 'x', pageRange: '9' })).rejects.toThrow('options.pageRange: "9"')
  })
})
