import type { Draft } from './draft'
import { drawQrCode, openQrCode } from './qr-code'
import { FOOTER_GAP } from './running-lines'
import type { Tag, TagKind } from './tag-tree'
import type { Look } from './theme'
import { readPaymentSlip, slipTextsOf } from '../data/payment-slip'
import { writeQrPayload } from '../data/qr-payload'

/** Points of a millimeter. */
const MM = 72 / 25.4

/** Height of the slip, and width of the receipt on its left (Swiss Implementation Guidelines QR-bill, 3). */
const HEIGHT = 105 * MM
const RECEIPT = 62

/** Room above the slip for the note about the perforation, and from there to the footer. */
const NOTE_ROOM = 12
const FOOTER_ROOM = 8

/** Size and thickness of the marks in the corners of an empty field. */
const MARK = 3 * MM
const STROKE = 0.75

const BLACK = { r: 0, g: 0, b: 0 }

/** Weights of the font (OpenType usWeightClass). */
const REGULAR = 400
const BOLD = 700

/** Distance between the information above and the field for the debtor, in points. */
const FIELD_GAP = 2

/** Distance of the note about the perforation from the upper edge of its room, in millimeters. */
const NOTE_GAP = 0.6

/** The position of a text on the slip in millimeters from its upper left corner, and how it looks. */
interface Place {
  x: number
  y: number
  width: number
  sizePt: number
  leadingPt: number
  isBold?: boolean
  kind?: TagKind
  align?: 'start' | 'end' | 'center'
}

/** A part of the information: a heading and its lines. */
type Entry = [heading: string, lines: readonly string[]]

/**
 * Draws the receipt and the payment part of a Swiss QR-bill at the foot of the last page, or of a new page without
 * enough room. Sizes, distances and fonts are those of the Swiss Implementation Guidelines QR-bill, 3.
 */
export async function placePaymentSlip(draft: Draft, parent: Tag): Promise<void> {
  const { invoice, sheet, totals } = draft
  if (invoice.qr !== 'swiss') return
  const { theme } = sheet
  const bottom = theme.page.height - HEIGHT - NOTE_ROOM - FOOTER_ROOM - FOOTER_GAP
  const taken = theme.bottom - bottom
  if (sheet.remaining < taken) sheet.newPage()
  sheet.raiseBottom(bottom)
  sheet.y += taken
  const slip = readPaymentSlip(invoice, totals.due)
  const texts = slipTextsOf(invoice.locale)
  const pen = new SlipPen(draft, sheet.tags.add('Sect', parent))
  const small = { width: 52, sizePt: 8, leadingPt: 9 }
  const large = { width: 85, sizePt: 10, leadingPt: 11 }
  await pen.drawCuts(texts.separate)
  const shared: Entry[] = [
    [texts.account, slip.creditor],
    ...(slip.reference === undefined ? [] : [[texts.reference, [slip.reference]] satisfies Entry]),
  ]
  const message: Entry[] = slip.message === '' ? [] : [[texts.message, [slip.message]]]
  const debtor: Entry = slip.debtor.length > 0 ? [texts.debtor, slip.debtor] : [texts.emptyDebtor, []]
  const title = { sizePt: 11, leadingPt: 11, isBold: true, kind: 'H2' } as const

  await pen.write(texts.receipt, { ...title, x: 5, y: 5, width: 52 })
  const afterReceipt = await pen.list([...shared, debtor], { ...small, x: 5, y: 12 }, { headingPt: 6, most: 56 })
  if (slip.debtor.length === 0) pen.drawField({ x: 5, y: afterReceipt, width: 52, height: 20 })
  await pen.list([[texts.currency, [slip.currency]]], { ...small, x: 5, y: 68, width: 12 }, { headingPt: 6, most: 14 })
  await pen.list([[texts.amount, [slip.amount]]], { ...small, x: 18, y: 68, width: 39 }, { headingPt: 6, most: 14 })
  const point = { x: 5, y: 82, width: 52, sizePt: 6, leadingPt: 8, isBold: true, align: 'end' } as const
  await pen.write(texts.acceptancePoint, point)

  await pen.write(texts.paymentPart, { ...title, x: RECEIPT + 5, y: 5, width: 51 })
  pen.drawCode(writeQrPayload(invoice, totals.due), { x: RECEIPT + 5, y: 17, width: 46 })
  const amounts = { ...large, y: 68 }
  await pen.list([[texts.currency, [slip.currency]]], { ...amounts, x: 67, width: 16 }, { headingPt: 8, most: 22 })
  await pen.list([[texts.amount, [slip.amount]]], { ...amounts, x: 84, width: 34 }, { headingPt: 8, most: 22 })
  const information = [...shared, ...message, debtor]
  const afterInformation = await pen.list(information, { ...large, x: 118, y: 5 }, { headingPt: 8, most: 85 })
  if (slip.debtor.length === 0) pen.drawField({ x: 118, y: afterInformation, width: 65, height: 25 })
}

