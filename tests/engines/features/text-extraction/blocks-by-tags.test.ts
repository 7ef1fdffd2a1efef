import { describe, expect, it } from 'vitest'
import { makeTaggedText, run, stack } from '../../../fixtures/tagged-text'
import type { Run, Tag } from '../../../fixtures/tagged-text'
import { runOn } from '../../../support/run-on'

async function extract(file: Uint8Array, options: object = { format: 'markdown' }): Promise<string> {
  return (await runOn('extract-text', file, options)).bytes.toString('utf8')
}

interface JsonBlock {
  type: string
  text: string
  alternativeText?: string
  box: { x: number; y: number; width: number; height: number } | null
}

async function toBlocks(file: Uint8Array, options: object = {}): Promise<{ source: string; blocks: JsonBlock[] }> {
  return JSON.parse(await extract(file, { format: 'json', ...options })).pages[0]
}

/** Wraps runs as Chromium does. */
const wrap = (type: string, ...runs: (Run | Tag)[]): Tag => [
  type,
  ...runs.map((item): Tag => (Array.isArray(item) ? item : ['NonStruct', item])),
]

const LINES = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring.',
]
const paragraph = (y: number): Run[] => LINES.map((text, at) => run(text, 40, y + 12 * at))
const PARAGRAPH = LINES.join(' ')

describe('text in elements without a meaning', () => {
  it.each<[string, Tag]>([
    ['NonStruct', wrap('H2', run('Rivers', 40, 60), run('of the north', 72, 60))],
    [
      'two levels',
      ['H2', ['NonStruct', ['NonStruct', run('Rivers', 40, 60)]], ['NonStruct', run('of the north', 72, 60)]],
    ],
    ['a type of ISO 32000-2', wrap('H2', ['Em', ['NonStruct', run('Rivers', 40, 60)]], run('of the north', 72, 60))],
    ['Code', wrap('H2', ['Code', ['NonStruct', run('Rivers', 40, 60)]], run('of the north', 72, 60))],
    ['Div', ['H2', ['Div', run('Rivers', 40, 60)], run('of the north', 72, 60)]],
    ['an unknown type', ['H2', ['Fancy', run('Rivers', 40, 60)], run('of the north', 72, 60)]],
    ['a number above six', ['H9', run('Rivers of the north', 40, 60)]],
  ])('belongs to the heading: %s', async (_, heading) => {
    const markdown = await extract(makeTaggedText([{ tags: [heading, ['P', ...paragraph(90)]] }]))
    expect(markdown).toMatch(/^##(####)? Rivers of the north\n\nThe river/)
  })

  it.each<[string, Tag]>([
    ['LBody', ['LI', ['Lbl', run('1.', 40, 60)], wrap('LBody', run('Boil', 55, 60), run('water', 80, 60))]],
    ['P', ['LI', ['Lbl', run('1.', 40, 60)], wrap('P', run('Boil', 55, 60), run('water', 80, 60))]],
    [
      'no LBody',
      ['LI', ['Lbl', run('1.', 40, 60)], ['NonStruct', run('Boil', 55, 60)], ['NonStruct', run('water', 80, 60)]],
    ],
    [
      'Code',
      [
        'LI',
        ['Lbl', run('1.', 40, 60)],
        wrap('LBody', ['Code', ['NonStruct', run('Boil', 55, 60)]], run('water', 80, 60)),
      ],
    ],
    [
      'Link',
      [
        'LI',
        ['Lbl', run('1.', 40, 60)],
        wrap('LBody', run('Boil', 55, 60), ['Link', ['NonStruct', run('water', 80, 60)]]),
      ],
    ],
  ])('belongs to the list item: %s', async (_, item) => {
    const file = makeTaggedText([
      {
        tags: [
          ['P', ...paragraph(90)],
          ['L', item],
        ],
      },
    ])
    expect(await extract(file)).toContain('spring.\n\n1. Boil water\n')
  })

  it('is a paragraph of its own beside other elements', async () => {
    const file = makeTaggedText([
      {
        tags: [
          ['H1', run('Rivers', 40, 40)],
          wrap('NonStruct', run('First', 40, 70), ['Em', ['NonStruct', run('words', 62, 70)]], run('here.', 95, 70)),
          wrap('NonStruct', run('Second', 40, 100)),
          ['NonStruct', run('Loose', 40, 130)],
          ['Link', ['NonStruct', run('words', 70, 130)]],
          ['P', run('Third', 40, 160)],
        ],
      },
    ])
    const { blocks } = await toBlocks(file)
    expect(blocks.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'heading: Rivers',
      'paragraph: First words here.',
      'paragraph: Second',
      'paragraph: Loose words',
      'paragraph: Third',
    ])
  })

  it('keeps labels outside of lists', async () => {
    const note: Tag = ['Note', ['Lbl', run('1', 40, 200)], ['P', run('A note', 50, 200)]]
    const text = await extract(makeTaggedText([{ tags: [['H1', run('Rivers', 40, 40)], note] }]), {})
    expect(text).toMatch(/1\s+A note/)
  })
})

