import { describe, expect, it } from 'vitest'
import { makeScan } from '../../../../fixtures/scan'
import { LETTER, makeLetter } from '../../../../fixtures/letters'
import type { LetterLayout } from '../../../../fixtures/letters'
import { readPageTexts } from '../../../../support/page-texts'
import { renderPage } from '../../../../support/reader'
import type { Image } from '../../../../support/reader'
import { runOn } from '../../../../support/run-on'
import { IS_COMPLETE, sample } from '../../../../support/scope'
import { StrictPdf } from '../../../../support/strict-pdf'

const NAMES = ['Li', 'Montgomery']
const hide = (name: string, file: Uint8Array, more: object = {}) =>
  runOn('pdf-redaction', file, {
    search: [{ text: name, wholeWord: true, caseSensitive: true }],
    hideWidths: true,
    ...more,
  })

/** Black runs on a page, one pixel per point, by row from the top: start and length. */
function findBoxes({ width, height, pixels }: Image, least = 20): { row: number; left: number; length: number }[] {
  const found: { row: number; left: number; length: number }[] = []
  for (let row = 0; row < height; row++) {
    let length = 0
    for (let x = 0; x <= width; x++) {
      const isBlack = x < width && [0, 1, 2].every(part => (pixels[(row * width + x) * 4 + part] ?? 255) < 8)
      if (isBlack) length++
      else {
        if (length >= least) found.push({ row, left: x - length, length })
        length = 0
      }
    }
  }
  return found
}

const LAYOUTS: Record<string, { lines?: string[]; layout?: LetterLayout }> = {
  'a letter': {},
  'a page turned by 90 degrees': { layout: { page: '/Rotate 90', matrix: '0 1 -1 0 842 0', media: '[0 0 842 595]' } },
  'a page on its head': { layout: { page: '/Rotate 180' } },
  'lines along the page': { layout: { matrix: '0 1 -1 0 842 0', media: '[0 0 842 842]' } },
  'lines down the page': { layout: { matrix: '0 -1 1 0 -100 842', media: '[0 0 842 842]' } },
  'a page with an offset and a unit of its own': {
    layout: { media: '[-40 -30 555 812]', page: '/UserUnit 1.5', matrix: '1 0 0 1 -40 -30' },
  },
  'small type': { layout: { size: 7.5 } },
  'a name alone': { lines: ['NAME'] },
  'a name at the beginning and one at the end': {
    lines: ['NAME was here, said', 'what was said by', 'nobody but her, or NAME'],
  },
  'two names side by side': { lines: ['We met NAME NAME, who had come.', 'It was late.'] },
  'a table': {
    lines: ['Name'],
    layout: {
      more:
        '.9 .95 1 rg 60 640 300 40 re f 0 g .5 w 60 660 300 20 re S 60 640 300 20 re S 160 640 m 160 680 l S BT /F ' +
        '10 Tf 1 0 0 1 64 666 Tm (NAME) Tj 100 0 Td (Berlin) Tj -100 -20 Td (Mr NAME) Tj 100 0 Td (Rome) Tj ET',
    },
  },
  'two columns': {
    lines: ['Here is NAME, who', 'stands in the left', 'column only.'],
    layout: {
      more:
        'BT /F 12 Tf 1 0 0 1 260 760 Tm (with the right one,) Tj 0 -15.6 Td (in which NAME is too, and) Tj 0 -15.6 ' +
        'Td (has more room.) Tj ET',
    },
  },
  'white letters on blue': {
    lines: ['Dear all,'],
    layout: {
      more: '.2 .2 .5 rg 60 600 480 30 re f 1 g BT /F 16 Tf 1 0 0 1 72 609 Tm (Report on NAME: confidential) Tj ET',
    },
  },
  'words that are spaced': {
    lines: ['Dear all,'],
    layout: { more: 'BT /F 12 Tf 3 Tw 1 0 0 1 72 600 Tm (It was NAME who wrote the letters to the board) Tj ET' },
  },
  'a line that is full': {
    lines: [
      'With NAME on the line, this line is as long as the widest one of them all, or longer still',
      'A line that says how wide the column is, with a few more words in it, is here.',
    ],
  },
}

