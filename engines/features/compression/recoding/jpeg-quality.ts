import { readJpegSegments } from '../../../pdf/images'

const QUANTIZATION = 0xdb

/** Sum of the luminance table of ITU-T T.81, table K.1, which stands for quality 50. */
const USUAL_SUM = 3679

/**
 * Estimates the quality of JPEG data, from 1 to 100, from its first quantization table. Undefined if it can't be read.
 */
export function estimateQuality(bytes: Uint8Array): number | undefined {
  const table = readJpegSegments(bytes)?.segments.find(({ marker }) => marker === QUANTIZATION)?.data
  if (!table || table.length < 65 || (table[0] as number) >> 4 !== 0) return undefined
  let sum = 0
  for (let index = 1; index <= 64; index++) sum += table[index] as number
  const percent = (sum / USUAL_SUM) * 100
  return percent > 100 ? 5000 / percent : (200 - percent) / 2
}
