import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { Fonts } from '../../content/fonts/fonts'
import { readString } from '../../content/fonts/strings'
import { readCodes } from '../../fonts/shown-codes'
import { annotationsOf } from '../../pdf-core/annotations/annotations'
import { decodeUpToLimit } from '../../pdf-core/document/decode-content'
import type { PdfDocument } from '../../pdf-core/document/document'
import { ARRAY, HEX, LITERAL, NUMBER } from '../../pdf-core/syntax/content-operands'
import type { Operands } from '../../pdf-core/syntax/content-operands'
import type { Page } from '../../pdf-core/document/page-tree'
import { ContentReader } from '../../pdf-core/syntax/content-reader'

const key = (name: string): PDFName => PDFName.of(name)
const RESOURCES = key('Resources')
const CONTENTS = key('Contents')
const FONT = key('Font')
const X_OBJECT = key('XObject')
const EXT_G_STATE = key('ExtGState')
const PATTERN = key('Pattern')
const S_MASK = key('SMask')
const G = key('G')
const AP = key('AP')
const SUBTYPE = key('Subtype')
const FORM = key('Form')

/** Maximum nesting of form XObjects, patterns and soft masks. */
const MOST_DEEP = 12

/** Minimum gap between two glyphs of different words, in thousandths of an em. */
const WORD_GAP = 250

/** Receives the keys of the codes of consecutive glyphs. */
export type TakeCodes = (font: PDFDict, keys: readonly number[]) => void

/** The state in which a content stream is executed. */
interface Scope {
  resources: PDFDict | undefined
  font: PDFDict | undefined
  depth: number
}

/**
 * Reads the codes of the glyphs that pages show, including form XObjects, patterns, soft masks and annotation
 * appearances.
 */
export class ShownCodes {
  private readonly fonts: Fonts
  /** Decoded content streams, so that each one is decoded once. */
  private readonly contents = new Map<PDFObject, Uint8Array>()

  constructor(private readonly document: PdfDocument) {
    this.fonts = new Fonts(document)
  }

  /** Calls `take` with the codes of all text strings that a page shows. */
  read(page: Page, take: TakeCodes): void {
    const { document } = this
    const contents = document.peek(page.dict.get(CONTENTS))
    const parts = contents instanceof PDFRawStream ? [contents] : (document.peekArray(contents)?.asArray() ?? [])
    const bytes = Buffer.concat(
      parts.flatMap(part => [decodeUpToLimit(document, part) ?? new Uint8Array(0), Buffer.from('\n')]),
    )
    const drawn = new Set<PDFObject>()
    this.readStream(
      bytes,
      { resources: document.peekDict(page.attribute(RESOURCES)), font: undefined, depth: 0 },
      take,
      drawn,
    )
    for (const annotation of annotationsOf(document, page))
      this.readAppearance(document.peekDict(annotation)?.get(AP), 0, take, drawn)
  }

  private readAppearance(value: PDFObject | undefined, depth: number, take: TakeCodes, drawn: Set<PDFObject>): void {
    const object = this.document.peek(value)
    if (object instanceof PDFRawStream)
      this.readForm(object, { resources: undefined, font: undefined, depth: 0 }, take, drawn)
    else if (object instanceof PDFDict && depth < 3)
      for (const item of object.values()) this.readAppearance(item, depth + 1, take, drawn)
  }

  /** Reads a form XObject once per page, however often the page draws it. */
  private readForm(
    stream: PDFRawStream,
    { resources, font, depth }: Scope,
    take: TakeCodes,
    drawn: Set<PDFObject>,
  ): void {
    if (depth >= MOST_DEEP || drawn.has(stream)) return
    drawn.add(stream)
    const { document, contents } = this
    const bytes = contents.get(stream) ?? decodeUpToLimit(document, stream) ?? new Uint8Array(0)
    contents.set(stream, bytes)
    this.readStream(
      bytes,
      { resources: document.peekDict(stream.dict.get(RESOURCES)) ?? resources, font, depth: depth + 1 },
      take,
      drawn,
    )
  }

  private readStream(bytes: Uint8Array, scope: Scope, take: TakeCodes, drawn: Set<PDFObject>): void {
    const { document } = this
    const { resources } = scope
    const find = (category: PDFName, name: string | undefined): PDFObject | undefined => {
      return name === undefined ? undefined : document.peekDict(resources?.get(category))?.get(PDFName.of(name))
    }
    const reader = new ContentReader(bytes)
    const saved: (PDFDict | undefined)[] = []
    let { font } = scope
    const open = (value: PDFObject | undefined): void => {
      const stream = document.peek(value)
      if (stream instanceof PDFRawStream) this.readForm(stream, { ...scope, font }, take, drawn)
    }
    while (reader.next()) {
      const { operator, operands } = reader
      if (operator === 'Tj' || operator === 'TJ' || operator === "'" || operator === '"') {
        if (font) this.takeStrings(bytes, isArray(operands) ? reader.items : operands, font, take)
      } else if (operator === 'q') saved.push(font)
      else if (operator === 'Q') font = saved.pop() ?? font
      else if (operator === 'Tf') font = document.peekDict(find(FONT, reader.nameAt(operands.count - 2)))
      else if (operator === 'gs') {
        const state = document.peekDict(find(EXT_G_STATE, reader.name))
        font = document.peekDict(document.peekArray(state?.get(FONT))?.get(0)) ?? font
        open(document.peekDict(state?.get(S_MASK))?.get(G))
      } else if (operator === 'scn' || operator === 'SCN') open(find(PATTERN, reader.name))
      else if (operator === 'Do') {
        const stream = document.peek(find(X_OBJECT, reader.name))
        if (stream instanceof PDFRawStream && document.peek(stream.dict.get(SUBTYPE)) === FORM) open(stream)
      }
    }
  }

  private takeStrings(bytes: Uint8Array, source: Operands, font: PDFDict, take: TakeCodes): void {
    const reader = this.fonts.find(font)
    let keys: number[] = []
    for (let index = 0; index < source.count; index++) {
      const kind = source.kinds[index] as number
      if (kind === NUMBER && Math.abs(source.values[index] as number) >= WORD_GAP && keys.length > 0) {
        take(font, keys)
        keys = []
      }
      if (kind !== LITERAL && kind !== HEX) continue
      for (const key of readCodes(
        reader,
        readString(bytes, kind, source.starts[index] as number, source.ends[index] as number),
      ))
        keys.push(key)
    }
    if (keys.length > 0) take(font, keys)
  }
}

function isArray({ kinds, count }: Operands): boolean {
  return kinds[count - 1] === ARRAY
}
