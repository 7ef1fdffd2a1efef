import { describe, expect, it } from 'vitest'
import { pageNumbers } from '../../../engines/tools/page-numbers'
import { Draft, numbered } from '../../fixtures/draft'
import { replaceText } from '../../fixtures/damaged'
import { findNewInk, type NewInk } from '../../support/new-ink'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound } from '../../support/strict-pdf'
import { findTraces } from '../../support/traces'

const five = numbered()
const NOW = new Date('2026-11-05T23:59:00Z')

async function number(file: Uint8Array, options: unknown = {}): Promise<Buffer> {
  const { bytes } = await runOn('page-numbers', file, options, { now: NOW, name: 'Akte 7.pdf' })
  readSound(bytes)
  return bytes
}

/** The text added to each page. */
async function added(options: unknown, file: Uint8Array = five): Promise<string[]> {
  const [before, after] = [await readPdf(file), await readPdf(await number(file, options))]
  return after.pages.map(({ text }, index) => {
    const old = before.pages[index]?.text ?? ''
    expect(text.startsWith(old)).toBe(true)
    return text.slice(old.length).trim()
  })
}

function problemOf(options: unknown): string {
  const parsed = pageNumbers.options.safeParse(options)
  return parsed.success ? '' : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n')
}

async function ink(file: Uint8Array, options: unknown, pageIndex = 0): Promise<NewInk> {
  const found = await findNewInk(file, await number(file, options), pageIndex)
  if (found.count === 0) throw new Error('nothing was drawn')
  return found
}

describe('page-numbers: text', () => {
  const cases: [string, object, string[]][] = [
    ['nothing asked', {}, ['Page 1 of 5', 'Page 2 of 5', 'Page 3 of 5', 'Page 4 of 5', 'Page 5 of 5']],
    ['page', { format: 'page' }, ['1', '2', '3', '4', '5']],
    ['page-label', { format: 'page-label', startNumber: 9 }, ['Page 9', 'Page 10', 'Page 11', 'Page 12', 'Page 13']],
    ['slash', { format: 'slash', startNumber: 3 }, ['3/7', '4/7', '5/7', '6/7', '7/7']],
    ['slash, of the document', { format: 'slash', total: 'document', pages: '4-' }, ['', '', '', '1/5', '2/5']],
    ['dash', { format: 'dash' }, ['- 1 -', '- 2 -', '- 3 -', '- 4 -', '- 5 -']],
    ['roman', { format: 'roman', startNumber: 0 }, ['0', 'i', 'ii', 'iii', 'iv']],
    ['ROMAN', { format: 'ROMAN', startNumber: 1997 }, ['MCMXCVII', 'MCMXCVIII', 'MCMXCIX', 'MM', 'MMI']],
    [
      'roman beyond its range',
      { format: 'roman', startNumber: 3998 },
      ['mmmcmxcviii', 'mmmcmxcix', '4000', '4001', '4002'],
    ],
    ['alpha', { format: 'alpha', startNumber: 25 }, ['y', 'z', 'aa', 'ab', 'ac']],
    ['ALPHA', { format: 'ALPHA', startNumber: 702 }, ['ZZ', 'AAA', 'AAB', 'AAC', 'AAD']],
    [
      'a template',
      { format: 'Bl. {page} ({total}) {{{filename}}} {date}', pages: [2] },
      ['', 'Bl. 1 (1) {Akte 7} 2026-11-05', '', '', ''],
    ],
    [
      'a template with a style',
      { format: '{page} of {total:decimal}', style: 'roman', pages: '1-2' },
      ['i of 2', 'ii of 2', '', '', ''],
    ],
    ['chosen pages, in the order of the file', { format: 'slash', pages: '5,1,3' }, ['1/3', '', '2/3', '', '3/3']],
    [
      'pages without the first of them',
      { format: 'slash', skipFirst: 2, startNumber: 10 },
      ['', '', '10/12', '11/12', '12/12'],
    ],
    ['nothing where all is skipped', { skipFirst: 9 }, ['', '', '', '', '']],
    ['a date of another form', { format: '{page} {date:D MMM YY}', pages: [1] }, ['1 5 Nov 26', '', '', '', '']],
    [
      'Bates numbers',
      { bates: { prefix: 'ACME ', suffix: '-A', digits: 4, start: 98 } },
      ['ACME 0098-A', 'ACME 0099-A', 'ACME 0100-A', 'ACME 0101-A', 'ACME 0102-A'],
    ],
    [
      'Bates numbers from startNumber',
      { format: 'bates', startNumber: 7 },
      ['000007', '000008', '000009', '000010', '000011'],
    ],
    [
      'Bates numbers in a template',
      { format: '{prefix}/{page}', bates: { prefix: 'X', digits: 3 } },
      ['X/001', 'X/002', 'X/003', 'X/004', 'X/005'],
    ],
    [
      'sections',
      {
        format: 'page',
        sections: [
          { pages: '1-2', style: 'roman' },
          { pages: '4-', startNumber: 40, format: 'slash' },
        ],
      },
      ['i', 'ii', '', '40/41', '41/41'],
    ],
    ['another script', { format: '第 {page} 頁', pages: 'first' }, ['第 1 頁', '', '', '', '']],
  ]
  for (const [name, options, texts] of cases) {
    it(`writes ${name}`, async () => {
      expect(await added(options)).toEqual(texts)
    })
  }

  it('returns the number for the next file in a header', async () => {
    const nextOf = async (options: unknown) => (await runOn('page-numbers', five, options)).headers['X-Next-Number']
    expect(await nextOf({ format: 'bates', bates: { start: 1201 } })).toBe('1206')
    expect(await nextOf({ pages: '2-3' })).toBe('3')
    expect(await nextOf({ startNumber: 7, skipFirst: 5 })).toBe('7')
    expect(await nextOf({ sections: [{ pages: '5', startNumber: 8 }, { pages: '1-4' }] })).toBe('9')
  })

  it('marks the number as an artifact', async () => {
    expect(findTraces(await number(five), ['/Artifact <</Type /Pagination /Subtype /PageNum>> BDC'])).toHaveLength(1)
    expect(findTraces(await number(five, { format: 'bates' }), ['/Subtype /Bates>> BDC'])).toHaveLength(1)
  })

  it('labels the numbered pages, and keeps the labels of other pages', async () => {
    const labels = async (options: object, file: Uint8Array = five) =>
      (await readPdf(await number(file, { ...options, setPageLabels: true }))).pages.map(page => page.label)
    expect(
      await labels({
        sections: [
          { pages: '1-2', format: 'ROMAN' },
          { pages: '3-5', format: 'page' },
        ],
      }),
    ).toEqual(['I', 'II', '1', '2', '3'])
    expect(await labels({ format: 'alpha', startNumber: 25 })).toEqual(['y', 'z', 'aa', 'ab', 'ac'])
    expect(await labels({ bates: { prefix: 'B-', digits: 3 }, startNumber: 0 })).toEqual([
      'B-000',
      'B-001',
      'B-002',
      'B-003',
      'B-004',
    ])
    expect(await labels({ format: 'slash', startNumber: 0, pages: '2-4' })).toEqual(['1', '0', '1', '2', '5'])
    const draft = new Draft()
    draft.catalog.push('/PageLabels<</Nums[0<</S/r>>2<</S/D/P(A-)>>]>>')
    expect(await labels({ format: 'page', pages: '3-4', startNumber: 70 }, draft.write())).toEqual([
      'i',
      'ii',
      '70',
      '71',
      'A-3',
    ])
  })
})

