import { PDFArray, PDFDict, PDFHexString, PDFNull, PDFNumber, PDFRawStream, PDFRef, PDFString } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import type { PdfDocument } from './document'
import { stringBytes } from './name-tree'
import { asBuffer } from '../syntax/syntax'

/** Maximum number of compared pairs. Values with more pairs count as different. */
const MAX_PAIRS = 20_000

type Pair = [one: PDFObject | undefined, other: PDFObject | undefined]

/**
 * Returns whether two values are equal, including all objects that they refer to. The order of keys and whether a value
 * is direct or indirect don't matter. Streams are equal if their encoded data is equal.
 */
export function isSameObject(document: PdfDocument, one: PDFObject | undefined, other: PDFObject | undefined): boolean {
  const stack: Pair[] = [[one, other]]
  const seen = new Set<string>()
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [first, second] = pair
    if (first === second) continue
    if (first instanceof PDFRef && second instanceof PDFRef) {
      const key = `${first.tag} ${second.tag}`
      if (seen.has(key)) continue
      seen.add(key)
    }
    const parts = compare(document.peek(first) ?? PDFNull, document.peek(second) ?? PDFNull)
    if (!parts || stack.length + parts.length + seen.size > MAX_PAIRS) return false
    for (const part of parts) stack.push(part)
  }
  return true
}

/** The pairs to compare next, if the two values match on the surface. Undefined if the values differ. */
function compare(one: PDFObject, other: PDFObject): Pair[] | undefined {
  if (one === other) return []
  if (one instanceof PDFDict && other instanceof PDFDict) return pairsOf(one, other)
  if (one instanceof PDFArray && other instanceof PDFArray) {
    return one.size() === other.size() ? one.asArray().map((item, index): Pair => [item, other.get(index)]) : undefined
  }
  if (one instanceof PDFRawStream && other instanceof PDFRawStream) {
    return asBuffer(one.contents).equals(other.contents) ? pairsOf(one.dict, other.dict) : undefined
  }
  if (one instanceof PDFNumber && other instanceof PDFNumber) {
    return one.asNumber() === other.asNumber() ? [] : undefined
  }
  if (isString(one) && isString(other)) return stringBytes(one) === stringBytes(other) ? [] : undefined
  return undefined
}

function pairsOf(one: PDFDict, other: PDFDict): Pair[] {
  const keys = new Set<PDFName>([...one.keys(), ...other.keys()])
  return [...keys].map((key): Pair => [one.get(key), other.get(key)])
}

function isString(value: PDFObject): boolean {
  return value instanceof PDFString || value instanceof PDFHexString
}
