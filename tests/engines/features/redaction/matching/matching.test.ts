import { describe, expect, it } from 'vitest'
import { writeCffFixture } from '../../../../fixtures/cff-writer'
import { boxOf, charstring } from '../../../../fixtures/charstrings'
import { writeSimpleFontPage } from '../../../../fixtures/font-pages'
import { writeGlyphNames, writeTexts } from '../../../../fixtures/written-texts'
import type { Line } from '../../../../fixtures/written-texts'
import { readPageTexts } from '../../../../support/page-texts'
import { readPdfjsTexts } from '../../../../support/pdfjs-texts'
import { runOn } from '../../../../support/run-on'

const at = (text: Line['text'], x: number, y: number): Line => ({ text, x, y })

/** Lowercase letters and digits without accents. */
const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** The pages of a file as two readers see them. */
async function readBoth(file: Uint8Array): Promise<string[]> {
  return [(await readPageTexts(file)).join(' '), (await readPdfjsTexts(file)).join(' ')].map(bare)
}

interface Case {
  rule: Record<string, unknown>
  pages: Line[][]
  /** Text that no reader may find anymore, compared by letters and digits alone. */
  gone: string[]
  kept?: string[]
  count?: number
}

const line = (text: string): Line[][] => [[at(`keepa ${text} keepb`, 20, 300)]]
const KEPT = ['keepa', 'keepb']

async function expectGone({ rule, pages, gone, kept = KEPT, count = 1 }: Case): Promise<void> {
  const file = writeTexts(pages)
  const before = await readBoth(file)
  for (const word of kept) expect(before[0]).toContain(bare(word))
  const { bytes, headers } = await runOn('pdf-redaction', file, { search: [rule] })
  for (const text of await readBoth(bytes)) {
    for (const word of gone) expect(text).not.toContain(bare(word))
    for (const word of kept) expect(text).toContain(bare(word))
  }
  expect(Number(headers['X-Redactions-Applied'])).toBe(count)
  expect(headers['X-Redaction-Verified']).toBe('true')
}