describe('page-numbers: position', () => {
  const pages: Record<string, Buffer> = {
    'a plain page': five,
    'a page turned by 90': numbered({ pages: 1, rotate: { 1: 90 } }),
    'a page turned by 180': numbered({ pages: 1, rotate: { 1: 180 } }),
    'a page turned by 270 with a CropBox': numbered({ pages: 1, rotate: { 1: 270 }, crop: [60, 80, 500, 760] }),
    'a page whose box starts elsewhere': numbered({ pages: 1, origin: [-200, 100], inherits: true }),
    'a page with a unit of its own': replaceText(
      numbered({ pages: 1, size: [300, 400] }),
      '/MediaBox',
      '/UserUnit 2/MediaBox',
    ),
  }
  for (const [name, file] of Object.entries(pages)) {
    it(`places numbers at all nine positions as displayed on ${name}, upright and at the same size`, async () => {
      for (const position of [
        'top-left',
        'top-center',
        'top-right',
        'middle-left',
        'center',
        'middle-right',
        'bottom-left',
        'bottom-center',
        'bottom-right',
      ]) {
        const { left, right, bottom, top, width, height } = await ink(file, { position, fontSize: 14, margin: 30 })
        const [unit, wide] = name.includes('unit') ? [0.5, 0.5] : [1, 1] // PDFium measures such a page in its units.
        expect((right - left) / wide, position).toBeGreaterThan(60)
        expect((right - left) / wide, position).toBeLessThan(80)
        const across = position.includes('left')
          ? [left, 30 * unit]
          : position.includes('right')
            ? [width - right, 30 * unit]
            : [(left + right) / 2, width / 2]
        const up = position.startsWith('top')
          ? [height - top, 32 * unit]
          : position.startsWith('bottom')
            ? [bottom, 31 * unit]
            : [(bottom + top) / 2, height / 2]
        for (const [is, wanted] of [across, up]) expect(Math.abs((is ?? 0) - (wanted ?? 0)), position).toBeLessThan(4)
      }
    })
  }

  it('alternates sides from page to page if requested', async () => {
    const sides = async (options: object) =>
      Promise.all(
        [0, 1].map(async index =>
          (await ink(five, { format: 'page', ...options }, index)).left > 300 ? 'right' : 'left',
        ),
      )
    expect(await sides({ position: 'outer' })).toEqual(['right', 'left'])
    expect(await sides({ position: 'inner' })).toEqual(['left', 'right'])
    expect(await sides({ position: 'bottom-right' })).toEqual(['right', 'right'])
    expect(await sides({ position: 'top-right', facing: true })).toEqual(['right', 'left'])
    const outer = await ink(five, { format: 'page', position: 'top-outer', offset: { x: -50, y: 0 } }, 1)
    expect(outer.left).toBeGreaterThan(70)
    expect(outer.top).toBeGreaterThan(740)
  })

  it('never leaves the page, however small the page and wherever the number is moved', async () => {
    for (const [size, options] of [
      [[40, 20], { fontSize: 30 }],
      [[70, 300], { format: 'Page number {page} of a very long document' }],
      [[200, 200], { margin: 1000, position: 'top-right' }],
      [[200, 200], { offset: { x: 900, y: '-40cm' } }],
    ] as const) {
      const file = numbered({ pages: 1, size: [...size] })
      const { left, right, bottom, top, width, height } = await ink(file, options)
      expect([left >= 0, bottom >= 0, right <= width, top <= height], JSON.stringify(options)).toEqual([
        true,
        true,
        true,
        true,
      ])
      const moved = await readPdf(await number(file, options))
      expect(moved.pages[0]?.text).toMatch(/1 of|Page/)
    }
  })

  it('draws on pages whose content ends in the middle of an operation', async () => {
    for (const end of [
      'q q 2 0 0 2 9 9 cm BT /F1 9 Tf',
      '(never ends \\) (twice',
      'Q Q 0 0 1 rg 5 w',
      '3 Tr BT 50 Tc',
    ]) {
      const draft = new Draft({ pages: 1 })
      draft.pages[0]?.content.push(end)
      const file = draft.write()
      const { left, right, bottom, width } = await ink(file, { fontSize: 11 })
      expect(Math.abs((left + right - width) / 2), end).toBeLessThan(2)
      expect(right - left, end).toBeLessThan(70)
      expect(bottom, end).toBeLessThan(34)
    }
  })

  it('draws in the requested color, size and opacity, over a background if requested', async () => {
    const small = await ink(five, { fontSize: 10 })
    const large = await ink(five, { fontSize: 40 })
    expect((large.top - large.bottom) / (small.top - small.bottom)).toBeGreaterThan(3)
    const ground = await ink(five, { background: '#ff0000', format: 'page' })
    expect(ground.top - ground.bottom).toBeGreaterThan(16)
    expect(
      findTraces(await number(five, { color: '#3366cc', opacity: 0.4 }), ['0.2 0.4 0.8 rg', '/ca 0.4']),
    ).toHaveLength(2)
  })
})