describe('tags that only group', () => {
  const content = [
    run('Rivers of the north', 40, 50, { size: 20 }),
    ...paragraph(90),
    ...['First point', 'Second point'].map((text, at) => run(`- ${text}`, 40, 160 + 14 * at)),
  ]
  const each = (type: string): Tag[] => content.map((item): Tag => [type, item])
  it.each<[string, Tag[]]>([
    ['Part', [['Part', ...content]]],
    ['Document', [['Document', ...content]]],
    ['Art in Sect', [['Sect', ['Art', ...content]]]],
    ['Div', [['Div', ...content]]],
    ['NonStruct', [['Document', ['NonStruct', ...content]]]],
    ['one Span for each line', each('Span')],
    ['one unknown element for each line', each('Fancy')],
    ['one P', [['P', ...content]]],
    ['one P in Sect', [['Sect', ['P', ...content]]]],
  ])('leave the order to the layout: %s', async (_, tags) => {
    const { source, blocks } = await toBlocks(makeTaggedText([{ tags }]))
    expect(source).toBe('layout')
    expect(blocks.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'heading: Rivers of the north',
      `paragraph: ${PARAGRAPH}`,
      'list-item: First point',
      'list-item: Second point',
    ])
  })

  it('leave paragraphs to the layout beside tags with a meaning', async () => {
    const rest: Tag = ['Sect', ...paragraph(90), ...paragraph(150)]
    const { source, blocks } = await toBlocks(makeTaggedText([{ tags: [['H1', run('Rivers', 40, 50)], rest] }]))
    expect(source).toBe('tags')
    expect(blocks.map(({ text }) => text)).toEqual(['Rivers', PARAGRAPH, PARAGRAPH])
  })

  it('does not follow tags that the file marks as suspect', async () => {
    const tags: Tag[] = [
      ['P', ...paragraph(200)],
      ['P', ...paragraph(90)],
    ]
    const sources = await Promise.all(
      ['true', 'false'].map(
        async value =>
          (await toBlocks(makeTaggedText([{ tags }], { catalog: `/MarkInfo<</Marked true/Suspects ${value}>>` })))
            .source,
      ),
    )
    expect(sources).toEqual(['layout', 'tags'])
  })

  it('follows the tags of a page with one long paragraph', async () => {
    expect((await toBlocks(makeTaggedText([{ tags: [['P', ...paragraph(90)]] }]))).source).toBe('tags')
  })
})

describe('text without tags on tagged pages', () => {
  const body = (y = 90): Tag[] => [
    ['H1', run('Rivers', 40, y)],
    ['P', ...paragraph(y + 30)],
  ]
  it.each<[string, Run[], string]>([
    ['above', [run('Annual report', 40, 25)], 'header: Annual report'],
    ['below', [run('Page 1', 180, 585)], 'footer: Page 1'],
    ['above, in two parts', [run('Annual report', 40, 25), run('2026', 300, 25)], 'header: Annual report|header: 2026'],
    ['above, in two lines', [run('Annual report', 40, 25), run('2026', 40, 40)], 'header: Annual report|header: 2026'],
    ['near the text', [run('Page 1', 180, 170)], 'footer: Page 1'],
  ])('is a header or footer: %s', async (_, loose, expected) => {
    const { source, blocks } = await toBlocks(makeTaggedText([{ tags: body(), loose }]))
    expect(source).toBe('tags')
    const edges = blocks.filter(({ type }) => type === 'header' || type === 'footer')
    expect(edges.map(({ type, text }) => `${type}: ${text}`).join('|')).toBe(expected)
    const removed = await toBlocks(makeTaggedText([{ tags: body(), loose }]), { headersFooters: 'remove' })
    expect(removed.blocks.map(({ text }) => text)).toEqual(['Rivers', PARAGRAPH])
  })

  it('stays text between tagged paragraphs', async () => {
    const tags: Tag[] = [...body(), ['P', ...paragraph(300)]]
    const { blocks } = await toBlocks(makeTaggedText([{ tags, loose: [run('In between', 40, 220)] }]))
    expect(blocks.find(({ text }) => text === 'In between')?.type).toBe('paragraph')
  })
})

