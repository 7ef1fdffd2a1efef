import type { FontWriter } from '../font-data'
import { roundOperand, writeOperand } from '../cff/type2-numbers'

const ESCAPE = 12
const HFLEX = 34
const FLEX = 35
const HFLEX1 = 36
const FLEX1 = 37

/** The flex height that the short operators imply, in hundredths of a device pixel. */
const USUAL_HEIGHT = 50

/**
 * Writes two curves as a flex. Renderers may show it as a line if it is flatter than the height (Adobe Technical Note
 * 5177, 4.1). The distances are x and y of six points, each from the point before.
 */
export function writeFlex(writer: FontWriter, distances: readonly number[], height: number): void {
  const { operator, operands } = chooseFlex(distances, height)
  for (const operand of operands) writeOperand(writer, operand)
  writer.u8(ESCAPE).u8(operator)
}

function chooseFlex(distances: readonly number[], height: number): { operator: number; operands: number[] } {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0, x5 = 0, y5 = 0, x6 = 0, y6 = 0] = distances
  if (height === USUAL_HEIGHT) {
    const returns = y1 + y2 + y3 + y4 + y5 + y6 === 0
    if (y1 === 0 && y3 === 0 && y4 === 0 && y6 === 0 && returns)
      return { operator: HFLEX, operands: [x1, x2, y2, x3, x4, x5, x6] }
    if (y3 === 0 && y4 === 0 && returns) return { operator: HFLEX1, operands: [x1, y1, x2, y2, x3, x4, x5, y5, x6] }
    const [wide, high] = [x1 + x2 + x3 + x4 + x5, y1 + y2 + y3 + y4 + y5]
    const isWide = Math.abs(wide) > Math.abs(high)
    const isHigh = Math.abs(wide) < Math.abs(high)
    if (isWide && high + y6 === 0) return { operator: FLEX1, operands: [...distances.slice(0, 10), x6] }
    if (isHigh && wide + x6 === 0) return { operator: FLEX1, operands: [...distances.slice(0, 10), y6] }
  }
  return { operator: FLEX, operands: [...distances, roundOperand(height)] }
}
