import { isGray } from '../../options/colors'
import type { Color } from '../../options/colors'

/**
 * Features that edits add to a document and that its PDF version or a conformance claim may not allow.
 * `unchecked-pdfa` and `unchecked-pdfua` stand for changes that Sheaf doesn't check against PDF/A or PDF/UA.
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

/** The PDF version that introduced a feature, as ISO 32000-1 states beside each feature. */
export const FEATURE_VERSIONS: Partial<Record<AddedFeature, string>> = {
  'images-of-16-bits': '1.5',
  'optional-content': '1.5',
  transparency: '1.4',
}

/** The features that edits added to a document. */
export class AddedFeatures extends Set<AddedFeature> {
  /** Records the color space that represents a color. */
  addColor(color: Color): void {
    this.add(isGray(color) ? 'device-gray' : 'device-rgb')
  }

  /** Forgets all features, because the result will be validated. */
  leaveToValidation(): void {
    this.clear()
  }

  /** Records content that Sheaf doesn't check against PDF/A or PDF/UA. */
  addUnchecked(): void {
    this.add('unchecked-pdfa').add('unchecked-pdfua')
  }
}
