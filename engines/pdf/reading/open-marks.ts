import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import type { StreamWalk } from '../content/walk/stream-walk'
import type { HiddenLayers } from '../structure/hidden-layers'
import * as Name from '../syntax/names'
import { readText } from '../syntax/text-string'

/** Maximum number of nested marked-content sequences. Deeper ones have no effect. */
const MAX_OPEN = 1000

/** Tells which layers are hidden. */
export type LayerJudge = Pick<HiddenLayers, 'hides'>

/** What the marked content around a glyph says (ISO 32000-2, 14.6). */
export interface Marks {
  /** The marked-content identifier of the content of the page. -1 if there is none. */
  mcid: number
  isArtifact: boolean
  isHidden: boolean
  /** The innermost sequence, or one around it, has a text that replaces its glyphs (14.9.4). */
  isReplaced: boolean
}

/** A sequence with /ActualText that has ended. */
export interface Replacement {
  text: string
  /** The number of glyphs that were read before the sequence. */
  first: number
}

interface Sequence extends Marks {
  replacement: Replacement | undefined
}

const NONE: Sequence = { mcid: -1, isArtifact: false, isHidden: false, isReplaced: false, replacement: undefined }

/** Follows the marked content of a page and its form XObjects. */
export class OpenMarks {
  private readonly open: Sequence[] = []
  private unfollowed = 0
  private readonly texts = new WeakMap<PDFDict, string | undefined>()

  constructor(private readonly hidden: LayerJudge) {}

  get current(): Marks {
    return this.open.at(-1) ?? NONE
  }

  /** Number of sequences that are open, with those that are nested too deep. */
  get depth(): number {
    return this.open.length + this.unfollowed
  }

  /** Handles `BMC` and `BDC`. `glyphCount` is the number of glyphs that were read before. */
  begin(walk: StreamWalk, glyphCount: number): void {
    if (this.open.length >= MAX_OPEN) {
      this.unfollowed++
      return
    }
    const { reader, document, stream } = walk
    const outer = this.open.at(-1) ?? NONE
    const { properties } = walk
    const tag = reader.nameAt(reader.operands.count - (reader.operator === 'BDC' ? 2 : 1))
    const list = document.peekDict(properties)
    // Identifiers in a form XObject belong to the form, so that only those of the page count.
    const mcid = stream.kind === 'page' ? document.peekNumber(list?.get(Name.MCID)) : undefined
    const text = outer.isReplaced || !list ? undefined : this.readActualText(document, list)
    this.open.push({
      mcid: mcid ?? outer.mcid,
      isArtifact: outer.isArtifact || tag === 'Artifact',
      isHidden: outer.isHidden || (tag === 'OC' && this.hidden.hides(properties)),
      isReplaced: outer.isReplaced || text !== undefined,
      replacement: text === undefined ? undefined : { text, first: glyphCount },
    })
  }

  /** Many sequences may share one property list. */
  private readActualText(document: PdfDocument, list: PDFDict): string | undefined {
    if (!list.has(Name.ActualText)) return undefined
    if (!this.texts.has(list)) this.texts.set(list, readText(document.peek(list.get(Name.ActualText))))
    return this.texts.get(list)
  }

  /** Handles `EMC`. Sequences below `depth` belong to another stream. Returns what replaces the glyphs of the sequence. */
  end(depth: number): Replacement | undefined {
    if (this.depth <= depth) return undefined
    if (this.unfollowed === 0) return this.open.pop()?.replacement
    this.unfollowed--
    return undefined
  }
}
