import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import { colorOperator, numbers } from '../annotations/annotation-style'
import { findAppearance } from '../annotations/appearance'
import { writeBox } from '../geometry/box'
import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { addContentStream } from '../content/page-content'
import { readText } from '../syntax/text-string'
import { fontsOf } from '../text/document-fonts'
import { openTypesetter } from '../text/typesetter'
import type { Typesetter } from '../text/typesetter'
import { drawMark, findMark } from './button-marks'
import { OFF, buttonsOf, isOn } from './button-states'
import type { Button } from './button-states'
import { readTextLook } from './default-appearance'
import { FormFonts, bundledFont } from './field-font'
import type { FieldFont, NameFont } from './field-font'
import { drawComb, drawTextLine, drawParagraphs, drawRows, makeDrawable, measureRow } from './field-text'
import type { TextSpace } from './field-text'
import {
  FLAG,
  appearanceCharacteristicsOf,
  choicesOf,
  combCellsOf,
  findFormDefault,
  findInherited,
  valuesOf,
} from './form-field'
import type { FormField } from './form-field'
import { drawFrame, measureWidget } from './widget-box'
import type { WidgetBox } from './widget-box'
import * as Name from '../syntax/names'

/** Background of selected list items: the blue that common viewers use. */
const SELECTION_COLOR = '0.6 0.757 0.855 rg'

/** Maximum number of characters of a value that are drawn. No field has room for more. */
const MAX_TEXT = 20_000

/** Maximum number of list options to consider. */
const MAX_ROWS = 5000

/** A field with one of its widgets, and the space for its text. */
interface DrawnWidget {
  field: FormField
  box: WidgetBox
  space: Omit<TextSpace, 'font'>
  /** Chooses the font for all text that the field shows. */
  fontFor(text: string): FieldFont
}

/**
 * Draws appearances of fields (ISO 32000-2, 12.7.4.3). Text has the font of the field if that font has all of its
 * characters, and otherwise the fonts of the text module (warning `field-font-replaced`).
 */
export class FieldAppearances {
  private constructor(
    private readonly document: PdfDocument,
    private readonly typesetter: Typesetter,
    private readonly formFonts: FormFonts | undefined,
    private readonly keepsSizes: boolean,
  ) {}

  /** Without `usesOwnFonts`, all text has the fonts of the text module, whose embedded programs are sound. */
  static async open(
    document: PdfDocument,
    usesOwnFonts = true,
    { keepsSizes = false } = {},
  ): Promise<FieldAppearances> {
    const fonts = usesOwnFonts ? new FormFonts(document) : undefined
    return new FieldAppearances(document, await openTypesetter(), fonts, keepsSizes)
  }

  /** Redraws all widgets of a field with its current value. Appearances of signatures stay unchanged. */
  async draw(field: FormField): Promise<void> {
    if (field.kind === 'checkbox' || field.kind === 'radio') {
      for (const button of buttonsOf(this.document, field)) this.drawButton(field, button)
      return
    }
    if (field.kind === 'signature' || field.kind === 'unknown') return
    for (const widget of field.widgets) {
      const box = measureWidget(this.document, widget)
      if (!box) continue
      const names = new Map<PDFObject, string>()
      const text = await this.drawValue(widget, this.prepare(field, { widget, box, names }))
      const form = this.addForm(box, `${drawFrame(box)}\n${text}`, names)
      this.document.edit(widget).set(Name.AP, this.document.context.obj({ N: form }))
    }
  }

