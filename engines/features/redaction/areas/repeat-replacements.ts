import { openTypesetter } from '../../../pdf/typeset'
import type { PageAreas } from './areas'

/** Default size of repeated texts in points. */
const USUAL_PT = 8

/** The line spacing in ems, and the share of a box that text may fill. */
const LEADING = 1.4
const SHARE = 0.92

/** Minimum ratio of height to width at which the text of a box is rotated. */
const NARROW = 1.5

const MOST_TIMES = 500

/**
 * Repeats the replacement texts of areas until they fill their boxes. A text that already fills its box stays
 * unchanged. Throws EngineError `options_invalid` for characters that are missing from all fonts.
 */
export async function repeatReplacements(
  pages: readonly PageAreas[],
  { fontSize = USUAL_PT }: { fontSize?: number | undefined },
): Promise<void> {
  const written = pages.flatMap(({ areas }) => areas.filter(({ box, replacementText }) => box && replacementText))
  if (written.length === 0) return
  const typesetter = await openTypesetter()
  for (const area of written) {
    const { box, replacementText, param } = area
    if (!box || !replacementText) continue
    const text = replacementText.replaceAll('\n', ' ')
    const isTurned = box.height >= box.width * NARROW
    const [across, up] = isTurned ? [box.height, box.width] : [box.width, box.height]
    const widthPt = (typesetter.shape(`${text} `, {}, param).width * fontSize) / 1000
    const times =
      Math.floor((across * SHARE) / Math.max(widthPt, 1e-3)) * Math.floor((up * SHARE) / (LEADING * fontSize))
    if (times > 1) area.replacementText = Array.from({ length: Math.min(MOST_TIMES, times) }, () => text).join(' ')
  }
}
