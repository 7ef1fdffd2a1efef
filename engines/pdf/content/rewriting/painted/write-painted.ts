import { PDFRawStream } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { NAME } from '../../../syntax/content-operands'
import * as Name from '../../../syntax/names'
import { asBuffer } from '../../../syntax/syntax'
import { readSampleSpace } from '../erasing/color-components'
import { isInlineKey } from '../erasing/inline-image'
import type { StreamResources } from '../stream-resources'
import type { ContentStream } from '../../walk/content-stream'
import { initialState } from '../../walk/graphics-state'
import { StreamWalk } from '../../walk/stream-walk'
import { ContentChunks } from './content-chunks'
import { HeldMarks } from './held-marks'
import { HeldState, colorSlotOf } from './held-state'
import { HeldText } from './held-text'
import { OperandText } from './operand-text'
import { writeMark } from './property-lists'
import { NEEDS, setsMask, slotsOf, SLOTS } from './state-slots'

/** Maximum number of components of a color (ISO 32000-2, annex C). */
const MAX_COMPONENTS = 32

/** How many numbers the operators that build paths have. */
const PATH_OPERANDS: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, v: 4, y: 4, h: 0, re: 4 }

const DEVICE_COLORS: Readonly<Record<string, readonly [count: number, space: string]>> = {
  g: [1, '/DeviceGray cs'],
  G: [1, '/DeviceGray CS'],
  rg: [3, '/DeviceRGB cs'],
  RG: [3, '/DeviceRGB CS'],
  k: [4, '/DeviceCMYK cs'],
  K: [4, '/DeviceCMYK CS'],
}

/**
 * Writes content anew, from what it paints. Operations without effect on what is painted after them are left out, and
 * so are comments, unknown operators, and operands that an operator doesn't take. They may repeat removed content, or
 * tell how much of it there was. Several moves without a text between them become one. Marked content stays,
 * apart from sequences without MCID in which nothing is painted. `resources` has the objects that names stand for.
 */
export function writePainted(
  document: PdfDocument,
  stream: ContentStream,
  resources: Pick<StreamResources, 'find'>,
): Uint8Array {
  return new PaintedWriter(document, stream, resources).run()
}

class PaintedWriter {
  private readonly walk: StreamWalk
  private readonly operands: OperandText
  private readonly output = new ContentChunks()
  private readonly marks: HeldMarks
  private readonly state: HeldState
  private readonly text: HeldText
  /** The path that isn't painted yet. */
  private path: string[] = []
  private clip: string | undefined
  /** Whether a part of the path is written already. */
  private hasPath = false

  constructor(
    private readonly document: PdfDocument,
    stream: ContentStream,
    private readonly resources: Pick<StreamResources, 'find'>,
  ) {
    this.walk = new StreamWalk(document, stream, initialState())
    this.operands = new OperandText(document, this.walk.reader)
    const write = (text: string): void => this.output.add(text)
    this.marks = new HeldMarks(write)
    this.state = new HeldState(write, depth => this.marks.writeTo(depth))
    this.text = new HeldText(write)
  }

  run(): Uint8Array {
    this.walk.run(() => this.visit(this.walk.reader.operator))
    this.marks.finish()
    this.text.end()
    this.state.finish()
    return this.output.finish()
  }