  private prepare(
    field: FormField,
    { widget, box, names }: { widget: PDFRef; box: WidgetBox; names: Map<PDFObject, string> },
  ): DrawnWidget {
    const { document, typesetter } = this
    const quadding = findFormDefault(document, [widget, field.ref], Name.Q)
    const stated = readTextLook(document, widget, field)
    const sizePt = stated.sizePt || (this.keepsSizes ? readShownSize(document, widget) : 0)
    const look = { ...stated, sizePt }
    const nameFont: NameFont = font => {
      const name = names.get(font) ?? `F${names.size + 1}`
      names.set(font, name)
      return name
    }
    return {
      field,
      box,
      space: {
        look,
        width: box.width,
        height: box.height,
        inset: box.inset,
        quadding: quadding instanceof PDFNumber ? quadding.asNumber() : 0,
        onCut: () => document.warnings.add('text-cut'),
      },
      fontFor: text => {
        const own = look.font === undefined ? undefined : this.formFonts?.find(look.font, text, { widget, nameFont })
        const isReplaced = !own && this.formFonts && look.font !== undefined && text !== ''
        if (isReplaced) document.warnings.add('field-font-replaced')
        return own ?? bundledFont(typesetter, { style: look, fonts: fontsOf(document), nameFont })
      },
    }
  }

  private async drawValue(widget: PDFRef, drawn: DrawnWidget): Promise<string> {
    const { document } = this
    const { field, box, fontFor } = drawn
    if (field.kind === 'button') {
      const caption = readText(document.peek(appearanceCharacteristicsOf(document, widget)?.get(Name.CA))) ?? ''
      const line = oneLine(this.drawable(caption))
      return drawTextLine(line, { ...drawn.space, font: fontFor(line), quadding: 1 })
    }
    if (field.kind === 'list') return wrap(this.drawList(drawn))
    const [value = ''] = valuesOf(document, field)
    const shown =
      field.kind === 'dropdown'
        ? (choicesOf(document, field).find(choice => choice.value === value)?.label ?? value)
        : value
    const isSecret = field.kind === 'text' && (field.flags & FLAG.password) !== 0
    const drawable = this.drawable(shown)
    const text = isSecret ? '*'.repeat(Array.from(drawable).length) : drawable
    const space = { ...drawn.space, font: fontFor(text) }
    if (field.flags & FLAG.multiline && field.kind === 'text') return wrap(await drawParagraphs(text, space))
    const cells = combCellsOf(document, field)
    const line = oneLine(text)
    if (cells) return `${drawDividers(cells, box)}\n${wrap(drawComb(line, cells, space))}`
    return wrap(drawTextLine(line, space))
  }

  private drawable(value: string): string {
    const { text, isComplete } = makeDrawable(value.slice(0, MAX_TEXT), this.typesetter)
    if (!isComplete) this.document.warnings.add('characters-missing')
    return text
  }

  private drawList({ field, space: area, fontFor }: DrawnWidget): string {
    const { document } = this
    const choices = choicesOf(document, field).slice(0, MAX_ROWS)
    const selected = this.chosenOf(field)
    const space = { ...area, font: fontFor(choices.map(({ label }) => label).join('\n')) }
    const { rowHeight, descent } = measureRow(space)
    const { width, height, inset } = space
    const visible = Math.max(1, Math.floor((height - 2 * inset) / rowHeight))
    const topIndex = findInherited(document, [field.ref], Name.TI)
    let top = topIndex instanceof PDFNumber ? Math.floor(topIndex.asNumber()) || 0 : 0
    const first = Math.min(...selected)
    if (Number.isFinite(first) && (first < top || first >= top + visible)) top = first
    top = Math.max(0, Math.min(top, choices.length - visible))
    const rows = choices.slice(top, top + visible + 1).map(({ label }, index) => ({
      text: oneLine(this.drawable(label)),
      bottom: height - inset - (index + 1) * rowHeight,
      isChosen: selected.has(top + index),
    }))
    const marks = rows
      .filter(row => row.isChosen)
      .map(row => `${numbers(inset, row.bottom, width - 2 * inset, rowHeight)} re`)
    const clip = `${numbers(inset, inset, width - 2 * inset, height - 2 * inset)} re W n`
    const behind = marks.length ? `q ${clip} ${SELECTION_COLOR} ${marks.join(' ')} f Q\n` : ''
    return (
      behind +
      drawRows(
        rows.map(({ text, bottom }) => ({ text, y: bottom + descent })),
        space,
      )
    )
  }

