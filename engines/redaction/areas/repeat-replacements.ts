import { openTypesetter } from '../../text/typesetter'
import type { PageAreas } from './areas'

/** Points of texts that are repeated, unless a size is asked for. */
const USUAL_PT = 8

/** The distance of lines in sizes of their type, and what text may fill of its box. */
const LEADING = 1.4
const SHARE = 0.92

/** A box that is higher than wide by this has its text turned. */
const NARROW = 1.5

const MOST_TIMES = 500

/**
 * Makes the replacement texts of areas as long as their boxes hold them; texts that fill theirs stay. Throws
 * EngineError `bad-options` for characters that no font has.
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
