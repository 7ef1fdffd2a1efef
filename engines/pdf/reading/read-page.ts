import { PDFRawStream } from 'pdf-lib'
import type { PlacedWord } from '../content/text-layer'
import type { StreamWalk } from '../content/walk/stream-walk'
import { TextCursor, readTextItems } from '../content/walk/text-cursor'
import { ContentWalk } from '../content/walk/walk-content'
import type { ContentVisitor, StreamUse } from '../content/walk/walk-content'
import type { PdfDocument } from '../document/document'
import type { Page } from '../document/page-tree'
import type { Font } from '../fonts/font'
import { Fonts } from '../fonts/fonts'
import { boundsOf, mapCorners } from '../geometry/geometry'
import { HiddenLayers } from '../structure/hidden-layers'
import { TEXT_SHOWING_OPERATORS } from '../syntax/content-operators'
import * as Name from '../syntax/names'
import { extendOwners, replaceTexts } from './actual-text'
import { attachAccents } from './attach-accents'
import { isBlankText } from './blank-text'
import { GlyphTable, indexesWhere } from './glyph'
import type { DrawnImage, Glyph, GlyphLine, GlyphList } from './glyph'
import { GlyphPlacement } from './glyph-placement'
import { markSpaces } from './mark-spaces'
import { joinWords } from './join-words'
import { OpenMarks } from './open-marks'
import type { LayerJudge, Replacement } from './open-marks'
import { PaintedPaths } from './painted-paths'
import type { PathShape } from './painted-paths'
import { dropRepeats } from './repeated-glyphs'
import { IS_BLANK, IS_EMPTY, TextKinds } from './text-kinds'

/** Only these many images of a page are kept. */
const MAX_IMAGES = 10_000

/** The square in which an image is drawn (ISO 32000-2, 8.9.5). */
const UNIT = { left: 0, bottom: 0, right: 1, top: 1 }

/** Text rendering modes (ISO 32000-2, table 104). */
const INVISIBLE = 3
const CLIP_ONLY = 7

/** What a page shows, in default user space. */
export interface PageContents {
  /** The glyphs with a text, in the order of the content. */
  readonly glyphs: Glyph[]
  /** The same glyphs in arrays, for what looks at every glyph of a document. */
  list: GlyphList
  /** The lines, rectangles and small shapes that are painted. */
  shapes: PathShape[]
  /** The images, in the order of the content. */
  images: DrawnImage[]
  /** Whether the page draws an image or a shading. */
  hasImage: boolean
  /** Whether the page has more glyphs than are read. */
  isCut: boolean
  /** Whether content of hidden layers was left out. */
  hasHidden: boolean
  /** The glyphs with a text of their own (`ownText`), if /ActualText replaces the text of some. */
  replacedGlyphs: Glyph[] | undefined
  /** Whether all content could be decoded. */
  isWhole: boolean
}

const NOTHING_HIDDEN: LayerJudge = { hides: () => false }

/** Reads the text of a document's pages from their content. */
export class PageReader {
  private readonly fonts: Fonts
  private readonly hidden: LayerJudge
  private readonly kinds = new TextKinds()
  private spare: GlyphTable | undefined

  /** With `layers: 'all'`, content of hidden layers is read too. */
  constructor(
    private readonly document: PdfDocument,
    { layers = 'visible' }: { layers?: 'visible' | 'all' } = {},
  ) {
    this.fonts = new Fonts(document)
    this.hidden = layers === 'all' ? NOTHING_HIDDEN : new HiddenLayers(document)
  }

  /**
   * Reads the content of a page without its annotations, patterns and soft masks. Throws EngineError `too_large` if
   * content nests too deep or repeats too often.
   */
  read(page: Page): PageContents {
    const table = this.spare ?? new GlyphTable(this.kinds)
    this.spare = undefined
    const reader = new ContentsReader(this.fonts, this.hidden, new GlyphPlacement(table))
    new ContentWalk(this.document, reader).readPage(page)
    return reader.finish()
  }

  /** Uses the arrays of a page for the next one. The glyphs of that page must not be used any more. */
  release({ list }: PageContents): void {
    list.table.clear()
    this.spare = list.table
  }

  /** Reads the words of the page at this position (from 0), like `joinWords`. Empty if there is no such page. */
  readWords(pageIndex: number): PlacedWord[] {
    const page = this.document.pages[pageIndex]
    return page ? joinWords(this.read(page).list) : []
  }
}

/** The part of a stream that is being read. */
interface OpenStream {
  cursor: TextCursor
  /** Number of marked-content sequences that were open before the stream. */
  depth: number
}

class ContentsReader implements ContentVisitor {
  private readonly paths = new PaintedPaths()
  private readonly marks: OpenMarks
  private readonly streams: OpenStream[] = []
  private readonly replacements: (Replacement & { end: number })[] = []
  /** Lines that only clip, which are visible if something is painted through them. */
  private clipping: { line: GlyphLine; nesting: number; stream: OpenStream }[] = []
  private readonly images: DrawnImage[] = []
  private useCount = 0
  private order = 0
  private hasImage = false
  private hasHidden = false
  private isWhole = true

  constructor(
    private readonly fonts: Fonts,
    private readonly hidden: LayerJudge,
    private readonly placement: GlyphPlacement,
  ) {
    this.marks = new OpenMarks(hidden)
  }

  enter({ kind, form }: StreamUse): string | undefined {
    if (kind !== 'form') return undefined
    if (this.hidden.hides(form.dict.get(Name.OC))) {
      this.hasHidden = true
      return undefined
    }
    // A form that is drawn twice shows its text twice.
    return String(this.useCount++)
  }

  begin({ stream }: StreamWalk): void {
    if (!stream.isWhole) this.isWhole = false
    this.streams.push({ cursor: new TextCursor(), depth: this.marks.depth })
  }

