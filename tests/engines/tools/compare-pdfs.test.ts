import { describe, expect, it } from 'vitest'
import { numbered } from '../../fixtures/draft'
import {
  flowPages,
  makeSentence,
  showLines,
  wrapText,
  writePages,
  type WrittenPage,
} from '../../fixtures/written-pages'
import { readPdf, renderPage } from '../../support/reader'
import { runOn } from '../../support/run-on'
import { readSound } from '../../support/strict-pdf'
import { withPdfjs } from '../../support/pdfjs-document'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Part {
  page: number
  text: string
  boxes: Box[]
}

interface Area {
  before: Box
  after: Box
}

interface ReportedPage {
  before: number | null
  after: number | null
  change: string
  text: { kind: string; removed: Part | null; inserted: Part | null; areas: Area[] }[]
  visual: Area[]
  size: unknown
  reflowed: boolean
  visualComparison: string | null
}

interface Report {
  equal: boolean
  changes: number
  totals: { pages: Record<string, number>; text: Record<string, number>; visual: number }
  pages: ReportedPage[]
}

async function report(
  before: WrittenPage[] | Uint8Array,
  after: WrittenPage[] | Uint8Array,
  options: object = {},
  limits: object = {},
): Promise<Report & { headers: Record<string, string>; warnings: string[] }> {
  const files = [toFile(before, 'table'), toFile(after, 'streams')]
  const { bytes, headers, warnings } = await runOn('compare-pdfs', files, { format: 'json', ...options }, limits)
  return { ...(JSON.parse(bytes.toString()) as Report), headers, warnings }
}

function toFile(pages: WrittenPage[] | Uint8Array, layout: 'table' | 'streams'): Uint8Array {
  return Array.isArray(pages) ? writePages(pages, layout) : pages
}

/** The changes of text in short: `-removed`, `+inserted`, `old>new` or `~moved`. */
function shorten({ text }: Pick<ReportedPage, 'text'>): string[] {
  const signs: Record<string, string> = { removed: '-', inserted: '+', moved: '~', replaced: '' }
  return text.map(({ kind, removed, inserted }) =>
    kind === 'replaced' ? `${removed?.text}>${inserted?.text}` : `${signs[kind]}${(inserted ?? removed)?.text}`,
  )
}

/** The lower-left corners of an area on both pages, rounded to 20 points. */
const corners = ({ before, after }: Area): string =>
  [before, after].map(({ x, y }) => [x, y].map(value => Math.round(value / 20) * 20).join(',')).join('>')

const textPage = (text: string, setting = {}): WrittenPage => ({ content: showLines(wrapText(text), setting) })
const page = (seed: number): WrittenPage => textPage(makeSentence(seed, 60))
const [first, second, third, fourth] = [page(1), page(2), page(3), page(4)] as const

