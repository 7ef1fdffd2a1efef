import { PDFRef } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import { StreamEdits } from '../../pdf/rewrite-content'
import { addDeflatedStream, deflatedStream } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import { PATH_PAINTING_OPERATORS, TEXT_SHOWING_OPERATORS } from '../../pdf/syntax'
import * as Name from '../../pdf/names'
import type { ContentVisitor, StreamUse, StreamWalk } from '../../pdf/walk-content'
import { ContentWalk } from '../../pdf/walk-content'

const BUILD = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're'])
const DRAW = new Set(['Do', 'sh', 'BI'])

/**
 * Marks content that belongs to no structure element as an artifact (ISO 14289-1, 7.1): backgrounds, borders, and text
 * that style sheets generate. Content of form XObjects counts if the forms have marked content.
 */
export function markArtifacts(document: PdfDocument): void {
  const walk = new ContentWalk(document, new ArtifactMarker(document))
  for (const page of document.pages) walk.readPage(page)
}

/** A content stream that is being read. */
interface OpenStream {
  walk: StreamWalk
  edits: StreamEdits
  /** For each open sequence, whether it or one around it belongs to the structure or is an artifact. */
  open: boolean[]
  hasMarks: boolean
  pathStart: number | undefined
}

class ArtifactMarker implements ContentVisitor {
  readonly needsState = false
  private readonly streams: OpenStream[] = []
  /** Whether forms that were read have marked content, or draw a form that has. */
  private readonly forms = new Map<PDFDict, boolean>()

  constructor(private readonly document: PdfDocument) {}

  begin(walk: StreamWalk): void {
    this.streams.push({ walk, edits: new StreamEdits(), open: [], hasMarks: false, pathStart: undefined })
  }

  operator(walk: StreamWalk): void {
    const stream = this.streams.at(-1) as OpenStream // `begin` was called
    const { operator, start } = walk.reader
    if (operator === 'BMC' || operator === 'BDC') {
      stream.hasMarks = true
      stream.open.push(!isBare(stream) || isAssigned(walk))
    } else if (operator === 'EMC') stream.open.pop()
    else if (BUILD.has(operator)) stream.pathStart ??= start
    else if (operator === 'n') stream.pathStart = undefined
    else if (PATH_PAINTING_OPERATORS.has(operator)) {
      mark(stream, stream.pathStart)
      stream.pathStart = undefined
    } else if (TEXT_SHOWING_OPERATORS.has(operator) || (DRAW.has(operator) && !this.isForm(walk))) mark(stream)
  }

  /** Decides on a form that `Do` draws. */
  enter({ kind, form, parent }: StreamUse): string | undefined {
    const stream = this.streams.at(-1)
    if (kind !== 'form' || !stream || !parent || !isBare(stream)) return undefined
    const hasMarks = this.forms.get(form.dict)
    if (hasMarks === undefined) return ''
    if (hasMarks) stream.hasMarks = true
    else mark(stream)
    return undefined
  }

  end({ stream: { kind, object, dict, bytes, isWhole, page } }: StreamWalk): void {
    const { document } = this
    const { edits, hasMarks } = this.streams.pop() as OpenStream // `begin` was called
    const around = this.streams.at(-1)
    if (kind === 'page') {
      if (isWhole && edits.count > 0)
        document.edit(page.ref).set(Name.Contents, addDeflatedStream(document, edits.apply(bytes)))
      return
    }
    this.forms.set(dict, hasMarks)
    if (!around) return
    if (!hasMarks) mark(around)
    else {
      around.hasMarks = true
      if (edits.count > 0 && object) document.store.set(object, deflatedStream(document, dict, edits.apply(bytes)))
    }
  }

  private isForm(walk: StreamWalk): boolean {
    const value = walk.reader.operator === 'Do' ? walk.resource('XObject', walk.reader.name) : undefined
    const dict = value instanceof PDFRef ? this.document.peekDict(value) : undefined
    return this.document.peek(dict?.get(Name.Subtype)) === Name.Form
  }
}

function isBare({ open }: OpenStream): boolean {
  return open.at(-1) !== true
}

/** Puts what the current operator draws into an artifact, unless it is in marked content. */
function mark(stream: OpenStream, start = stream.walk.reader.start): void {
  if (!isBare(stream)) return
  const { end } = stream.walk.reader
  stream.edits.replace(start, start, '/Artifact BMC')
  stream.edits.replace(end, end, 'EMC')
}

/** Returns whether a sequence is an artifact, or has an /MCID, which a structure element refers to. */
function isAssigned(walk: StreamWalk): boolean {
  const { document, reader } = walk
  const { count } = reader.operands
  if (reader.nameAt(count - (reader.operator === 'BDC' ? 2 : 1)) === 'Artifact') return true
  return document.peekDict(walk.properties)?.has(Name.MCID) === true
}