/** Draws on the slip. Positions are in millimeters from its upper left corner, also on a mirrored invoice. */
class SlipPen {
  constructor(
    private readonly draft: Draft,
    private readonly section: Tag,
  ) {}

  /** Writes a text, wrapped, and returns the height of its lines in millimeters. */
  async write(text: string, place: Place): Promise<number> {
    const { sheet, setter } = this.draft
    const { x, y, width, sizePt, leadingPt, isBold = false, kind = 'P', align = 'start' } = place
    const look: Look = { sizePt, leadingPt, weight: isBold ? BOLD : REGULAR, color: BLACK, isArimo: true }
    const tag = sheet.tags.add(kind, this.section)
    const lines = await setter.lines(text, look, width * MM, { tag, param: 'qr' })
    const operators = lines.flatMap(({ parts }, index) =>
      parts.map(part => {
        const textWidth = (part.shaped.width * sizePt) / 1000
        const spare = width * MM - textWidth
        const left = x * MM + { start: 0, center: spare / 2, end: spare }[align]
        const baseline = this.top + y * MM + index * leadingPt + sizePt * ASCENT
        return sheet.textOperators(
          { ...part, align: 'start' },
          { x: this.mirrored(left, textWidth), y: baseline, width: textWidth },
        )
      }),
    )
    sheet.mark(tag, operators.join('\n'))
    return (lines.length * leadingPt) / MM
  }

  /**
   * Writes entries below each other with an empty line between them. If they are too high, their lines and sizes
   * shrink. `most` is the available height in millimeters. Returns the position below the last entry.
   */
  async list(entries: readonly Entry[], place: Place, { headingPt, most }: { headingPt: number; most: number }) {
    const { setter } = this.draft
    const look = { sizePt: place.sizePt, leadingPt: place.leadingPt, weight: REGULAR, color: BLACK, isArimo: true }
    let lineCount = entries.length * 2 - 1 // the headings, and the empty lines between entries
    for (const line of entries.flatMap(([, lines]) => lines))
      lineCount += (await setter.lines(line, look, place.width * MM, { param: 'qr' })).length
    const scale = Math.min(1, (most * MM) / (lineCount * place.leadingPt))
    const leadingPt = place.leadingPt * scale
    let { y } = place
    for (const [index, [heading, lines]] of entries.entries()) {
      if (index > 0) y += leadingPt / MM
      y += await this.write(heading, { ...place, y, sizePt: headingPt, leadingPt, isBold: true })
      for (const line of lines) y += await this.write(line, { ...place, y, sizePt: place.sizePt * scale, leadingPt })
    }
    return y
  }

  /** Draws the code with the Swiss cross. */
  drawCode(payload: string, { x, y, width }: { x: number; y: number; width: number }): void {
    const { sheet, labels } = this.draft
    const side = width * MM
    const box = sheet.boxOf({ x: this.mirrored(x * MM, side), y: this.top + y * MM, width: side, height: side })
    const edges = [box.x, box.y, box.x + side, box.y + side]
    const operators = drawQrCode(openQrCode(payload), box, { hasSwissCross: true })
    sheet.mark(sheet.tags.addFigure(labels.scan, edges, this.section), operators)
  }

  /** Draws the corners of a field that the debtor fills in. */
  drawField({ x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const [left, top] = [x * MM, y * MM + FIELD_GAP]
    const [right, low] = [left + width * MM, top + height * MM]
    for (const edge of [left, right - STROKE])
      for (const start of [top, low - MARK]) this.paint({ x: edge, y: start, width: STROKE, height: MARK })
    for (const edge of [top, low - STROKE])
      for (const start of [left, right - MARK]) this.paint({ x: start, y: edge, width: MARK, height: STROKE })
  }

  /** Draws the lines along which the slip and its receipt are cut, with the note that PDF files need. */
  async drawCuts(note: string): Promise<void> {
    const { width } = this.draft.sheet.theme.page
    this.paint({ x: 0, y: 0, width, height: STROKE })
    this.paint({ x: RECEIPT * MM, y: 0, width: STROKE, height: HEIGHT })
    const place = {
      x: 0,
      y: -NOTE_ROOM / MM + NOTE_GAP,
      width: width / MM,
      sizePt: 7,
      leadingPt: 9,
      align: 'center',
    } as const
    await this.write(note, place)
  }

  private paint({ x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const { sheet } = this.draft
    sheet.paint({ x: this.mirrored(x, width), y: this.top + y, width, height }, BLACK)
  }

  private get top(): number {
    return this.draft.sheet.theme.page.height - HEIGHT
  }

  /** The slip looks the same on an invoice from right to left, whose positions are mirrored. */
  private mirrored(x: number, width: number): number {
    const { sheet, setter } = this.draft
    return setter.isRightToLeft ? sheet.theme.page.width - x - width : x
  }
}

/** Distance of the baseline from the upper edge of a text, as a share of its size. */
const ASCENT = 0.9