describe('compare-pdfs', () => {
  it('finds no differences between a file and itself, or the same pages stored in another way', async () => {
    for (const pages of [[first, second], [{ content: '' }]]) {
      const { equal, changes, headers, totals } = await report(pages, pages)
      expect([equal, changes, headers['X-Changes']]).toEqual([true, 0, '0'])
      expect(totals.pages).toMatchObject({ same: pages.length, changed: 0, inserted: 0, removed: 0, moved: 0 })
    }
  })

  it('names replaced, inserted and removed words with their boxes', async () => {
    const words = makeSentence(2, 30).split(' ')
    const changed = [...words.slice(0, 3), 'CHANGED', ...words.slice(4, 20), ...words.slice(21), 'extra']
    const { pages, changes, headers } = await report(
      [first, textPage(words.join(' '))],
      [first, textPage(changed.join(' '))],
    )
    expect(pages.map(({ change }) => change)).toEqual(['same', 'changed'])
    expect(pages[1] && shorten(pages[1])).toEqual([`${words[3]}>CHANGED`, `-${words[20]}`, '+extra'])
    expect([changes, headers['X-Changes']]).toEqual([3, '3'])
    // The fourth word of the first line stands on the baseline at y 700, behind three words.
    const [box] = pages[1]?.text[0]?.inserted?.boxes ?? []
    expect(box?.y).toBeGreaterThan(695)
    expect(box?.y).toBeLessThan(700)
    expect(box?.x).toBeGreaterThan(120)
    expect(pages[1]?.visual).toEqual([])
  })

  it('recognizes inserted, removed and moved pages', async () => {
    const four = [first, second, third, fourth]
    const changesOf = async (after: WrittenPage[]): Promise<unknown[]> =>
      (await report(four, after)).pages.map(({ before, after: number, change }) => [before, number, change])
    expect(await changesOf([first, page(9), second, third, fourth])).toEqual([
      [1, 1, 'same'],
      [null, 2, 'inserted'],
      [2, 3, 'same'],
      [3, 4, 'same'],
      [4, 5, 'same'],
    ])
    expect(await changesOf([first, third, fourth])).toEqual([
      [1, 1, 'same'],
      [2, null, 'removed'],
      [3, 2, 'same'],
      [4, 3, 'same'],
    ])
    expect(await changesOf([fourth, first, second, third])).toEqual([
      [4, 1, 'moved'],
      [1, 2, 'same'],
      [2, 3, 'same'],
      [3, 4, 'same'],
    ])
  })

  it('recognizes a moved page with changed words', async () => {
    const edited = textPage(`${makeSentence(4, 60)} one more`)
    const { pages, changes } = await report([first, second, third, fourth], [edited, first, second, third])
    expect(pages.map(({ before, after, change }) => [before, after, change])).toEqual([
      [4, 1, 'moved'],
      [1, 2, 'same'],
      [2, 3, 'same'],
      [3, 4, 'same'],
    ])
    expect(pages[0] && shorten(pages[0])).toEqual(['+one more'])
    expect(changes).toBe(2)
  })

  it('follows text that flows to the next page', async () => {
    const paragraphs = Array.from({ length: 12 }, (_, index) => wrapText(makeSentence(100 + index, 60)))
    const added = wrapText(makeSentence(999, 20))
    const [before, after] = [
      flowPages(paragraphs.flat(), { edges: true }),
      flowPages([...paragraphs.slice(0, 2), added, ...paragraphs.slice(2)].flat(), { edges: true }),
    ]
    const { pages, totals, changes } = await report(before, after)
    expect(pages.flatMap(shorten)).toEqual([`+${makeSentence(999, 20)}`])
    expect(pages.slice(0, 2).map(({ change, reflowed }) => [change, reflowed])).toEqual([
      ['changed', true],
      ['changed', true],
    ])
    expect(totals).toMatchObject({ text: { inserted: 1, removed: 0, replaced: 0, moved: 0 }, visual: 0 })
    expect(changes).toBe(1)
  })

  it('counts text that flows to the next page although no text changed', async () => {
    const lines = wrapText(makeSentence(5, 400))
    const { pages, equal } = await report(flowPages(lines, { perPage: 30 }), flowPages(lines, { perPage: 28 }), {
      pixels: false,
    })
    expect(pages.flatMap(shorten)).toEqual([])
    expect(pages.map(({ reflowed }) => reflowed)).toContain(true)
    expect(equal).toBe(false)
  })

  it('recognizes a paragraph that moved to another page', async () => {
    const paragraphs = Array.from({ length: 12 }, (_, index) => wrapText(makeSentence(200 + index, 60)))
    const moved = paragraphs[1] ?? []
    const after = [...paragraphs.slice(0, 1), ...paragraphs.slice(2, 7), moved, ...paragraphs.slice(7)]
    const { pages, totals } = await report(flowPages(paragraphs.flat()), flowPages(after.flat()), { pixels: false })
    const passages = pages.flatMap(({ text }) => text)
    expect(new Set(passages.map(({ kind }) => kind))).toEqual(new Set(['moved']))
    expect(passages.map(({ inserted }) => inserted?.text).join(' ')).toBe(makeSentence(201, 60))
    expect(passages.every(({ removed, inserted }) => removed?.page === 1 && (inserted?.page ?? 0) > 1)).toBe(true)
    expect(totals.text).toMatchObject({ removed: 0, inserted: 0, replaced: 0 })
  })

  it('finds changed images, colors and drawings by their pixels', async () => {
    const picture = (step: number): Uint8Array => Uint8Array.from({ length: 256 }, (_, index) => (index * step) % 256)
    const withImage = (step: number): WrittenPage => ({
      content: `q 200 0 0 200 100 400 cm /Im1 Do Q ${showLines(['Below an image'], { y: 300 })}`,
      image: picture(step),
    })
    const image = await report([withImage(1)], [withImage(7)])
    expect(image.pages[0]).toMatchObject({ change: 'changed', text: [], visualComparison: 'rendered' })
    const [area] = image.pages[0]?.visual ?? []
    const sides = area ? [area.before.x, area.before.y, area.after.width, area.after.height] : []
    expect(sides.map(side => Math.round(side / 4) * 4)).toEqual([100, 400, 200, 200])
    const color = await report([textPage('One line')], [textPage('One line', { before: '1 0 0 rg' })])
    expect([color.pages[0]?.text, color.pages[0]?.visual.length]).toEqual([[], 1])
    const drawn = await report([{ content: '300 300 50 50 re f' }], [{ content: '400 300 50 50 re f' }])
    expect(drawn.pages[0]?.visual.map(corners)).toEqual(['300,300>400,300'])
  })

  describe('reports one change once', () => {
    const lines = (y: number): string => showLines(wrapText(makeSentence(1, 60)), { y })
    const figure = (x: number, y: number, gap = 16): string =>
      `q 0.8 0.1 0.1 rg ${x} ${y} 120 80 re f 0 0 1 rg ${x + 20} ${y + 20} 40 40 re f Q ` +
      showLines(['Figure of the sales by region'], { x, y: y - gap })
    const table = (...rows: string[]): string =>
      rows
        .map((row, at) => {
          const y = 700 - 20 * at
          return `q ${at % 2 ? 0.8 : 0.95} g 72 ${y} 300 20 re f Q 72 ${y} 300 20 re S ${showLines([row], { x: 78, y: y + 6 })}`
        })
        .join(' ')
    const note = (text: string, color = '1 1 0'): string =>
      `<</Type/Annot/Subtype/FreeText/Rect[100 100 300 140]/C[${color}]/DA(/Helv 12 Tf 0 g)/Contents(${text})/F 4>>`
    const text = { content: lines(700) }
    const apples = 'apples of the north'
    const plums = 'plums of the south'
    const pears = 'pears from the garden'
    it.each<[string, WrittenPage, WrittenPage, string[], string[], string[]]>([
      [
        'a note with a frame',
        text,
        { ...text, annotations: [note('Approved')] },
        ['+Approved'],
        ['100,100>100,100'],
        [],
      ],
      [
        'a note that was removed',
        { ...text, annotations: [note('Approved')] },
        text,
        ['-Approved'],
        ['100,100>100,100'],
        [],
      ],
      [
        'a note with another text and color',
        { ...text, annotations: [note('Approved')] },
        { ...text, annotations: [note('Rejected', '0 1 1')] },
        ['Approved>Rejected'],
        ['100,100>100,100'],
        [],
      ],
      [
        'a new table row',
        { content: table(apples, pears) },
        { content: table(apples, plums, pears) },
        [`+${plums}`],
        [],
        [],
      ],
      [
        'a table row less',
        { content: table(apples, plums, pears) },
        { content: table(apples, pears) },
        [`-${plums}`],
        [],
        [],
      ],
      [
        'a figure with its caption',
        { content: `${lines(700)} ${figure(100, 400)}` },
        { content: `${lines(700)} ${figure(300, 200)}` },
        [],
        [],
        ['100,380>300,180'],
      ],
      [
        'a figure with a caption far below',
        { content: `${lines(700)} ${figure(100, 400, 40)}` },
        { content: `${lines(700)} ${figure(300, 200, 40)}` },
        [],
        [],
        ['100,360>300,160'],
      ],
      [
        'a figure with its caption that is at another place in the text',
        { content: `${figure(100, 600)} ${lines(560)}` },
        { content: `${lines(700)} ${figure(100, 400)}` },
        ['~Figure of the sales by region'],
        ['100,600>100,400'],
        [],
      ],
      [
        'a figure below inserted lines',
        { content: `${lines(700)} ${figure(100, 400)} ${showLines([pears], { y: 340 })}` },
        {
          content: `${lines(700)} ${showLines([plums], { y: 556 })} ${figure(100, 370)} ${showLines([pears], { y: 310 })}`,
        },
        [`+${plums}`],
        [],
        [],
      ],
    ])('%s', async (_what, before, after, texts, areas, visual) => {
      const { changes, pages } = await report([before], [after])
      const [page] = pages
      expect(changes).toBe(1)
      expect(page && shorten(page)).toEqual(texts)
      expect(page?.text.flatMap(change => change.areas.map(corners))).toEqual(areas)
      expect(page?.visual.map(corners)).toEqual(visual)
    })

    it('but not a word on a background that changed too', async () => {
      const other = { content: `q 0.8 1 0.8 rg 40 400 500 350 re f Q ${lines(700).replace(/\((\w+)/, '(Changed')}` }
      expect((await report([text], [other])).totals).toMatchObject({ text: { replaced: 1 }, visual: 1 })
    })
  })

  it('ignores anti-aliasing and shifts of a part of a pixel, but not larger ones', async () => {
    const shifted = (by: number): WrittenPage => textPage(makeSentence(1, 60), { x: 72 + by, y: 700 + by })
    expect((await report([shifted(0)], [shifted(0.3)])).equal).toBe(true)
    expect((await report([shifted(0)], [shifted(9)])).totals).toMatchObject({ text: { replaced: 0 }, visual: 1 })
  })

  it('compares looks only with pixels, and by the given sensitivity', async () => {
    const gray = (level: number): WrittenPage => ({ content: `${level} g 50 50 100 100 re f`, size: [200, 200] })
    const count = async (options: object): Promise<number> => (await report([gray(0.9)], [gray(0.8)], options)).changes
    expect(await count({ pixels: false })).toBe(0)
    expect(await count({ sensitivity: 'low' })).toBe(0)
    expect(await count({ sensitivity: 'medium' })).toBe(0)
    expect(await count({ sensitivity: 'high' })).toBe(1)
  })

  it('compares turned pages as if they were upright', async () => {
    const changed = textPage(makeSentence(2, 60).replace(/^\S+/, 'TURNED'))
    const { pages } = await report(
      [first, second],
      [
        { ...first, rotate: 90 },
        { ...changed, rotate: 90 },
      ],
    )
    expect(pages[0]).toMatchObject({ change: 'changed', text: [], visual: [] })
    expect(pages[0]?.size).toEqual({
      before: { width: 612, height: 792, rotation: 0 },
      after: { width: 792, height: 612, rotation: 90 },
    })
    expect(pages[1] && shorten(pages[1])).toEqual([`${makeSentence(2, 1)}>TURNED`])
    expect(pages[1]?.visual).toEqual([])
    // The first word stands at the upper left of the upright page, and at the upper right of the turned page.
    const [box] = pages[1]?.text[0]?.inserted?.boxes ?? []
    expect(box?.x).toBeGreaterThan(690)
    expect(box?.y).toBeGreaterThan(480)
    expect(box?.height).toBeGreaterThan(box?.width ?? Infinity)
  })

  it('reports other page sizes', async () => {
    const { pages, changes } = await report([first], [{ ...first, size: [612, 1000], crop: [0, 0, 612, 900] }], {
      pixels: false,
    })
    expect(pages[0]?.size).toMatchObject({ before: { height: 792 }, after: { height: 900 } })
    expect(changes).toBe(1)
  })

  it('ignores what the options name', async () => {
    const count = async (before: string, after: string, ignore: string[]): Promise<number> =>
      (await report([textPage(before)], [textPage(after)], { ignore, pixels: false })).changes
    expect(await count('One two three', 'one two three', [])).toBe(1)
    expect(await count('One two three', 'one two three', ['case'])).toBe(0)
    expect(await count('One, two three.', 'One two - three', [])).toBeGreaterThan(0)
    expect(await count('One, two three.', 'One two - three', ['punctuation'])).toBe(0)
    expect(await count('One two three', 'One twothree', [])).toBe(1)
    expect(await count('One two three', 'One twothree', ['whitespace'])).toBe(0)
    // What is ignored makes no visual change either.
    expect(
      (await report([textPage('One, two')], [textPage('one two')], { ignore: ['case', 'punctuation'] })).changes,
    ).toBe(0)
  })

  it('compares Chinese text by characters, and right-to-left text in reading order', async () => {
    const write = async (text: string): Promise<Uint8Array> =>
      (await runOn('header-footer', writePages([{ content: '' }]), { header: { center: text }, fontSize: 14 })).bytes
    const changesOf = async (before: string, after: string): Promise<string[]> => {
      const { pages } = await report(await write(before), await write(after), { pixels: false })
      return pages.flatMap(shorten)
    }
    expect(await changesOf('合同期限为三年，自签署之日起生效', '合同期限为五年，自签署之日起生效')).toEqual(['三>五'])
    expect(await changesOf('مرحبا بالعالم الجديد', 'مرحبا بالعالم القديم')).toEqual(['الجديد>القديم'])
    expect(await changesOf('שלום לעולם החדש 2024 וטוב', 'שלום לעולם הישן 2025 וטוב')).toEqual(['החדש 2024>הישן 2025'])
  })

  it('takes a word that is divided at the end of a line for the undivided word', async () => {
    const count = async (before: string[], after: string[]): Promise<number> => {
      const pages = [before, after].map(lines => [{ content: showLines(lines) }])
      return (await report(pages[0] ?? [], pages[1] ?? [], { pixels: false })).changes
    }
    expect(await count(['A long compar-', 'ison of words'], ['A long comparison', 'of words'])).toBe(0)
    expect(await count(['A well-', 'known fact'], ['A well-known', 'fact'])).toBe(0)
    expect(await count(['A well-known', 'fact'], ['A wellknown', 'fact'])).toBe(1)
  })

  it('matches the same words drawn in another order', async () => {
    const [one, other] = [
      showLines(['First column text'], { x: 72 }),
      showLines(['Second column text'], { x: 320, y: 600 }),
    ]
    expect((await report([{ content: `${one} ${other}` }], [{ content: `${other} ${one}` }])).equal).toBe(true)
  })

  it('reports a page that shows another part of the same content', async () => {
    const size = [700, 792] as [number, number]
    const { pages, changes } = await report(
      [{ ...first, size, crop: [0, 0, 600, 700] }],
      [{ ...first, size, crop: [50, 0, 650, 700] }],
    )
    expect(pages[0]).toMatchObject({ change: 'changed', visualComparison: 'identical', visual: [] })
    expect(changes).toBe(1)
  })

  it('reports only the size of a page that is cropped, also if the footer lies outside', async () => {
    const body = ['One sentence of the page.', 'Another sentence of the page.', 'And a last one.']
    const pages = Array.from({ length: 5 }, (_, index): WrittenPage => ({
      content: `${showLines(body, { y: 600 })} ${showLines([`Page ${index + 1}`], { y: 30 })}`,
    }))
    const [one = { content: '' }, ...others] = pages
    const cropped: WrittenPage = { content: `q ${one.content} Q`, crop: [40, 40, 560, 750] }
    const { pages: reported, changes } = await report(pages, [cropped, ...others])
    expect(reported[0]).toMatchObject({ text: [], visual: [], size: { after: { width: 520, height: 710 } } })
    expect(changes).toBe(1)
  })

  it('pairs pages without text by their look', async () => {
    const drawing = (x: number, more = ''): WrittenPage => ({ content: `${x} 300 120 300 re f ${more}` })
    const [one, two, three] = [drawing(50), drawing(250), drawing(450)]
    const { pages } = await report([one, two, three], [one, drawing(450, '50 50 40 40 re f')])
    expect(pages.map(({ before, after, change }) => [before, after, change])).toEqual([
      [1, 1, 'same'],
      [2, null, 'removed'],
      [3, 2, 'changed'],
    ])
  })

  it('compares empty pages and files of different lengths', async () => {
    const empty = { content: '' }
    const { pages, changes } = await report([empty, first], [empty, empty, first])
    expect(pages.map(({ change }) => change)).toEqual(['same', 'inserted', 'same'])
    expect(changes).toBe(1)
  })

  it('ignores headers and footers', async () => {
    const lines = Array.from({ length: 3 }, (_, index) => wrapText(makeSentence(300 + index, 200)).slice(0, 20))
    const write = (title: string): WrittenPage[] =>
      lines.map((body, index) => ({
        content: `${showLines(body)} ${showLines([title], { y: 760 })} ${showLines([`Page ${index + 1} of ${title.length}`], { y: 30 })}`,
      }))
    const [before, after] = [write('Draft'), write('Final version')]
    expect((await report(before, after, { ignore: [], pixels: false })).totals.text['replaced']).toBe(6)
    const { equal, totals } = await report(before, after, { ignore: ['headers-footers'], pixels: false })
    expect([equal, totals.pages['same']]).toEqual([true, 3])
  })

  it('compares annotations and fields as readers show them, unless told otherwise', async () => {
    const note = (text: string): WrittenPage => ({
      ...first,
      annotations: [`<</Type/Annot/Subtype/FreeText/Rect[100 100 300 140]/DA(/Helv 12 Tf 0 g)/Contents(${text})/F 4>>`],
    })
    const { pages } = await report([note('Approved')], [note('Rejected')])
    expect(pages[0] && shorten(pages[0])).toEqual(['Approved>Rejected'])
    expect((await report([note('Approved')], [note('Rejected')], { annotations: false })).changes).toBe(0)
  })

  it('compares the selected pages', async () => {
    const { pages, equal } = await report([first, second, third], [fourth, second], { pages: [[2], '2'] })
    expect([equal, pages.map(({ before, after }) => [before, after])]).toEqual([true, [[2, 2]]])
    await expect(report([first], [first], { pages: [null, [2]] })).rejects.toMatchObject({
      problems: [{ param: 'options.pages[1][0]' }],
    })
  })

  it('draws both pages on each sheet, with a summary, bookmarks and searchable text', async () => {
    const changed = textPage(makeSentence(2, 60).replace(/^\S+/, 'CHANGED'))
    const { bytes, headers } = await runOn('compare-pdfs', [writePages([first, second]), writePages([first, changed])])
    const seen = await readPdf(bytes)
    expect([headers['X-Changes'], headers['X-Page-Count']]).toEqual(['1', '3'])
    expect(seen.pages.map(({ width }) => Math.round(width))).toEqual([595, 2 * 612 + 48, 2 * 612 + 48])
    expect(seen.pages[0]?.text).toContain('1 change')
    expect(seen.pages[0]?.links).toEqual([{ page: 3 }])
    expect(seen.pages[2]?.text).toContain('CHANGED')
    expect(seen.pages[2]?.text).toContain(makeSentence(2, 1))
    expect(seen.outline.map(({ title, page: number }) => [title, number])).toEqual([
      ['Summary', 1],
      ['Page 2: 1 text change', 3],
    ])
    readSound(bytes)
    // The old word is red, and the new one is green.
    const image = await renderPage(bytes, 2)
    const countColor = (test: (red: number, green: number, blue: number) => boolean, from: number): number => {
      let count = 0
      for (let y = 0; y < image.height; y++)
        for (let x = from; x < from + image.width / 2 - 1; x++) {
          const at = (y * image.width + Math.floor(x)) * 4
          const [blue = 0, green = 0, red = 0] = image.pixels.subarray(at, at + 3)
          if (test(red, green, blue)) count++
        }
      return count
    }
    const isRed = (red: number, green: number): boolean => red > green + 40
    const isGreen = (red: number, green: number): boolean => green > red + 40
    expect(countColor(isRed, 0)).toBeGreaterThan(100)
    expect(countColor(isGreen, 0)).toBe(0)
    expect(countColor(isGreen, image.width / 2)).toBeGreaterThan(100)
    expect(countColor(isRed, image.width / 2)).toBe(0)
  })

  it('shows changed pages only, if requested', async () => {
    const files = [writePages([first, second, third]), writePages([first, third, fourth])]
    const titles = async (options: object): Promise<string[]> =>
      (await readPdf((await runOn('compare-pdfs', files, options)).bytes)).pages.map(
        ({ text }) => /(Removed|Inserted) page|No changes|Comparison/.exec(text)?.[0] ?? '',
      )
    expect(await titles({ show: 'changed' })).toEqual(['Comparison', 'Removed page', 'Inserted page'])
    expect(await titles({ summary: false })).toEqual(['No changes', 'Removed page', 'No changes', 'Inserted page'])
    const same = await runOn('compare-pdfs', [files[0] ?? '', files[0] ?? ''] as Uint8Array[], { show: 'changed' })
    expect((await readPdf(same.bytes)).pages.map(({ text }) => text.includes('No differences'))).toEqual([true])
  })

  it('draws both files in two colors on top of each other', async () => {
    const square = (x: number): WrittenPage => ({ content: `${x} 300 100 100 re f` })
    const files = [writePages([square(100)]), writePages([square(150)])]
    const { bytes } = await runOn('compare-pdfs', files, { layout: 'overlay', summary: false, pixels: false })
    const image = await renderPage(bytes, 0)
    const colorAt = (x: number): string => {
      const at = ((image.height - 16 - 350) * image.width + 16 + x) * 4
      const [blue = 0, green = 0, red = 0] = image.pixels.subarray(at, at + 3)
      return red > 230 && blue > 230
        ? 'white'
        : red > 2 * blue
          ? 'red'
          : blue > 2 * red
            ? 'blue'
            : green < 90
              ? 'dark'
              : 'other'
    }
    expect([50, 125, 175, 225, 300].map(colorAt)).toEqual(['white', 'red', 'dark', 'blue', 'white'])
  })

  it('adds comments with the old text to the second file', async () => {
    const words = makeSentence(2, 30).split(' ')
    const changed = [...words.slice(0, 3), 'CHANGED', ...words.slice(4, 20), ...words.slice(21)]
    const after = writePages([textPage(changed.join(' ')), third])
    const { bytes } = await runOn('compare-pdfs', [writePages([textPage(words.join(' '))]), after], { layout: 'after' })
    const annotations = await withPdfjs(bytes, document =>
      Promise.all([1, 2].map(async number => (await document.getPage(number)).getAnnotations())),
    )
    expect(
      annotations.map(list =>
        (list as { subtype: string; contentsObj?: { str: string } }[]).map(({ subtype, contentsObj }) => [
          subtype,
          contentsObj?.str,
        ]),
      ),
    ).toEqual([
      [
        ['Highlight', `Replaced: ${words[3]}`],
        ['Caret', `Removed: ${words[20]}`],
      ],
      [['Text', 'This page was inserted.']],
    ])
    const seen = await readPdf(bytes)
    expect(seen.pages.map(({ text }) => text)).toEqual((await readPdf(after)).pages.map(({ text }) => text))
    readSound(bytes)
  })

  it('returns the same bytes for the same request', async () => {
    const size = [200, 200] as [number, number]
    const [one, two, three] = ['One', 'Two', 'Three'].map(text => ({ ...textPage(text, { x: 20, y: 100 }), size }))
    const files = [
      [one, two],
      [two, three],
    ].map(pages => writePages(pages as WrittenPage[]))
    for (const options of [{}, { layout: 'overlay' }, { layout: 'after' }, { format: 'json' }]) {
      const [early, late] = [await runOn('compare-pdfs', files, options), await runOn('compare-pdfs', files, options)]
      expect(early.bytes.equals(late.bytes)).toBe(true)
    }
  })

  it('says that a page could not be rendered', async () => {
    const huge = (text: string): WrittenPage => ({ ...textPage(text), size: [14_000, 14_000] })
    const { pages, warnings } = await report([huge('One two three')], [huge('One two four')], {}, { maxPixels: 20 })
    expect(pages[0]).toMatchObject({ visualComparison: 'failed', change: 'changed' })
    expect(warnings).toContain('page-not-compared')
  })

  it('rejects more sheets than a result may have pages, and options that have no effect', async () => {
    const file = numbered()
    await expect(runOn('compare-pdfs', [file, file], {}, { maxPagesOut: 3 })).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('options.show') as string,
    })
    for (const options of [
      { format: 'json', layout: 'after' },
      { layout: 'after', show: 'changed' },
      { layout: 'after', summary: false },
      { show: 'changed', summary: false },
      { pixels: false, sensitivity: 'high' },
      { pages: [[1]] },
    ])
      await expect(runOn('compare-pdfs', [file, file], options)).rejects.toMatchObject({ name: 'ZodError' })
  })
})
