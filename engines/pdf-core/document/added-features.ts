import { isGray } from '../../options/colors'
import type { Color } from '../../options/colors'

/**
 * What edits do to a document that its PDF version or a conformance claim may not allow. `unchecked-pdfa` and
 * `unchecked-pdfua` stand for changes that nobody checked against PDF/A or PDF/UA.
 */
export type AddedFeature =
  | 'device-cmyk'
  | 'device-gray'
  | 'device-rgb'
  | 'images-of-16-bits'
  | 'lost-language'
  | 'lost-title'
  | 'optional-content'
  | 'transparency'
  | 'unchecked-pdfa'
  | 'unchecked-pdfua'
  | 'untagged-content'

/** The PDF version that brought a feature (ISO 32000-1 states it beside each one). */
export const FEATURE_VERSIONS: Partial<Record<AddedFeature, string>> = {
  'images-of-16-bits': '1.5',
  'optional-content': '1.5',
  transparency: '1.4',
}

/** Features of a document, as edits note them. */
export class AddedFeatures extends Set<AddedFeature> {
  /** Notes the color space that a color is written in. */
  addColor(color: Color): void {
    this.add(isGray(color) ? 'device-gray' : 'device-rgb')
  }

  /** Notes content that nobody checked against PDF/A or PDF/UA. */
  addUnchecked(): void {
    this.add('unchecked-pdfa').add('unchecked-pdfua')
  }
}