  private visit(operator: string): void {
    const { operands, state } = this
    switch (operator) {
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
      case 'h':
      case 're':
        this.path.push(operands.numbers(PATH_OPERANDS[operator] ?? 0))
        return
      case 'W':
      case 'W*':
        this.clip = operator
        return
      case 'f':
      case 'F':
      case 'f*':
        return this.paintPath(operator, NEEDS.fill)
      case 'S':
      case 's':
        return this.paintPath(operator, NEEDS.stroke)
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        return this.paintPath(operator, NEEDS.both)
      case 'n':
        return this.endPath()
      case 'q':
      case 'Q':
        return this.saveOrRestore(operator)
      case 'cm':
        this.settlePath()
        return state.transform(this.walk.reader.matrix(), operands.numbers(6))
      case 'gs':
        return this.setParameters()
      case 'w':
      case 'J':
      case 'j':
      case 'M':
      case 'i':
      case 'Tc':
      case 'Tw':
      case 'Tz':
      case 'Tr':
      case 'Ts':
        return state.set({ text: operands.numbers(1), slots: [SLOTS[operator]] })
      case 'd':
        return state.set({ text: operands.dash(), slots: [SLOTS.d] })
      case 'ri':
        return state.set({ text: `${operands.nameAt(0) ?? '/RelativeColorimetric'} ri`, slots: [SLOTS.ri] })
      case 'Tf':
        return state.set({ text: `${operands.nameAt(1) ?? '/'} ${operands.numberAt(0)} Tf`, slots: [SLOTS.Tf] })
      case 'd0':
      case 'd1':
        return this.output.add(operands.numbers(operator === 'd0' ? 2 : 6))
      case 'Do':
        return this.drawObject()
      case 'BI':
        return this.drawInlineImage()
      case 'sh':
        if (this.find('Shading')) this.paint(`${operands.nameAt(0)} sh`, NEEDS.image)
        return
      case 'BMC':
      case 'BDC':
        return this.mark()
      case 'EMC':
        return this.marks.end()
      default:
        this.visitColor(operator)
        this.visitText(operator)
    }
  }

  private visitColor(operator: string): void {
    const { operands, state } = this
    switch (operator) {
      case 'g':
      case 'rg':
      case 'k':
      case 'G':
      case 'RG':
      case 'K': {
        const [count, space] = DEVICE_COLORS[operator] ?? [0, '']
        const text = operands.numbers(count)
        return state.set({ text, color: text, space, slots: [colorSlotOf(operator)] })
      }
      case 'cs':
      case 'CS': {
        const text = `${operands.nameAt(0) ?? '/DeviceGray'} ${operator}`
        return state.set({ text, space: text, slots: [colorSlotOf(operator)] })
      }
      case 'sc':
      case 'scn':
      case 'SC':
      case 'SCN':
        return state.setColor(colorSlotOf(operator), this.color(operator))
    }
  }

  private visitText(operator: string): void {
    const { walk, text } = this
    const { reader } = walk
    switch (operator) {
      case 'BT':
        return text.begin()
      case 'ET':
        return text.end()
      case 'Td':
      case 'TD':
        return text.moveBy(reader.number(1), reader.number(0))
      case 'Tm':
        return text.setLine(reader.matrix())
      case 'T*':
        return text.moveBy(0, -walk.state.leading)
      case '"':
        this.state.set({ text: `${this.operands.numberAt(2)} Tw`, slots: [SLOTS.Tw] })
        this.state.set({ text: `${this.operands.numberAt(1)} Tc`, slots: [SLOTS.Tc] })
        text.moveBy(0, -walk.state.leading)
        return this.show()
      case "'":
        text.moveBy(0, -walk.state.leading)
        return this.show()
      case 'Tj':
      case 'TJ':
        return this.show()
    }
  }

  private paint(text: string, needs: readonly number[]): void {
    this.state.settle(needs)
    this.marks.writeAll()
    this.output.add(text)
  }

  private paintPath(operator: string, needs: readonly number[]): void {
    const { path, clip } = this
    if (path.length > 0 || this.hasPath || clip !== undefined) {
      this.state.settle(needs)
      this.marks.writeAll()
      for (const text of path) this.output.add(text)
      this.output.add(clip === undefined ? operator : `${clip} ${operator}`)
    }
    this.resetPath()
  }

  /** Ends a path that isn't painted. Without a clip, it has no effect and is left out unless its start is written. */
  private endPath(): void {
    const { path, clip } = this
    const operators = clip === undefined ? [...path, 'n'] : [...path, clip, 'n']
    if (this.hasPath) for (const text of operators) this.output.add(text)
    else if (clip !== undefined) this.state.clip(operators.join('\n'))
    this.resetPath()
  }

  /** Readers don't agree on which matrix applies to a path that began before the matrix changed, so the order stays. */
  private settlePath(): void {
    if (this.path.length === 0) return
    this.paint(this.path.join('\n'), NEEDS.image)
    this.path = []
    this.hasPath = true
  }

