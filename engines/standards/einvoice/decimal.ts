import { Big } from 'big.js'

/** Maximum length of a number, because arithmetic takes longer than its digits. Real numbers are far shorter. */
const MAX_LENGTH = 60

/** Parses a decimal text. Undefined if it is missing, isn't a number, or is too long. */
export function parseDecimal(text: string | undefined): Big | undefined {
  return text !== undefined && text.length <= MAX_LENGTH && /^-?\d+(?:\.\d+)?$/.test(text) ? new Big(text) : undefined
}