describe('text is found however its characters are written', () => {
  const list = <Item>(signs: string, write: (sign: string) => Item) => Array.from(signs, write)
  const apostrophes = "'’‘‚‛ʼʻ′`´＇"
  it.each<[string, string, string[]]>([
    ['with any apostrophe', "O'Quimbrady", list(apostrophes, sign => `O${sign}Quimbrady`)],
    ['with any hyphen', 'Quim-Brady', list('-‐‑‒–—−﹣－', sign => `Quim${sign}Brady`)],
    ['with any quotes', 'the "Quim" Brady', list('"“”„«»＂', sign => `the ${sign}Quim${sign} Brady`)],
    ['with any space', 'Quim Brady', list('\u00a0\u2009\u202f\u3000\u2003', sign => `Quim${sign}Brady`)],
    [
      'with any invisible character',
      'Quimbrady',
      list('\u200b\u200c\u200d\u2060\ufeff\u200e\u202e\u00ad\u034f', sign => `Quim${sign}brady`),
    ],
  ])('%s', (_, text, shown) => {
    const lines = shown.map((one, index) => at(`then ${one} more`, 20, 300 - 20 * index))
    return expectGone({
      rule: { text },
      pages: [[at('keepa keepb', 20, 340), ...lines]],
      gone: ['quim', 'brady'],
      count: shown.length,
    })
  })

  it('when the rule has any apostrophe', async () => {
    const search = Array.from(apostrophes, sign => ({ text: `O${sign}Quimb${sign.codePointAt(0)}` }))
    const lines = list(apostrophes, sign => `O'Quimb${sign.codePointAt(0)}`)
    const file = writeTexts([lines.map((text, index) => at(text, 20, 300 - 20 * index))])
    const { bytes, headers } = await runOn('pdf-redaction', file, { search })
    expect(await readBoth(bytes)).toEqual(['', ''])
    expect(Number(headers['X-Redactions-Applied'])).toBe(lines.length)
  })

  const written: [string, string, string][] = [
    ['composed accents by decomposed ones', 'Ame\u0301lie\u0300z', 'Am\u00e9li\u00e8z'],
    ['decomposed accents by composed ones', 'Am\u00e9li\u00e8z', 'Ame\u0301lie\u0300z'],
    ['ß by SS', 'großweißer', 'GROSSWEISSER'],
    ['SS by ß', 'GROSSWEISSER', 'Großweißer'],
    ['ẞ by ss', 'grossweisser', 'GROẞWEIẞER'],
    ['the Turkish İ', 'istanbuli', 'İSTANBULİ'],
    ['the Turkish ı', 'KIZILIRMAK', 'kızılırmak'],
    ['a final sigma', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
    ['ligatures', 'officefield', 'oﬃceﬁeld'],
    ['full width', 'QUIM42', 'ＱＵＩＭ４２'],
    ['a Hangul syllable in parts', '한글학', '\u1112\u1161\u11ab\u1100\u1173\u11af\u1112\u1161\u11a8'],
    ['half-width kana', 'ガイドブ', 'ｶﾞｲﾄﾞﾌﾞ'],
    ['Arabic presentation forms', 'سلامة', '\ufeb3\ufefc\ufee3\ufe94'],
    ['Hebrew points', 'שלומית', 'שָׁלוֹמִית'],
  ]
  for (const [name, asked, shown] of written)
    it(`with ${name}`, () => expectGone({ rule: { text: asked }, pages: line(shown), gone: [shown, asked] }))

  it.each([
    ['160°', 'by 160° under'],
    ['by 20°', 'by 20° above'],
    ['°C', 'u °C'],
    ['5~', '5~ named'],
    ['180 °', '180 ° yonder'],
  ])('with a sign at its end that the next letter may claim: %s', (asked, shown) =>
    expectGone({ rule: { text: asked }, pages: line(shown), gone: asked === '°C' ? [] : [asked] }),
  )

  it.each<[string, Line[]]>([
    ['CO2', [at('CO', 100, 300), { ...at('2', 114.4, 294), size: 8 }]],
    ['R2', [at('R', 100, 300), { ...at('2', 107.2, 306), size: 8 }]],
    ['R2 Quim', [at('R', 100, 300), { ...at('2', 107.2, 306), size: 8 }, at('Quim', 116, 300)]],
    ['H2O', [at('H', 100, 300), { ...at('2', 107.2, 296), size: 7 }, at('O', 111.4, 300)]],
    ['x10', [at('x', 100, 300), { ...at('10', 107.2, 305), size: 6 }]],
  ])('with a superscript or subscript: %s', async (asked, lines) => {
    const pages = [[at('keepa', 20, 300), ...lines, at('keepb', 200, 300)]]
    await expectGone({ rule: { text: asked }, pages, gone: [asked] })
  })

  it('but not if case or accents differ', async () => {
    for (const [rule, shown] of [
      [{ text: 'Quimbrady', caseSensitive: true }, 'quimbrady'],
      [{ text: 'groß', caseSensitive: true }, 'GROSS'],
      [{ text: 'Amelie' }, 'Amélie'],
      [{ text: 'as' }, 'aß'],
    ] as const) {
      const { warnings } = await runOn('pdf-redaction', writeTexts(line(shown)), { search: [rule] })
      expect(warnings).toEqual(['redaction-no-match'])
    }
  })

  it('and as a separate word in every script', async () => {
    const found = async (text: string, shown: string): Promise<boolean> =>
      (await runOn('pdf-redaction', writeTexts(line(shown)), { search: [{ text, wholeWord: true }] })).warnings
        .length === 0
    expect(await found('Quim', 'Quimbrady')).toBe(false)
    expect(await found('Quim', 'Quim-Brady')).toBe(true)
    expect(await found('мир', 'мирный')).toBe(false)
    expect(await found('мир', '«мир»')).toBe(true)
    expect(await found('東京', '私は東京に住む')).toBe(true)
    expect(await found('京に', '私は東京に住む')).toBe(false)
    expect(await found('ภาษา', 'ภาษาไทย')).toBe(true)
  })
})

describe('accents that are printed over letters', () => {
  for (const [name, glyphs] of Object.entries({
    before: ['A', 'm', '{´}', 'e', 'l', 'i', '{`}', 'e', 'z'],
    behind: ['A', 'm', 'e', '{´}', 'l', 'i', 'e', '{`}', 'z'],
    'as combining marks before': ['A', 'm', '{\u0301}', 'e', 'l', 'i', '{\u0300}', 'e', 'z'],
  })) {
    it(`are read ${name} them, by text with and without accents, and by an expression`, async () => {
      const pages = [[at(['k', 'e', 'e', 'p', 'a', ' ', ...glyphs, ' ', 'k', 'e', 'e', 'p', 'b'], 20, 300)]]
      await expectGone({ rule: { text: 'Amélièz' }, pages, gone: ['ameliez', 'am', 'ez'] })
      if (name.startsWith('as')) return
      await expectGone({ rule: { text: 'ameliez' }, pages, gone: ['ameliez', 'am', 'ez'] })
      await expectGone({ rule: { regex: 'Am[é]li.z' }, pages, gone: ['ameliez', 'am', 'ez'] })
    })
  }
  for (const [name, mark, up] of [
    ['raised', '´', 4],
    ['in a line of their own', '´', 6],
    ['as combining marks in a line of their own', '\u0301', 4],
  ] as const) {
    for (const isLast of [false, true]) {
      it(`are read ${name}${isLast ? ', after all other text' : ''}`, async () => {
        const [accent, rest] = [at(mark, 20 + 8 * 7.2, 300 + up), at('elia keepb', 20 + 8 * 7.2, 300)]
        const pages = [[at('keepa Am', 20, 300), ...(isLast ? [rest, accent] : [accent, rest])]]
        await expectGone({ rule: { text: 'Amélia' }, pages, gone: ['amelia', 'am', 'elia'] })
      })
    }
  }

  it('are read with dotless letters and with a diaeresis', async () => {
    await expectGone({
      rule: { text: 'Naïvür' },
      pages: [[at([...Array.from('keepa Na'), '{¨}', 'ı', 'v', '{¨}', 'u', ...Array.from('r keepb')], 20, 300)]],
      gone: ['vur', 'vr'],
    })
  })
})

describe('text that is broken across lines', () => {
  const cases: Record<string, Case> = {
    'by a line end': {
      rule: { text: 'Quimby Oldfield' },
      pages: [[at('keepa Quimby', 20, 300), at('Oldfield keepb', 20, 285)]],
      gone: ['quimby', 'oldfield'],
    },
    'by a hyphen that divides': {
      rule: { text: 'Quimbrady' },
      pages: [[at('keepa Quim-', 20, 300), at('brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by U+2010': {
      rule: { text: 'Quimbrady' },
      pages: [[at('keepa Quim\u2010', 20, 300), at('brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by U+00AD': {
      rule: { text: 'Quimbrady' },
      pages: [[at('keepa Quim\u00ad', 20, 300), at('brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by a hyphen that belongs to it': {
      rule: { text: 'Quim-Brady' },
      pages: [[at('keepa Quim-', 20, 300), at('Brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by U+2010 that belongs to it': {
      rule: { text: 'Quim-Brady' },
      pages: [[at('keepa Quim\u2010', 20, 300), at('Brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by hyphens of both kinds': {
      rule: { text: 'Quim-Brady Oldfield' },
      pages: [[at('keepa Quim-', 20, 300), at('Brady Old-', 20, 285), at('field keepb', 20, 270)]],
      gone: ['quim', 'brady', 'old', 'field'],
    },
    'by a hyphen, for an expression': {
      rule: { regex: 'Quim[a-z]{5}' },
      pages: [[at('keepa Quim-', 20, 300), at('brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'by a hyphen that belongs to it, for an expression': {
      rule: { regex: 'Quim-[A-Z][a-z]+' },
      pages: [[at('keepa Quim-', 20, 300), at('Brady keepb', 20, 285)]],
      gone: ['quim', 'brady'],
    },
    'in a narrow cell': {
      rule: { text: 'Quimblefordson' },
      pages: [[at('keepa Quimblef', 20, 300), at('ordson keepb', 20, 285)]],
      gone: ['quimblef', 'ordson'],
    },
    'in columns that are drawn line by line': {
      rule: { text: 'Quimby Oldfield' },
      pages: [
        [
          at('keepa Quimby', 20, 300),
          at('one more line', 220, 300),
          at('Oldfield here', 20, 285),
          at('two more keepb', 220, 285),
        ],
      ],
      gone: ['quimby', 'oldfield'],
    },
    'by a hyphen in columns that are drawn line by line': {
      rule: { text: 'Quimbrady' },
      pages: [
        [
          at('keepa Quim-', 20, 300),
          at('one more line', 220, 300),
          at('brady here', 20, 285),
          at('two more keepb', 220, 285),
        ],
      ],
      gone: ['quim', 'brady'],
    },
    'from one column to the next, drawn line by line': {
      rule: { text: 'Quimby Oldfield' },
      pages: [
        [
          at('keepa one more', 20, 300),
          at('Oldfield here', 220, 300),
          at('signed Quimby', 20, 285),
          at('two more keepb', 220, 285),
        ],
      ],
      gone: ['quimby', 'oldfield'],
    },
    'by the end of a page': {
      rule: { text: 'Quimby Oldfield' },
      pages: [[at('keepa Quimby', 20, 60)], [at('Oldfield keepb', 20, 440)]],
      gone: ['quimby', 'oldfield'],
    },
    'by a hyphen at the end of a page': {
      rule: { text: 'Quimbrady' },
      pages: [[at('keepa Quim-', 20, 60)], [at('brady keepb', 20, 440)]],
      gone: ['quim', 'brady'],
    },
    'by the end of a page with headers, footers and page numbers': {
      rule: { text: 'Quimby Oldfield' },
      pages: [1, 2].map(number => [
        at('Court of Appeal', 20, 470),
        ...(number === 1
          ? [at('first line', 20, 420), at('keepa Quimby', 20, 405)]
          : [at('Oldfield keepb', 20, 420), at('last line', 20, 405)]),
        at(`Page ${number} of 2`, 150, 20),
      ]),
      gone: ['quimby', 'oldfield'],
      kept: ['keepa', 'keepb', 'courtofappeal', 'page1of2', 'page2of2'],
    },
    'by the end of a page with a footer close to the text': {
      rule: { regex: 'Quimby Old[a-z]+' },
      pages: [1, 2].map(number => [
        ...(number === 1
          ? [at('first line', 20, 60), at('keepa Quimby', 20, 45)]
          : [at('Oldfield keepb', 20, 440), at('last line', 20, 425)]),
        at(`- ${number} -`, 150, 30),
      ]),
      gone: ['quimby', 'oldfield'],
    },
    'by a page without text': {
      rule: { text: 'Quimby Oldfield' },
      pages: [[at('keepa Quimby', 20, 60)], [], [at('Oldfield keepb', 20, 440)]],
      gone: ['quimby', 'oldfield'],
    },
    'downwards across forms of writing: Hebrew in the order of its places': {
      rule: { text: 'שלום עולם' },
      pages: [[at(`keepa ${Array.from('שלום עולם').reverse().join('')} keepb`, 20, 300)]],
      gone: ['שלום', 'עולם', 'םולש', 'םלוע'],
    },
    'by nothing: Hebrew in its own order': {
      rule: { text: 'שלום עולם' },
      pages: line('שלום עולם'),
      gone: ['שלום', 'עולם', 'םולש', 'םלוע'],
    },
    'by nothing: Arabic in the order of its places': {
      rule: { text: 'سلامة' },
      pages: line(Array.from('سلامة').reverse().join('')),
      gone: ['سلامة', 'ةمالس'],
    },
  }
  for (const [name, found] of Object.entries(cases)) it(`is found once: ${name}`, () => expectGone(found))

  it('across pages only if the rule has both pages', async () => {
    const file = writeTexts([[at('keepa Quimby', 20, 60)], [at('Oldfield keepb', 20, 440)]])
    const { warnings } = await runOn('pdf-redaction', file, { search: [{ text: 'Quimby Oldfield', pages: [1] }] })
    expect(warnings).toEqual(['redaction-no-match'])
  })

  it('counts once if several readings find it, and its replacement is written once', async () => {
    const file = writeTexts([[at('keepa Quim-', 20, 300), at('brady keepb', 20, 285)]])
    const { bytes, headers } = await runOn('pdf-redaction', file, {
      search: [{ text: 'Quimbrady', replacementText: 'X' }],
    })
    expect(headers['X-Redactions-Applied']).toBe('1')
    expect((await readPageTexts(bytes)).join('').match(/X/g)).toHaveLength(1)
  })
})

describe('glyphs that only glyph names identify', () => {
  const cases: Record<string, string[]> = {
    'joined by underscores': ['f_i', 'e', 'l', 'd'],
    'with a suffix': ['f_i.liga', 'e.sc', 'l', 'd.alt'],
    'in units': ['uni00660069', 'uni0065', 'uni006C.ss01', 'u0064'],
    'of small capitals': ['Fsmall', 'Ismall', 'Esmall', 'Lsmall', 'Dsmall'],
  }
  for (const [name, names] of Object.entries(cases)) {
    it(`are read: ${name}`, async () => {
      const file = writeGlyphNames(names, ' and KEEPA')
      const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: 'field' }] })
      expect(headers['X-Redactions-Applied']).toBe('1')
      const [seen] = await readPdfjsTexts(bytes)
      expect(bare(seen ?? '')).toBe('andkeepa')
      expect(bytes.includes('FF31')).toBe(false)
    })
  }
  it('are read if a CFF program defines the encoding', async () => {
    const shape = charstring(boxOf(0, 500, 500), 'endchar')
    const program = writeCffFixture({
      glyphs: ['.notdef', 'f_i', 'uni0065', 'l_d.alt', 'acute', 'A'].map(key => ({ key, charstring: shape })),
      codes: [65, 66, 67, 68, 69],
    })
    const file = writeSimpleFontPage({
      subtype: 'Type1',
      fileKey: 'FontFile3',
      programEntries: '/Subtype/Type1C',
      program,
      codes: [65, 66, 67, 68, 69],
    })
    const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: 'field' }] })
    expect(headers['X-Redactions-Applied']).toBe('1')
    const [seen] = await readPdfjsTexts(bytes)
    expect(bare(seen ?? '')).toBe('a')
  })
})