  end(): void {
    const stream = this.streams.pop()
    if (!stream) return
    this.dropClips(stream, 0)
    while (this.marks.depth > stream.depth) this.close(stream.depth)
  }

  operator(walk: StreamWalk): void {
    const { reader, state } = walk
    const { operator } = reader
    const stream = this.streams.at(-1) as OpenStream // begin was called
    if (this.paths.handle(walk, this.marks.current.isHidden)) return this.paint()
    switch (operator) {
      case 'BT':
        return stream.cursor.begin()
      case 'Q':
        // Without a saved state, Q has no effect.
        return walk.nesting > 0 ? this.dropClips(stream, walk.nesting) : undefined
      case 'BMC':
      case 'BDC':
        return this.marks.begin(walk, this.placement.table.count)
      case 'EMC':
        return this.close(stream.depth)
      case 'sh':
        return this.paintImage()
      case 'BI':
        this.addImage(walk, isOpaqueInline(walk))
        return this.paintImage()
      case 'Do':
        return this.draw(walk)
    }
    stream.cursor.move(reader, state)
    if (TEXT_SHOWING_OPERATORS.has(operator)) this.show(walk, stream)
  }

  finish(): PageContents {
    const { paths, images, hasImage, hasHidden, isWhole, replacements } = this
    const { table, isCut } = this.placement
    const { spaced, owned } = replaceTexts(table, replacements)
    const drawn = attachAccents({ table, indexes: dropRepeats(table) })
    markSpaces({ table, indexes: drawn }, spaced)
    extendOwners(owned)
    const { kinds } = table
    const list = { table, indexes: indexesWhere(drawn, at => ((kinds[at] as number) & (IS_BLANK | IS_EMPTY)) === 0) }
    let glyphs: Glyph[] | undefined
    return {
      get glyphs() {
        return (glyphs ??= Array.from(list.indexes, at => table.at(at)))
      },
      list,
      shapes: paths.shapes,
      images,
      hasImage,
      isCut,
      hasHidden,
      replacedGlyphs:
        replacements.length > 0
          ? Array.from(drawn, at => table.at(at)).filter(({ ownText }) => !isBlankText(ownText))
          : undefined,
      isWhole,
    }
  }

  /** Forgets the clips of a stream that graphics states from this nesting on have set. */
  private dropClips(stream: OpenStream, nesting: number): void {
    for (let last = this.clipping.at(-1); last?.stream === stream && last.nesting >= nesting;) {
      this.clipping.pop()
      last = this.clipping.at(-1)
    }
  }

  private close(depth: number): void {
    const replacement = this.marks.end(depth)
    const { placement } = this
    if (!replacement || replacement.first === placement.table.count) return
    placement.countText(replacement.text)
    if (!placement.isCut) this.replacements.push({ ...replacement, end: placement.table.count })
  }

  private draw(walk: StreamWalk): void {
    const { document, reader } = walk
    const object = document.peek(walk.resource('XObject', reader.name))
    if (!(object instanceof PDFRawStream) || document.peek(object.dict.get(Name.Subtype)) !== Name.Image) return
    const { dict } = object
    if (this.hidden.hides(dict.get(Name.OC))) return
    const isMask = document.peek(dict.get(Name.ImageMask))?.toString() === 'true'
    this.addImage(walk, !isMask && !dict.has(Name.SMask) && !dict.has(Name.Mask))
    this.paintImage()
  }

  private addImage({ state }: StreamWalk, isOpaque: boolean): void {
    const { isHidden, mcid, isArtifact } = this.marks.current
    if (isHidden || this.images.length >= MAX_IMAGES) return
    const bounds = boundsOf(mapCorners(state.matrix, UNIT))
    if (Number.isFinite(bounds.left + bounds.bottom + bounds.right + bounds.top))
      this.images.push({ ...bounds, mcid, isArtifact, isOpaque, order: this.order++ })
  }

  private paintImage(): void {
    if (this.marks.current.isHidden) return
    this.hasImage = true
    this.paint()
  }

  private paint(): void {
    for (const { line } of this.clipping) line.style = { ...line.style, isUnseen: false }
    this.clipping = []
  }

  private show(walk: StreamWalk, stream: OpenStream): void {
    const { reader, state } = walk
    const { cursor } = stream
    const font: Font | undefined = state.hasFont ? this.fonts.find(state.fontValue) : undefined
    const items = readTextItems(reader)
    // Without a font, viewers show nothing and don't advance.
    if (!font) return
    const { isHidden, mcid, isArtifact } = this.marks.current
    if (isHidden) this.hasHidden = true
    const { isBold, isItalic, isMonospaced } = font.style
    const isClip = state.renderMode === CLIP_ONLY
    const isUnseen = state.renderMode === INVISIBLE || isClip
    const style = { isBold, isItalic, isMonospaced, mcid, isArtifact, isUnseen }
    const { start, end } = reader
    const shown = { stream: walk.stream, start, end, spacing: 0, isMirrored: false, order: this.order++ }
    const { placement } = this
    const line = placement.begin(font, cursor.matrix, state, { style, shown, isHidden })
    cursor.show(items, font, state, placement)
    if (isClip) this.clipping.push({ line, nesting: walk.nesting, stream })
  }
}

/** Returns whether an inline image is no stencil mask. */
function isOpaqueInline({ reader }: StreamWalk): boolean {
  const { operands } = reader
  for (let index = 0; index + 1 < operands.count; index += 2) {
    const name = reader.nameAt(index)
    if (name !== 'IM' && name !== 'ImageMask') continue
    return reader.bytes[operands.starts[index + 1] as number] !== 0x74 // the t of true
  }
  return true
}
