import type { PDFObject } from 'pdf-lib'
import type { HiddenLayers } from '../pdf-core/structure/hidden-layers'
import type { ContentFilter, Element, PixelCut, Verdict } from './content-filter'

/** Keeps all content but that of hidden layers. */
export class KeepVisible implements ContentFilter {
  readonly key = 'visible'
  readonly area = undefined

  constructor(private readonly hidden: HiddenLayers) {}

  hidesLayer(layer: PDFObject | undefined): boolean {
    return this.hidden.hides(layer)
  }

  /** Forms may hold layers. */
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

/** Decides about what belongs to a hidden layer: it goes, while clipping paths still count for what is behind them. */
export const KEEP_NOTHING: ContentFilter = {
  key: 'nothing',
  area: undefined,
  decide: ({ kind }) => (kind === 'clip' ? 'keep' : 'remove'),
  cutImage: () => ({ left: 0, top: 0, width: 0, height: 0, cleared: [], slackPixels: 0, bleedPixels: 0 }),
  sidesOf: () => 0,
}
