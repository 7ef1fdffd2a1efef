import type { Identifier } from '../model'
import type { XmlNode } from './xml-tree'

/** The format `DDMMYYYY` of dates (UNTDID 2379). */
const DAY_FIRST_FORMAT = '4'

/**
 * A decimal number as text: without a plus sign and leading zeros. Other texts stay as they are. The expressions take
 * linear time for any text.
 */
export function decimal(text: string | undefined): string | undefined {
  if (text === undefined || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return text
  const unsigned = text.replace(/^[+-]/, '').replace(/^0+(?=\d)/, '')
  const digits = `${unsigned.startsWith('.') ? '0' : ''}${unsigned}`.replace(/\.$/, '')
  return text.startsWith('-') && /[1-9]/.test(digits) ? `-${digits}` : digits
}

/**
 * A date as `YYYY-MM-DD`: from digits that begin with `YYYYMMDD`, or from an XML date with a time or zone. `format` is
 * a code of UNTDID 2379. Other texts stay as they are.
 */
export function date(text: string | undefined, format?: string): string | undefined {
  if (text === undefined) return undefined
  const dayFirst = format === DAY_FIRST_FORMAT ? /^(\d{2})(\d{2})(\d{4})$/.exec(text) : undefined
  if (dayFirst) return dayFirst.slice(1).toReversed().join('-')
  const compact = /^(\d{4})(\d{2})(\d{2})(?:(?:\d{4}|\d{6})(?:[+-]?\d{2,4}|[A-Z]{3})?)?$/.exec(text)
  if (compact) return compact.slice(1, 4).join('-')
  return /^(\d{4}-\d{2}-\d{2})(?:[TZ+-]|$)/.exec(text)?.[1] ?? text
}

/** The identifier in an element, with its scheme. */
export function identifier(node: XmlNode | undefined): Identifier | undefined {
  const id = node?.text()
  return id === undefined ? undefined : { id, scheme: node?.attribute('schemeID') }
}

/** Returns an object, or undefined if all its members are undefined. */
export function ifAny<Value extends object>(value: Value): Value | undefined {
  return Object.values(value).some(member => member !== undefined) ? value : undefined
}

/** Returns a list, or undefined if it is empty. */
export function ifSome<Entry>(entries: Entry[]): Entry[] | undefined {
  return entries.length > 0 ? entries : undefined
}

/** The terms of payment. A cash discount of XRechnung ends with `#` and a line break (BR-DE-18). */
export function readTerms(node: XmlNode | undefined): string | undefined {
  const text = node?.text()
  if (node === undefined || text === undefined) return undefined
  const isCut = node.content.trimStart().slice(text.length).includes('\n')
  return text.endsWith('#') && isCut ? `${text}\n` : text
}

/** The values of leaves, if they are equal. Otherwise the first one, and the leaves with another one count as unread. */
export function readCommon(
  leaves: readonly XmlNode[],
  valueOf: (leaf: XmlNode) => string | undefined = leaf => leaf.peek(),
): string | undefined {
  const value = leaves.map(valueOf).find(one => one !== undefined)
  for (const leaf of leaves) if (valueOf(leaf) === value) leaf.text()
  return value
}
