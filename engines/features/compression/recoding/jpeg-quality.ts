import { readJpegSegments } from '../../../pdf/images'

const QUANTIZATION = 0xdb

/** Number of values of a table of 8 by 8 coefficients. */
const COEFFICIENTS = 64

/** Sum of the luminance table of ITU-T T.81, table K.1, which stands for quality 50. */
const USUAL_SUM = 3679

/**
 * Estimates the quality of JPEG data, from 1 to 100, from its first quantization table. Undefined if it can't be read.
 */
export function estimateQuality(bytes: Uint8Array): number | undefined {
  const table = readJpegSegments(bytes)?.segments.find(({ marker }) => marker === QUANTIZATION)?.data
  const [precisionAndNumber = 0] = table ?? []
  if (!table || table.length <= COEFFICIENTS || precisionAndNumber >> 4 !== 0) return undefined
  let sum = 0
  for (let index = 1; index <= COEFFICIENTS; index++) sum += table[index] as number
  const percent = (sum / USUAL_SUM) * 100
  // The inverse of how libjpeg scales the usual table for a quality.
  return percent > 100 ? 5000 / percent : (200 - percent) / 2
}
