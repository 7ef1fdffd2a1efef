import { boundsOfBox, toUserSpace } from '../../../pdf/geometry'
import type { Box, Frame } from '../../../pdf/geometry'
import type { RedactionArea } from './areas'

/** How far text may reach into a box, in points, because positions are rounded. */
const CORE_SLACK_PT = 0.75

/** Moves an area to another place on the page as displayed. */
export function setBox(frame: Frame, area: RedactionArea, box: Box, isDrawn: boolean): void {
  const slack = Math.min(CORE_SLACK_PT, box.width / 4, box.height / 4)
  area.box = isDrawn ? box : undefined
  area.hole = boundsOfBox(toUserSpace(frame, box))
  area.core = boundsOfBox(
    toUserSpace(frame, {
      x: box.x + slack,
      y: box.y + slack,
      width: box.width - 2 * slack,
      height: box.height - 2 * slack,
    }),
  )
}