describe('code, captions and figures in tags', () => {
  const mono = { isMonospaced: true }
  const code = [run('if (found) {', 40, 200, mono), run('stop()', 52, 212, mono), run('}', 40, 224, mono)]
  it.each<[string, Tag[], boolean]>([
    ['lines in NonStruct', [['NonStruct', ['NonStruct', ...code]]], true],
    ['Code in NonStruct', [['NonStruct', ['Code', ['NonStruct', ...code]]]], true],
    ['P', [['P', ...code]], true],
    ['BlockQuote', [['BlockQuote', ['NonStruct', ['NonStruct', ...code]]]], true],
    ['one line', [['NonStruct', ['NonStruct', run('stop()', 40, 200, mono)]]], true],
    ['one line of Code', [['NonStruct', ['Code', ['NonStruct', run('stop()', 40, 200, mono)]]]], true],
    ['a word in a paragraph', [['P', ['Code', run('stop()', 40, 200, mono)]]], false],
    ['a word beside others', [['P', ['Code', run('stop()', 40, 200, mono)], run('ends it', 100, 200)]], false],
  ])('finds code by its font: %s', async (_, tags, isCode) => {
    const file = makeTaggedText([{ tags: [['H1', run('Rivers', 40, 50)], ['P', ...paragraph(90)], ...tags] }])
    const { blocks } = await toBlocks(file)
    expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', isCode ? 'code' : 'paragraph'])
    if (isCode) expect(await extract(file)).toMatch(/```\n[^`]+\n```/)
  })

  it.each<[string, Tag, object]>([
    ['its image', ['Figure/Alt(A lamp)', run([120, 80], 60, 200)], { x: 60, y: 320, width: 120, height: 80 }],
    [
      'a nested image',
      ['Figure', ['Figure/Alt(A lamp)', run([120, 80], 60, 200)]],
      { x: 60, y: 320, width: 120, height: 80 },
    ],
    [
      'two images',
      ['Figure/Alt(A lamp)', run([50, 80], 60, 200), run([50, 80], 130, 200)],
      { x: 60, y: 320, width: 120, height: 80 },
    ],
    [
      'its attributes',
      ['Figure/Alt(A lamp)/A<</O/Layout/BBox[60 320 180 400]>>', run('', 60, 300)],
      { x: 60, y: 320, width: 120, height: 80 },
    ],
    ['no image', ['Figure/Alt(A lamp)', run('Lamp', 60, 200)], { x: 60, y: 398, height: 10 }],
  ])('takes the box of a figure from %s', async (_, figure, box) => {
    const tags: Tag[] = [['P', ...paragraph(90)], figure, ['Caption', run('Figure 1', 60, 300)]]
    const { blocks } = await toBlocks(makeTaggedText([{ tags }]))
    const found = blocks.filter(({ type }) => type === 'figure')
    expect(found).toMatchObject([{ alternativeText: 'A lamp', box }])
    expect(blocks.at(-1)).toMatchObject({ type: 'caption', text: 'Figure 1' })
  })
})

describe('code in tagged list items', () => {
  const mono = { isMonospaced: true }
  const item = (...runs: Run[]): Tag => ['L', ['LI', ['Lbl', run('1.', 40, 200)], wrap('LBody', ...runs)]]
  const code = [run('make', 52, 215, mono), run('make test', 52, 227, mono)]
  it.each<[string, Run[], string[]]>([
    ['at the end', [run('Build it:', 52, 200), ...code], ['list-item: Build it:', 'code: make\nmake test']],
    [
      'before text',
      [run('Build it:', 52, 200), ...code, run('Then stop.', 52, 245)],
      ['list-item: Build it:', 'code: make\nmake test', 'paragraph: Then stop.'],
    ],
    ['in one line', [run('Build it:', 52, 200), ...code.slice(0, 1)], ['list-item: Build it: make']],
    ['beside text', [run('Build', 52, 200), run('make', 82, 200, mono)], ['list-item: Build make']],
    ['alone', [run('make', 52, 200, mono), run('Then stop.', 52, 215)], ['list-item: make Then stop.']],
  ])('is a block of its own if it has lines: %s', async (_, runs, expected) => {
    const { blocks } = await toBlocks(makeTaggedText([{ tags: [['P', ...paragraph(90)], item(...runs)] }]))
    expect(blocks.slice(1).map(({ type, text }) => `${type}: ${text}`)).toEqual(expected)
  })

  it.each<[string, Tag[], string[]]>([
    [
      'beside a paragraph',
      [wrap('P', run('Build it:', 52, 200)), ['NonStruct', ['NonStruct', run('make', 52, 215, mono)]]],
      ['list-item: Build it:', 'code: make'],
    ],
    [
      'with Code',
      [wrap('P', run('Build it:', 52, 200)), ['NonStruct', ['Code', ['NonStruct', run('make', 52, 215, mono)]]]],
      ['list-item: Build it:', 'code: make'],
    ],
    [
      'in the paragraph',
      [['P', ['NonStruct', run('Build', 52, 200)], ['NonStruct', ['NonStruct', run('make', 82, 200, mono)]]]],
      ['list-item: Build make'],
    ],
  ])('is a block of its own if it has its own element: %s', async (_, kids, expected) => {
    const list: Tag = ['L', ['LI', ['Lbl', run('1.', 40, 200)], ...kids]]
    const { blocks } = await toBlocks(makeTaggedText([{ tags: [['P', ...paragraph(90)], list] }]))
    expect(blocks.slice(1).map(({ type, text }) => `${type}: ${text}`)).toEqual(expected)
  })

  it('has letters or digits', async () => {
    const tags: Tag[] = [
      ['P', ...paragraph(90)],
      ['NonStruct', ['NonStruct', run('->', 40, 200, mono)]],
    ]
    expect((await toBlocks(makeTaggedText([{ tags }]))).blocks.at(-1)?.type).toBe('paragraph')
  })
})

describe('the cells of tagged tables', () => {
  const rows = [
    ['Item', 'Count', 'Price'],
    ['Apples', '12', '3.40'],
    ['Pears', '7', '2.10'],
    ['Plums', '31', '9.95'],
  ]
  const cell = (row: number, column: number, type = 'TD'): Tag => [
    type,
    ['P', run(rows[row]?.[column] ?? '', 40 + 100 * column, 100 + 20 * row)],
  ]
  const order = (...columns: number[][]): Tag[] =>
    columns.map((list, row): Tag => ['TR', ...list.map(column => cell(row, column))])
  const expected = rows
    .map(row => `| ${row.join(' | ')} |`)
    .join('\n')
    .replace('\n', '\n| --- | --- | --- |\n')
  it.each<[string, Tag[]]>([
    ['as they are', order([0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2])],
    ['one row in another order', order([0, 1, 2], [0, 1, 2], [0, 2, 1], [0, 1, 2])],
    ['every second row in another order', order([0, 1, 2], [0, 2, 1], [0, 1, 2], [2, 0, 1])],
    ['a turned row', order([0, 1, 2], [0, 1, 2], [0, 1, 2], [2, 1, 0])],
    ['by column', [0, 1, 2].map((column): Tag => ['TR', ...[0, 1, 2, 3].map(row => cell(row, column))])],
  ])('have the order of the page: %s', async (_, tags) => {
    const file = makeTaggedText([
      {
        tags: [
          ['P', run('Fruit', 40, 60)],
          ['Table', ...tags],
        ],
      },
    ])
    expect(await extract(file)).toContain(expected)
  })

  it('keep the order of the tags from right to left, and with spans', async () => {
    const backward = await extract(
      makeTaggedText([{ tags: [['Table', ...order([2, 1, 0], [2, 1, 0], [2, 1, 0], [2, 1, 0])]] }]),
    )
    expect(backward).toContain('| Price | Count | Item |')
    const wide: Tag = ['TR', cell(1, 2), cell(1, 0, 'TD/A<</O/Table/ColSpan 2>>')]
    const spans = await extract(makeTaggedText([{ tags: [['Table', ...order([0, 1, 2]), wide]] }]))
    expect(spans).toContain('| 3.40 | Apples |  |')
  })
})

describe('stack', () => {
  it('keeps the order of tags that differs from the layout', async () => {
    const tags = stack(['H2', 'P'], ['Rivers', 'First', 'Hills', 'Second'], 40, 90).reverse()
    const { blocks } = await toBlocks(makeTaggedText([{ tags }]))
    expect(blocks.map(({ text }) => text)).toEqual(['Second', 'Hills', 'First', 'Rivers'])
  })
})