  /** Returns the indexes of the selected options. Uses /I as far as it agrees with the value, otherwise the value. */
  private chosenOf(field: FormField): Set<number> {
    const { document } = this
    const values = new Set(valuesOf(document, field))
    const choices = choicesOf(document, field)
    const stated = findInherited(document, [field.ref], Name.I)
    const indexes = stated instanceof PDFArray ? stated.asArray().flatMap(item => document.peekNumber(item) ?? []) : []
    const matchingIndexes = indexes.filter(index => values.has(choices[index]?.value ?? ''))
    if (matchingIndexes.length > 0) return new Set(matchingIndexes)
    return new Set(choices.flatMap((choice, index) => (values.has(choice.value) ? [index] : [])))
  }

  /**
   * Adds on and off appearances to a check box or radio button without them, and sets the state that matches the value
   * of the field.
   */
  private drawButton(field: FormField, button: Button): void {
    const { document } = this
    const { widget, state, isDrawn } = button
    const wasOn = isOn(document, field, button)
    if (!isDrawn) {
      const box = measureWidget(document, widget)
      if (!box) return
      const caption = readText(document.peek(appearanceCharacteristicsOf(document, widget)?.get(Name.CA)))
      const mark = findMark(caption, field.kind === 'radio' ? 'circle' : 'check')
      const frame = drawFrame(box, field.kind === 'radio' && mark === 'circle' ? 'circle' : 'box')
      const { color } = readTextLook(document, widget, field)
      const normal = PDFDict.withContext(document.context)
      normal.set(state, this.addForm(box, `${frame}\nq ${color} ${drawMark(mark, box)} Q`, new Map()))
      normal.set(OFF, this.addForm(box, frame, new Map()))
      document.edit(widget).set(Name.AP, document.context.obj({ N: normal }))
    }
    document.edit(widget).set(Name.AS, wasOn ? state : OFF)
  }

  private addForm(box: WidgetBox, operators: string, names: ReadonlyMap<PDFObject, string>): PDFRef {
    const { document } = this
    const { context } = document
    document.saving.addedFeatures.addUnchecked()
    const fonts = PDFDict.withContext(context)
    for (const [ref, name] of names) fonts.set(PDFName.of(name), ref)
    const resources = PDFDict.withContext(context)
    if (names.size) resources.set(Name.Font, fonts)
    const entries: Record<string, PDFObject> = {
      Type: Name.XObject,
      Subtype: Name.Form,
      BBox: writeBox(document, { x: 0, y: 0, width: box.width, height: box.height }),
      Resources: resources,
      ...(box.matrix && { Matrix: context.obj(box.matrix) }),
    }
    return addContentStream(document, operators.trim(), entries)
  }
}

/** The size in points of the first text that a widget shows. 0 if it shows none. */
function readShownSize(document: PdfDocument, widget: PDFRef): number {
  const dict = document.peekDict(widget)
  const content = decodeUpToLimit(document, dict && findAppearance(document, dict))
  const found =
    content && /\/[^\s/]{1,99}\s{1,9}(\d{1,3}(?:\.\d{0,9})?)\s{1,9}Tf/.exec(Buffer.from(content).toString('latin1'))
  return Number(found?.[1] ?? 0)
}

/** Marks the value of a field, so that viewers can find and replace it (12.7.4.3). */
function wrap(operators: string): string {
  return `/Tx BMC\n${operators}\nEMC`
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}

/** Draws lines between the cells of a comb field, in the width of the border. */
function drawDividers(cells: number, { width, height, inset, border }: WidgetBox): string {
  if (!border.color || border.width === 0 || cells > MAX_ROWS) return ''
  const lines = Array.from({ length: cells - 1 }, (_, index) => {
    const x = ((index + 1) * width) / cells
    return `${numbers(x, inset)} m ${numbers(x, height - inset)} l`
  })
  return lines.length
    ? `q ${colorOperator(border.color, 'line')} ${numbers(border.width)} w ${lines.join(' ')} S Q`
    : ''
}
