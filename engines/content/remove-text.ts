import type { PdfDocument } from '../pdf-core/document/document'
import type { Page } from '../pdf-core/document/page-tree'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'
import { rewriteContent } from './rewrite-content'

/** Text that is drawn without ink (ISO 32000-2, table 104). */
const WITHOUT_INK = 3

/** A page, and what of its text goes: what is drawn without ink, or all of it. */
export interface TextRemoval {
  page: Page
  what: 'without-ink' | 'all'
}

/**
 * Removes text from the content of pages, with the tags that stood for it; all else that they draw stays.
 * Throws EngineError `too-large` where a limit of the document is reached.
 */
export async function removeText(document: PdfDocument, removals: TextRemoval[]): Promise<void> {
  await rewriteContent(
    document,
    removals.map(({ page, what }) => ({ page, decider: new TextDecider(what) })),
  )
}

class TextDecider implements ContentFilter {
  readonly key: string
  readonly area = undefined

  constructor(private readonly what: TextRemoval['what']) {
    this.key = `text ${what}`
  }

  decide({ kind, renderMode }: Element): Verdict {
    if (kind === 'form') return 'cut'
    if (kind !== 'run' && kind !== 'glyph') return 'keep'
    return this.what === 'all' || renderMode === WITHOUT_INK ? 'remove' : 'keep'
  }

  /** Never asked for: no image is cut. */
  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}