  private resetPath(): void {
    this.path = []
    this.clip = undefined
    this.hasPath = false
  }

  private saveOrRestore(operator: string): void {
    const { text, state } = this
    this.settlePath()
    // Readers don't agree on whether the position in text is saved, so moves stay on their side.
    if (text.isOpen && (operator === 'q' || text.isWritten)) this.openText()
    if (operator === 'q') state.save()
    else state.restore()
  }

  private openText(): void {
    this.state.settle(NEEDS.image)
    this.text.settle()
  }

  private show(): void {
    const { walk, document } = this
    const shown = this.operands.shown()
    if (shown === undefined) return
    const { renderMode } = walk.state
    const kind = document.peekName(document.peekDict(this.fontValue())?.get(Name.Subtype))
    // Glyphs of Type 3 fonts paint with all of the state, in each mode.
    const isDrawn = kind === 'Type3' || ![0, 3, 4, 7].includes(renderMode)
    this.state.settle(
      isDrawn ? NEEDS.everything : renderMode === 0 || renderMode === 4 ? NEEDS.filledText : NEEDS.hiddenText,
    )
    this.text.settle()
    this.marks.writeAll()
    this.output.add(shown)
  }

  private fontValue() {
    const { fontName, fontValue } = this.walk.state
    return fontName === undefined ? fontValue : this.resources.find('Font', fontName)
  }

  private color(operator: string): string {
    const { operands, walk, document } = this
    const { reader } = walk
    const use = colorSlotOf(operator) === SLOTS.fill ? walk.state.fill : walk.state.stroke
    const name = operands.nameAt(0)
    const most = (name === undefined ? readSampleSpace(document, use.space).components : undefined) ?? MAX_COMPONENTS
    const first = Math.max(0, reader.operands.count - most - (name === undefined ? 0 : 1))
    const texts: string[] = []
    for (let index = first; index < reader.operands.count; index++)
      if (reader.operands.kinds[index] !== NAME) texts.push(operands.numberAt(reader.operands.count - 1 - index))
    return [...texts, ...(name === undefined ? [] : [name]), operator].join(' ')
  }

  private setParameters(): void {
    const { document, state, operands } = this
    const parameters: PDFDict | undefined = document.peekDict(this.find('ExtGState'))
    const slots = parameters ? slotsOf(parameters) : []
    if (!parameters || slots.length === 0) return
    state.set({ text: `${operands.nameAt(0)} gs`, slots, isMask: setsMask(document, parameters) })
  }

  private drawObject(): void {
    const { document } = this
    const value = this.find('XObject')
    if (!value) return
    const object = document.peek(value)
    // A cut image isn't there yet.
    const dict = object instanceof PDFRawStream ? object.dict : undefined
    const isImage = !dict || document.peek(dict.get(Name.Subtype)) === Name.Image
    const isColored = dict && isImage && String(document.peek(dict.get(Name.ImageMask))) !== 'true'
    this.paint(`${this.operands.nameAt(0)} Do`, isColored ? NEEDS.image : isImage ? NEEDS.fill : NEEDS.everything)
  }

  private drawInlineImage(): void {
    const { operands } = this
    const { reader } = this.walk
    const entries: string[] = []
    for (let index = 0; index + 1 < reader.operands.count; index += 2) {
      const key = reader.nameAt(index)
      if (key !== undefined && isInlineKey(key)) entries.push(`/${key} ${operands.any(index + 1)}`)
    }
    const data = asBuffer(reader.bytes).toString('latin1', reader.dataStart, reader.dataEnd)
    this.paint(`BI ${entries.join(' ')} ID ${data}\nEI`, NEEDS.fill)
  }

  private mark(): void {
    const { document, marks, operands, state, text } = this
    const mark = writeMark(document, this.walk.reader, {
      operands,
      find: name => (name === undefined ? undefined : this.resources.find('Properties', name)),
    })
    marks.begin({ ...mark, depth: state.depth, isInText: text.isOpen })
  }

  private find(category: string) {
    const { name } = this.walk.reader
    return name === undefined ? undefined : this.resources.find(category, name)
  }
}
