import type { PDFObject } from 'pdf-lib'
import type { HiddenLayers } from '../../structure/hidden-layers'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'

/** Keeps all content except the content of hidden layers. */
export class KeepVisible implements ContentFilter {
  readonly key = 'visible'
  readonly area = undefined
  /** Whether content of a hidden layer was found. */
  hasFound = false

  constructor(private readonly hidden: HiddenLayers) {}

  hidesLayer(layer: PDFObject | undefined): boolean {
    const isHidden = this.hidden.hides(layer)
    this.hasFound ||= isHidden
    return isHidden
  }

  /** Cuts form XObjects, because they may contain layers. */
  decide({ kind }: Element): Verdict {
    return kind === 'form' ? 'cut' : 'keep'
  }

  cutImage({ width, height }: { width: number; height: number }): PixelCut {
    return { left: 0, top: 0, width, height, cleared: [], slackPixels: 0, bleedPixels: 0 }
  }

  sidesOf(): number {
    return 0
  }
}

/**
 * Filter for content of a hidden layer. It removes everything except clipping paths, which affect the content after
 * them.
 */
export const KEEP_NOTHING: ContentFilter = {
  key: 'nothing',
  area: undefined,
  decide: ({ kind }) => (kind === 'clip' ? 'keep' : 'remove'),
  cutImage: () => ({ left: 0, top: 0, width: 0, height: 0, cleared: [], slackPixels: 0, bleedPixels: 0 }),
  sidesOf: () => 0,
}
