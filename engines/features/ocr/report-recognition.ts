import type { RecognizedPage } from './read-pages'
import { confidenceOf } from './page-text/page-geometry'

/** Where a tool reports warnings and response headers. */
interface Reporter {
  warn(warning: 'ocr-low-confidence' | 'scale-reduced'): void
  header(name: string, value: string): void
}

/**
 * Reports the number of recognized pages and their mean confidence. Warns about pages with a mean confidence below
 * `minConfidence`, and about pages with content that wasn't recognized.
 */
export function reportRecognition(
  readings: readonly RecognizedPage[],
  minConfidence: number,
  { warn, header }: Reporter,
): void {
  const recognized = readings.filter(({ source }) => source === 'ocr')
  header('X-OCR-Pages', String(recognized.length))
  if (readings.some(({ hasUnreadInk }) => hasUnreadInk)) warn('ocr-low-confidence')
  if (recognized.length === 0) return
  const mean = confidenceOf(recognized) ?? 0
  header('X-OCR-Confidence', mean.toFixed(1))
  const isUnsure = (reading: RecognizedPage): boolean =>
    reading.isTimedOut ||
    (reading.hasInk && (confidenceOf([reading]) ?? 0) <= 0) ||
    (confidenceOf([reading]) ?? 100) < minConfidence
  if (mean <= 0 || recognized.some(isUnsure)) warn('ocr-low-confidence')
  if (recognized.some(({ isReduced }) => isReduced)) warn('scale-reduced')
}
