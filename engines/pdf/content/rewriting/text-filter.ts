import type { PdfDocument } from '../../document/document'
import type { Page } from '../../document/page-tree'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'
import { rewriteContent } from './rewrite-content'

/** Text rendering mode of invisible text (ISO 32000-2, table 104). */
const INVISIBLE = 3

/** A page, and which of its text to remove: invisible text or all text. */
export interface TextRemoval {
  page: Page
  what: 'without-ink' | 'all'
}

/**
 * Removes text and its tags from the content of pages. All other content stays. Throws EngineError `too_large` if a
 * limit of the document is exceeded.
 */
export async function removeText(document: PdfDocument, removals: TextRemoval[]): Promise<void> {
  await rewriteContent(
    document,
    removals.map(({ page, what }) => ({ page, filter: new TextFilter(what) })),
  )
}

class TextFilter implements ContentFilter {
  readonly key: string
  readonly area = undefined

  constructor(private readonly what: TextRemoval['what']) {
    this.key = `text ${what}`
  }

  decide({ kind, renderMode }: Element): Verdict {
    if (kind === 'form') return 'cut'
    if (kind !== 'run' && kind !== 'glyph') return 'keep'
    return this.what === 'all' || renderMode === INVISIBLE ? 'remove' : 'keep'
  }

  /** Never called, because this filter cuts no images. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}
