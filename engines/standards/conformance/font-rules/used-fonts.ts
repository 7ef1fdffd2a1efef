import type { PDFDict } from 'pdf-lib'
import { readCodes } from '../../../pdf/fonts'
import { TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import { readTextItems } from '../../../pdf/walk-content'
import type { ContentVisitor, StreamWalk } from '../../../pdf/walk-content'
import { objectOf } from '../examination/model'
import type { Location } from '../examination/report'
import { readFont } from './used-font'
import type { UsedFont } from './used-font'
import { findOrAdd } from '../../../map-entries'

/** The text rendering mode that shows nothing (ISO 32000-2, 9.3.6). */
const INVISIBLE = 3

/** Collects the fonts of text-showing operators, and the codes that each shows. */
export class UsedFonts implements ContentVisitor {
  private readonly fonts = new Map<PDFDict, UsedFont>()

  all(): Iterable<UsedFont> {
    return this.fonts.values()
  }

  operator(walk: StreamWalk): void {
    if (!TEXT_SHOWING_OPERATORS.has(walk.reader.operator)) return
    const { font } = walk
    if (!font) return
    const used = this.find(walk, font)
    const isInvisible = walk.state.renderMode === INVISIBLE
    if (!isInvisible) used.isRendered = true
    this.showStrings(walk, used, isInvisible ? used.invisible : used.visible)
  }

  private find(walk: StreamWalk, font: PDFDict): UsedFont {
    return findOrAdd(this.fonts, font, () => {
      const object = objectOf(walk.state.fontValue) ?? walk.location.object
      return readFont(walk.document, font, { page: walk.location.page, ...(object !== undefined && { object }) })
    })
  }

  private showStrings({ reader, location }: StreamWalk, font: UsedFont, codes: Map<number, Location>): void {
    for (const item of readTextItems(reader)) {
      if (typeof item === 'number') continue
      for (const key of readCodes(font.cmap ?? {}, item)) if (!codes.has(key)) codes.set(key, location)
    }
  }
}