describe('page-numbers: invalid input', () => {
  it('names the problem and a valid value', () => {
    expect(problemOf({ format: 'page-of-totl' })).toContain('Did you mean "page-of-total"?')
    expect(problemOf({ format: 'numbers' })).toMatch(
      /must be a known format .*Got "numbers"\. Use page-of-total, page, .*bates, or a template/,
    )
    expect(problemOf({ format: 'Page {pge}' })).toContain('Did you mean {page}?')
    expect(problemOf({ format: '{page} {' })).toContain('Write {{ for a brace')
    expect(problemOf({ format: '{page:greek}' })).toContain('use decimal, roman, ROMAN, alpha, ALPHA')
    expect(problemOf({ format: 'no number {total}' })).toContain('a template with {page}')
    expect(problemOf({ format: '{page}\u0007' })).toContain('U+0007')
    expect(problemOf({ format: '{page}\ud800' })).toContain('surrogate')
    expect(problemOf({ format: 'roman', style: 'ALPHA' })).toContain('format "roman" has roman numerals')
    expect(problemOf({ opacity: 25 })).toContain('fraction')
    expect(problemOf({ bates: {}, format: 'dash' })).toContain('Use format "bates"')
    expect(problemOf({ sections: [{ pages: '1' }], pages: '2', startNumber: 4 })).toMatch(
      /pages: can't be combined with sections[\s\S]*startNumber: can't be combined/,
    )
    for (const options of [
      { position: 'somewhere' },
      { fontSize: 0 },
      { fontSize: 10_000 },
      { startNumber: -1 },
      { startNumber: 1.5 },
      { format: `{page}${'x'.repeat(200)}` },
      { bates: { digits: 13 } },
    ])
      expect(problemOf(options)).not.toBe('')
  })

  it('names what the document does not allow', async () => {
    await expect(number(five, { pages: [9] })).rejects.toThrow('page 9 is not in this 5-page document')
    await expect(number(five, { bates: { digits: 2, start: 97 } })).rejects.toThrow(
      'must be at least 3, because the last number is 101. Got 2',
    )
    await expect(number(five, { sections: [{ pages: '1-3' }, { pages: '3-5' }] })).rejects.toThrow(
      'options.sections[1].pages: page 3 is already in sections[0]',
    )
    await expect(number(five, { format: '{page} \u{10ffff}' })).rejects.toThrow('U+10FFFF')
  })
})
