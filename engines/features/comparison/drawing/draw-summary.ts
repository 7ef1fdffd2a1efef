import type { Color } from '../../../options/colors'
import { count, describePair, numberOf } from './describe-pair'
import { MARK_COLORS } from './marks'
import type { MarkKind } from './marks'
import { countAllChanges } from '../model'
import type { Comparison, PagePair } from '../model'
import { sumUp } from '../report'
import type { Sheet, SheetDocument } from './sheet-document'

/** How the files were compared. */
export interface SummaryFacts {
  layout: 'side-by-side' | 'overlay'
  ignore: readonly string[]
  annotations: boolean
  pixels: boolean
  sensitivity: string
}

/** Draws links from the summary to the sheet of a pair. */
export interface Summary {
  link(pair: PagePair, target: Sheet): void
}

const A4 = { width: 595.28, height: 841.89 }
const MARGIN = 56
const ROW = 15
const WIDTH = A4.width - 2 * MARGIN

const INK: Color = { r: 31, g: 41, b: 55 }
const QUIET: Color = { r: 107, g: 114, b: 128 }

const LEGEND: readonly [MarkKind, string][] = [
  ['removed', 'Removed text'],
  ['inserted', 'Inserted text'],
  ['moved', 'Moved text'],
  ['visual', 'Other look'],
]

const IGNORED: Readonly<Record<string, string>> = {
  case: 'capital and small letters',
  punctuation: 'punctuation',
  whitespace: 'spaces',
  'headers-footers': 'headers and footers',
}

/** Draws the summary on one or more sheets: counts, the settings of the comparison, and the pages that changed. */
export function drawSummary(
  sheets: SheetDocument,
  comparison: Comparison,
  facts: SummaryFacts & { shown: readonly PagePair[] },
): Summary {
  const writer = new SummaryWriter(sheets)
  writer.row([['Comparison', 0]], { sizePt: 20, isBold: true, gap: 14 })
  for (const [label, { name, pages }] of [
    ['Before', comparison.before],
    ['After', comparison.after],
  ] as const) {
    writer.row([
      [label, 0],
      [`${name} (${count(pages.length, 'page')} compared)`, 80],
    ])
  }
  writer.space()
  const total = countAllChanges(comparison)
  writer.row([[total === 0 ? 'No differences' : count(total, 'change'), 0]], { sizePt: 13, isBold: true, gap: 6 })
  writeTotals(writer, comparison)
  writer.space()
  writeRules(writer, facts)
  const failed = comparison.pairs.filter(({ visualComparison }) => visualComparison === 'failed')
  if (failed.length)
    writer.row([[`${count(failed.length, 'page')} couldn't be rendered. They were compared by text only.`, 0]])
  if (facts.layout === 'side-by-side') writer.legend()
  else writer.row([['Red: only in the first file. Blue: only in the second file. Dark: in both.', 0]])
  return listPages(writer, comparison.pairs)
}

function writeTotals(writer: SummaryWriter, comparison: Comparison): void {
  const { pages, text, visual } = sumUp(comparison)
  const list = (values: Readonly<Record<string, number>>): string =>
    Object.entries(values)
      .filter(([, number]) => number > 0)
      .map(([kind, number]) => `${number.toLocaleString('en')} ${kind}`)
      .join(', ') || 'none'
  writer.row([
    ['Pages', 0],
    [
      list({
        'without changes': pages.same,
        changed: pages.changed,
        inserted: pages.inserted,
        removed: pages.removed,
        moved: pages.moved,
      }),
      80,
    ],
  ])
  writer.row([
    ['Text changes', 0],
    [list(text), 80],
  ])
  writer.row([
    ['Visual changes', 0],
    [visual === 0 ? 'none' : count(visual, 'area'), 80],
  ])
}

function writeRules(writer: SummaryWriter, { ignore, annotations, pixels, sensitivity }: SummaryFacts): void {
  const ignored = ignore.map(rule => IGNORED[rule] ?? rule).join(', ')
  const parts = [
    'text',
    ...(pixels ? [`look (${sensitivity} sensitivity)`] : []),
    ...(annotations ? ['annotations'] : []),
  ]
  writer.row([[`Compared: ${parts.join(', ')}. ${ignored ? `Ignored: ${ignored}.` : ''}`, 0]], { color: QUIET })
}

function listPages(writer: SummaryWriter, pairs: readonly PagePair[]): Summary {
  const changed = pairs.filter(({ change }) => change !== 'same')
  const rows = new Map<PagePair, { sheet: Sheet; y: number }>()
  if (changed.length) {
    writer.space()
    writer.row(
      [
        ['Before', 0],
        ['After', 60],
        ['Change', 120],
      ],
      { isBold: true },
    )
  }
  for (const pair of changed) {
    const place = writer.row([
      [pair.before ? String(numberOf(pair.before)) : '–', 0],
      [pair.after ? String(numberOf(pair.after)) : '–', 60],
      [describePair(pair), 120],
    ])
    rows.set(pair, place)
  }
  return {
    link(pair, target) {
      const row = rows.get(pair)
      row?.sheet.link({ x: MARGIN, y: row.y - 4, width: WIDTH, height: ROW }, target)
    },
  }
}

interface RowLook {
  sizePt?: number
  isBold?: boolean
  color?: Color
  /** Additional distance to the next row, in points. */
  gap?: number
}

/** Writes rows from the top, on as many sheets as needed. */
class SummaryWriter {
  private sheet: Sheet
  private y = A4.height - MARGIN

  constructor(private readonly sheets: SheetDocument) {
    this.sheet = sheets.addSheet(A4)
    sheets.bookmark('Summary', this.sheet)
  }

  /** Writes texts at distances from the left margin. Returns the position of the row. */
  row(
    cells: readonly (readonly [text: string, x: number])[],
    { sizePt = 10, isBold = false, color = INK, gap = 0 }: RowLook = {},
  ): { sheet: Sheet; y: number } {
    this.y -= Math.max(ROW, sizePt * 1.3)
    if (this.y < MARGIN) {
      this.sheet = this.sheets.addSheet(A4)
      this.y = A4.height - MARGIN - ROW
    }
    const place = { sheet: this.sheet, y: this.y }
    for (const [index, [text, x]] of cells.entries()) {
      const end = cells[index + 1]?.[1] ?? WIDTH
      const maxWidth = end - x - (end < WIDTH ? 6 : 0)
      this.sheet.write(text, { x: MARGIN + x, y: this.y, maxWidth, sizePt, isBold, color })
    }
    this.y -= gap
    return place
  }

  space(): void {
    this.y -= ROW
  }

  legend(): void {
    const { sheet, y } = this.row([])
    let x = MARGIN
    for (const [kind, label] of LEGEND) {
      sheet.paint({ x, y: y - 1, width: 9, height: 9 }, MARK_COLORS[kind])
      x += 14 + sheet.write(label, { x: x + 14, y, maxWidth: 120, sizePt: 9, color: QUIET }) + 18
    }
  }
}