describe('hideWidths', () => {
  for (const [title, { lines = LETTER, layout }] of sample(Object.entries(LAYOUTS), () => 'any')) {
    it(`writes the same file for ${title}, however long the name is`, async () => {
      const [short, long] = await Promise.all(NAMES.map(name => hide(name, makeLetter(name, lines, layout))))
      if (!short || !long) throw new Error('there are two names')
      expect(short.warnings).toEqual([])
      expect(short.headers['X-Redaction-Verified']).toBe('true')
      expect(Buffer.compare(short.bytes, long.bytes)).toBe(0)
      const text = (await readPageTexts(short.bytes)).join(' ').replace(/\s+/g, ' ')
      for (const word of lines.join(' ').split(/[ ,.:]+/))
        if (word !== '' && !word.includes('NAME')) expect(text).toContain(word)
      const strict = new StrictPdf(short.bytes)
      expect(strict.problems.concat(strict.malformed, strict.dangling)).toEqual([])
    })
  }

  it('causes this: without hideWidths the files differ', async () => {
    const [short, long] = await Promise.all(NAMES.map(name => hide(name, makeLetter(name), { hideWidths: false })))
    expect(findBoxes(await renderPage(short?.bytes ?? Buffer.alloc(0), 0), 8)[0]?.length).not.toBe(
      findBoxes(await renderPage(long?.bytes ?? Buffer.alloc(0), 0), 8)[0]?.length,
    )
  })

  it('makes boxes one step wide, in place of the name, and moves the text after them', async () => {
    const { bytes } = await hide('Li', makeLetter('Li', ['We met Li, who had come.']))
    const boxes = findBoxes(await renderPage(bytes, 0))
    const widths = new Set(boxes.map(({ length }) => length))
    for (const width of widths) expect(Math.abs(width - 72)).toBeLessThanOrEqual(1)
    // "We met " is 44.7 points of Helvetica at 12.
    expect(Math.abs((boxes[0]?.left ?? 0) - 116)).toBeLessThanOrEqual(1)
  })

  it('makes a box of two steps for text that is wider than one step', async () => {
    const name = 'Montgomery-Featherstonehaugh'
    const { bytes } = await hide(name, makeLetter(name, ['We met NAME, who had come.']))
    expect(Math.abs((findBoxes(await renderPage(bytes, 0))[0]?.length ?? 0) - 216)).toBeLessThanOrEqual(1)
  })

  it('keeps areas over several lines unchanged', async () => {
    const { bytes, warnings } = await runOn('pdf-redaction', makeLetter('Li'), {
      areas: [{ page: 1, x: 100, y: 700, width: 90, height: 60 }],
      hideWidths: true,
    })
    expect(warnings).toEqual([])
    expect(new Set(findBoxes(await renderPage(bytes, 0)).map(({ length }) => length)).size).toBeLessThanOrEqual(2)
    expect(Math.abs((findBoxes(await renderPage(bytes, 0))[10]?.length ?? 0) - 91)).toBeLessThanOrEqual(1)
  })

  it('covers names on sloping lines with boxes of whole steps', async () => {
    const layout = { matrix: '.94 .342 -.342 .94 200 -100' }
    const { bytes, headers } = await hide(
      'Montgomery',
      makeLetter('Montgomery', ['We met NAME, who had come.'], layout),
    )
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect(Math.abs((findBoxes(await renderPage(bytes, 0))[5]?.length ?? 0) % 72)).toBeLessThanOrEqual(1)
    expect((await readPageTexts(bytes)).join('')).not.toContain('Montgomery')
  })

  it('keeps a line unchanged if an annotation is behind the box', async () => {
    const annotation = (x: number): string =>
      `/Annots[<</Type/Annot/Subtype/Square/Rect[${x} 755 ${x + 40} 775]/C[1 0 0]/IC[1 .8 .8]/F 4>>]`
    const lengths = await Promise.all(
      [90, 300].map(async behind => {
        const { bytes, headers } = await hide(
          'Li',
          makeLetter('Li', ['Li, who had come to see us.'], { page: annotation(behind) }),
        )
        expect(headers['X-Redaction-Verified']).toBe('true')
        return findBoxes(await renderPage(bytes, 0), 6)[4]?.length
      }),
    )
    expect(lengths[0]).toBeLessThan(14)
    expect(lengths[1]).toBeGreaterThan(70)
  })

  it.each(IS_COMPLETE ? [['Lindsay', 'Montgomery']] : [])(
    'moves the pixels after a box in a scan',
    async (...names) => {
      const lengths = await Promise.all(
        names.map(async name => {
          const file = await makeScan([{ lines: ['Dear Sir,', `we met ${name} today`, 'in the house'] }])
          const { bytes, headers } = await runOn('pdf-redaction', file, {
            search: [{ text: name }],
            ocr: true,
            hideWidths: true,
          })
          expect(headers['X-Redaction-Verified']).toBe('true')
          const image = await renderPage(bytes, 0)
          const [box] = findBoxes(image)
          return box?.length ?? 0
        }),
      )
      expect(lengths[0]).toBeGreaterThan(100)
      expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThanOrEqual(1)
    },
  )

  it('reveals no width in its report', async () => {
    const [short, long] = await Promise.all(NAMES.map(name => hide(name, makeLetter(name), { report: true })))
    expect(Buffer.compare(short?.bytes ?? Buffer.alloc(0), long?.bytes ?? Buffer.alloc(1))).toBe(0)
  })

  it('writes replacement texts into the new boxes', async () => {
    const search = [{ text: 'Li', wholeWord: true, caseSensitive: true, replacementText: 'client' }]
    const { bytes, headers } = await runOn('pdf-redaction', makeLetter('Li'), { search, hideWidths: true })
    expect(headers['X-Redaction-Verified']).toBe('true')
    expect((await readPageTexts(bytes)).join(' ').match(/client/g)).toHaveLength(4)
  })
})
