import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../fixtures/draft'
import { FormDraft } from '../../fixtures/forms'
import { makeScan } from '../../fixtures/scan'
import { addTags } from '../../fixtures/tagged'
import { makeTextPages } from '../../fixtures/text-page'
import { runOn } from '../../support/run-on'

async function extract(file: Uint8Array, options: unknown = {}): Promise<string> {
  return (await runOn('extract-text', file, options)).bytes.toString('utf8')
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface JsonPage {
  page: number
  width: number
  height: number
  source: string
  blocks: {
    type: string
    text: string
    box: Box
    lines?: { text: string; fontSize: number; words: { text: string; box: Box }[] }[]
    cells?: { row: number; column: number; columnSpan: number; text: string }[]
  }[]
}

async function toJson(file: Uint8Array, options: object = {}): Promise<JsonPage[]> {
  return JSON.parse(await extract(file, { format: 'json', ...options })).pages
}

const BODY = [
  'The river begins in the hills above the town and runs',
  'through three valleys before it reaches the sea. Most',
  'of the water comes from melting snow in the spring, and',
  'the mills along its banks once ground corn for a county.',
]

describe('extract-text', () => {
  it('returns pages as plain text with form feeds, and names the file', async () => {
    const { bytes, contentType, name } = await runOn('extract-text', numbered())
    expect(contentType).toBe('text/plain; charset=utf-8')
    expect(name).toBe('input-text.txt')
    const pages = bytes.toString('utf8').split('\f')
    expect(pages.map(page => /PAGE \d OF 5/.exec(page)?.[0])).toEqual([1, 2, 3, 4, 5].map(n => `PAGE ${n} OF 5`))
  })

  it('extracts the selected pages in the order of the document', async () => {
    const pages = await toJson(numbered(), { pages: [4, 2] })
    expect(pages.map(({ page }) => page)).toEqual([2, 4])
  })

  it('writes headings, lists and paragraphs as Markdown', async () => {
    const file = await makeTextPages(1, page =>
      page
        .text('Rivers of the north', 40, 60, { size: 20 })
        .lines(BODY, 40, 90)
        .text('Bridges', 40, 160, { isBold: true })
        .lines(BODY, 40, 180)
        .lines(['• First of all', '• Second of all', '1. Not in a list * of stars'], 50, 250, { leading: 14 }),
    )
    const { bytes, contentType, name } = await runOn('extract-text', file, { format: 'markdown' })
    expect(contentType).toBe('text/markdown; charset=utf-8')
    expect(name).toBe('input-text.md')
    const markdown = bytes.toString('utf8')
    expect(markdown).toMatch(/^# Rivers of the north\n\nThe river begins in the hills above the town and runs through/)
    expect(markdown).toContain('\n\n## Bridges\n\n')
    expect(markdown).toContain('- First of all\n- Second of all\n')
    expect(markdown).toContain('\\* of stars')
  })

  it('reads two columns one after the other', async () => {
    const left = BODY.map(line => line.slice(0, 28))
    const right = BODY.map(line => line.slice(0, 28).toUpperCase())
    const file = await makeTextPages(1, page =>
      page.lines([...left, ...left], 40, 60).lines([...right, ...right], 220, 60),
    )
    const text = (await extract(file)).replace(/\s+/g, ' ')
    expect(text).toContain([...left, ...left].join(' '))
    expect(text.indexOf('THE RIVER')).toBeGreaterThan(text.lastIndexOf('the mills'))
  })

  it('joins words that a line break divides', async () => {
    const lines = [
      'A paragraph with a very long expla-',
      'nation of something, and COVID-',
      '19 keeps its hyphen here, as it',
    ]
    const text = await extract(await makeTextPages(1, page => page.lines(lines, 40, 60)))
    expect(text).toContain('long explanation of')
    expect(text).toContain('COVID-19 keeps')
  })

  it('finds tables with borders, and cells that span columns', async () => {
    const file = await makeTextPages(1, page => {
      page.lines(BODY, 40, 50).grid([40, 140, 240, 340], [120, 140, 160, 180])
      for (const [row, cells] of [
        ['Item', 'Price', 'Stock'],
        ['Bolt', '1.20', '40'],
        ['Nut', '0.80', '7'],
      ].entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 46 + column * 100, 134 + row * 20)
    })
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).toContain(
      '| Item | Price | Stock |\n| --- | --- | --- |\n| Bolt | 1.20 | 40 |\n| Nut | 0.80 | 7 |',
    )
    const [page] = await toJson(file)
    const table = page?.blocks.find(({ type }) => type === 'table')
    expect(table?.box).toEqual({ x: 40, y: 420, width: 300, height: 60 })
    expect(table?.cells?.[4]).toMatchObject({ row: 1, column: 1, columnSpan: 1, text: '1.20' })
  })

  it('finds tables without borders', async () => {
    const rows = [
      ['Town', 'Height', 'People'],
      ['Arden', '120 m', '4,100'],
      ['Bly', '86 m', '950'],
      ['Corve', '310 m', '12'],
    ]
    const file = await makeTextPages(1, page => {
      page.lines(BODY, 40, 50)
      for (const [row, cells] of rows.entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 90, 130 + row * 16)
      page.lines(BODY, 40, 220)
    })
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).toContain(
      rows
        .slice(1)
        .map(cells => `| ${cells.join(' | ')} |`)
        .join('\n'),
    )
    expect(await extract(file)).toContain('Arden\t120 m\t4,100\n')
  })

  it('divides tables where the columns change, and reads the text beside them first', async () => {
    const file = await makeTextPages(1, page => {
      for (const [row, cells] of [
        ['Item', 'Count', 'Unit', 'Price', 'Sum'],
        ['Oak shelf', '4', 'piece', '12.00', '48.00'],
        ['Delivery', '1', 'trip', '9.00', '9.00'],
        ['Screws', '80', 'piece', '0.10', '8.00'],
      ].entries())
        for (const [column, cell] of cells.entries())
          page.text(cell, [40, 180, 230, 280, 340][column] ?? 0, 60 + row * 18)
      page.lines(['Notes', 'Thank you for your order.'], 40, 150)
      for (const [row, [name, sum]] of [
        ['Total without tax', '65.00'],
        ['Tax (19 % of 65.00)', '12.35'],
        ['Total', '77.35'],
        ['Paid', '50.00'],
        ['Due', '27.35'],
      ].entries())
        page.text(name ?? '', 205, 150 + row * 18).text(sum ?? '', 340, 150 + row * 18)
    })
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).toContain('| Item | Count | Unit | Price | Sum |\n')
    expect(markdown).toContain('| Oak shelf | 4 | piece | 12.00 | 48.00 |\n')
    expect(markdown).toMatch(/Notes\s+Thank you for your order\.\s+\| Total without tax \| 65\.00 \|/)
    expect(markdown).toContain('| Due | 27.35 |')
  })

  it('ends a table with rules between its rows at the last rule', async () => {
    const file = await makeTextPages(1, page => {
      for (const [row, [name, sum]] of [
        ['Item', 'Sum'],
        ['Oak shelf', '48.00'],
        ['Delivery', '9.00'],
        ['Screws', '8.00'],
      ].entries())
        page
          .text(name ?? '', 40, 64 + row * 24)
          .text(sum ?? '', 200, 64 + row * 24)
          .grid([40, 240], [72 + row * 24])
      for (const [row, [name, sum]] of [
        ['Total without tax', '65.00'],
        ['Tax', '12.35'],
        ['Total', '77.35'],
      ].entries())
        page.text(name ?? '', 40, 162 + row * 14).text(sum ?? '', 200, 162 + row * 14)
    })
    const tables = (await toJson(file))[0]?.blocks.filter(({ type }) => type === 'table')
    expect(tables?.map(({ cells }) => cells?.map(({ text }) => text))).toEqual([
      ['Item', 'Sum', 'Oak shelf', '48.00', 'Delivery', '9.00', 'Screws', '8.00'],
      ['Total without tax', '65.00', 'Tax', '12.35', 'Total', '77.35'],
    ])
  })

  it('keeps a header that spans columns in its table', async () => {
    const file = await makeTextPages(1, page => {
      page.text('Region', 40, 60).text('Sales of the two halves of the year', 132, 60)
      for (const [row, cells] of [
        ['North', '1,200', '1,450'],
        ['South', '980', '1,010'],
        ['West', '450', '530'],
      ].entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 40 + column * 110, 78 + row * 18)
    })
    const [page] = await toJson(file)
    const [table] = page?.blocks ?? []
    expect(table?.type).toBe('table')
    expect(table?.cells?.[1]).toMatchObject({ row: 0, column: 1, columnSpan: 2 })
    expect(table?.cells?.map(({ text }) => text)).toEqual(
      ['Region', 'Sales of the two halves of the year', 'North', '1,200', '1,450', 'South', '980', '1,010'].concat([
        'West',
        '450',
        '530',
      ]),
    )
  })

  it('reads addresses beside each other one after the other', async () => {
    const file = await makeTextPages(1, page => {
      page.lines(['From', 'Aurora Workshop', '1 Mill Lane', '10119 Arden', 'post@aurora.example'], 40, 60)
      page.lines(['Bill to', 'Corve and Sons', '22 Hill Road'], 170, 60)
      page.text('Date', 290, 60).text('2 May', 350, 60).text('Due', 290, 77).text('9 May', 350, 77)
    })
    const text = (await extract(file)).replace(/\s+/g, ' ')
    expect(text).toContain('From Aurora Workshop 1 Mill Lane 10119 Arden post@aurora.example')
    expect(text).toContain('Bill to Corve and Sons 22 Hill Road')
    expect(text).toMatch(/Date 2 May Due 9 May/)
  })

  it('does not take code for a table', async () => {
    const file = await makeTextPages(1, page =>
      page
        .lines([...BODY, ...BODY], 40, 50)
        .lines(
          ['name = "foo"    # The name of it', 'path = "a.rs"   # The file of it', 'test = true     # Tested'],
          40,
          160,
          {
            isMonospaced: true,
          },
        ),
    )
    const markdown = await extract(file, { format: 'markdown' })
    expect(markdown).not.toContain('|')
    expect(markdown).toContain('```')
  })

  it('finds rows and cells of tables that lack some borders', async () => {
    const file = await makeTextPages(1, page => {
      page.grid([40, 340], [100, 120]).grid([40, 140, 240, 340], [120, 200])
      for (const [row, cells] of [
        ['Line', 'Name', 'Sum'],
        ['1', 'Wages', '1,200'],
        ['2', 'Tax', '300'],
        ['3', 'Rest', '900'],
      ].entries())
        for (const [column, cell] of cells.entries()) page.text(cell, 46 + column * 100, 114 + row * 24)
    })
    expect(await extract(file, { format: 'markdown' })).toContain(
      '| Line | Name | Sum |\n| --- | --- | --- |\n| 1 | Wages | 1,200 |\n| 2 | Tax | 300 |\n| 3 | Rest | 900 |',
    )
  })

  it('extracts visible form fields and free text beside their labels', async () => {
    const form = new FormDraft()
    const page = form.draft.page(1)
    page.content.push('BT /F1 11 Tf 60 500 Td (Name:) Tj 0 -40 Td (Town:) Tj 0 -40 Td (Code:) Tj ET')
    form.field('/FT/Tx/T(name)/V(Ada Lovelace)', [120, 495, 200, 20])
    form.field('/FT/Tx/T(town)/V(London)', [120, 455, 200, 20])
    const shown = form.draft.pdf.addStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 ${form.draft.font} 0 R>>>>`,
      'BT /F1 11 Tf 2 5 Td (swordfish) Tj ET',
    )
    form.field(`/FT/Tx/T(code)/Ff 8192/AP<</N ${shown} 0 R>>`, [120, 415, 200, 20])
    form.field('/FT/Tx/T(gone)/F 2/V(Nobody)', [350, 495, 200, 20])
    page.annotations.push(
      `<</Type/Annot/Subtype/FreeText/F 4/Rect[120 300 300 330]/DA(/Helv 12 Tf 0 g)/Contents(Call back)>>`,
    )
    const text = await extract(form.write())
    expect(text).toMatch(/Name:\s+Ada Lovelace\s+Town:\s+London\s+Code:\s+Call back/)
    expect(text).not.toMatch(/swordfish|Nobody/)
  })

  it('puts form fields of tagged pages behind their labels', async () => {
    const form = new FormDraft()
    addTags(form.draft)
    form.field('/FT/Tx/T(name)/V(Ada Lovelace)', [60, 570, 200, 20])
    const [page] = await toJson(form.write())
    expect(page?.source).toBe('tags')
    expect(page?.blocks.map(({ text }) => text)).toEqual([expect.stringMatching(/^[A-Z]+$/), 'Ada Lovelace'])
  })

  it('warns about scans without words, with a confidence of 0', async () => {
    const { headers, warnings } = await runOn('extract-text', await makeScan([{ lines: [] }]), { ocr: true })
    expect(headers).toMatchObject({ 'X-OCR-Pages': '1', 'X-OCR-Confidence': '0.0' })
    expect(warnings).toContain('ocr-low-confidence')
  }, 60_000)

  it('marks, keeps or removes headers and footers', async () => {
    const file = await makeTextPages(3, (page, number) =>
      page
        .text('Annual report', 40, 30)
        .lines(BODY, 40, 200 + number * 10)
        .text(`Page ${number} of 3`, 180, 580),
    )
    expect(await extract(file)).toMatch(/^\[Header\] Annual report\n\nThe river.*\n\n\[Footer\] Page 1 of 3\n\f/s)
    expect(await extract(file, { format: 'markdown' })).toContain('<!-- Footer: Page 2 of 3 -->')
    expect(await extract(file, { headersFooters: 'keep' })).toMatch(/^Annual report\n\n/)
    const removed = await extract(file, { headersFooters: 'remove' })
    expect(removed).not.toMatch(/Annual|Page \d/)
    expect(removed.match(/The river/g)).toHaveLength(3)
    const [page] = await toJson(file)
    expect(page?.blocks.map(({ type }) => type)).toEqual(['header', 'paragraph', 'footer'])
  })

  it('follows the tags, and uses /ActualText', async () => {
    const draft = new Draft()
    addTags(draft)
    const [page] = await toJson(draft.write())
    expect(page?.source).toBe('tags')
    expect(page?.blocks[0]?.text).toMatch(/^[A-Z]+$/)
  })

  it('states boxes in points from the lower-left corner of the displayed page', async () => {
    const file = await makeTextPages(1, ({ page }) => page.setRotation({ type: 'degrees', angle: 90 } as never))
    expect((await toJson(file))[0]).toMatchObject({ width: 600, height: 400, source: 'none', blocks: [] })
    const [plain] = await toJson(await makeTextPages(1, page => page.text('Word', 100, 200)))
    const word = plain?.blocks[0]?.lines?.[0]?.words[0]
    expect(word?.text).toBe('Word')
    expect(word?.box.x).toBeCloseTo(100, 0)
    expect(word?.box.y).toBeCloseTo(398, 0)
    expect(word?.box.height).toBeCloseTo(10, 0)
  })

  it('reads sideways text and pages that are turned', async () => {
    const file = await makeTextPages(1, page =>
      page.lines(BODY, 40, 60).text('Sideways words here', 380, 300, { turnDeg: 90 }),
    )
    expect(await extract(file)).toContain('Sideways words here')
  })

  it('warns about a scan, and recognizes it with ocr', async () => {
    const file = await makeScan([{ lines: ['INVOICE', 'TOTAL'] }])
    const without = await runOn('extract-text', file)
    expect(without.warnings).toContain('page-without-text')
    expect(without.bytes.toString()).toBe('')
    const { bytes, headers, warnings } = await runOn('extract-text', file, {
      ocr: true,
      languages: ['eng'],
      format: 'json',
    })
    expect(warnings).not.toContain('page-without-text')
    expect(headers['X-OCR-Pages']).toBe('1')
    expect(JSON.parse(bytes.toString()).pages[0].source).toBe('ocr')
    expect(bytes.toString()).toContain('INVOICE')
  }, 60_000)

  it('refuses languages without ocr, and languages that are not installed', async () => {
    await expect(extract(numbered(), { languages: ['eng'] })).rejects.toThrow(/ocr/)
    await expect(extract(numbered(), { ocr: true, languages: ['xyz'] })).rejects.toMatchObject({
      problems: [{ param: expect.stringMatching(/^options\.languages/) }],
    })
  })

  it('returns the same bytes for the same request', async () => {
    const one = await extract(numbered(), { format: 'json' })
    expect(await extract(numbered(), { format: 'json' })).toBe(one)
  })

  it('reads amounts, dates and addresses of a right-to-left invoice as they are shown', async () => {
    const invoice = readFileSync('public/samples/invoice-arabic.pdf')
    const text = (await runOn('extract-text', invoice)).bytes.toString('utf8')
    for (const part of ['٣٦٣٫٣٦٦ د.ك.', '٢٠٢٦/٠٣/٠٢', 'info@alnoor.example', 'الرقم الضريبي KW-998877', '(٥٪)'])
      expect(text).toContain(part)
  })
})
